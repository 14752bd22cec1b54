# SPDX-License-Identifier: Apache-2.0
"""Probability maps against a plain reading of section 10 of the method: support, absent raters, weights, classes."""

import json
import os

import numpy
import pytest
from probabilities_test import ALL, FLOOR, HARD, criterion, floored, robust, voxels

ndimage = pytest.importorskip("scipy.ndimage")
optimize = pytest.importorskip("scipy.optimize")

SIZE = (26, 17, 5)
SEED = int(os.environ.get("CREMA_SEED", "20261"))
# By method: whether squares are summed, and whether the distance is Dice's.
SIX = {
    "jaccard": (False, False),
    "dice": (False, True),
    "soergel": (False, False),
    "dice1": (False, True),
    "tanimoto": (True, False),
    "dice2": (True, True),
}


def ball(centre, radius, blur):
    axes = numpy.meshgrid(*map(numpy.arange, SIZE), indexing="ij")
    far = numpy.sqrt(sum(((a - c) * s) ** 2 for a, c, s in zip(axes, centre, (1, 1, 2))))
    return (radius - far) / blur


def scattered(random):
    """Soft balls whose edges meet; raters miss some, and give others no level of a half."""
    maps = numpy.zeros((random.integers(2, 6), *SIZE), numpy.float32)
    for centre in ((4, 5, 2), (13, 8, 2), (21, 12, 2)):
        radius = random.uniform(1.2, 3.2)
        for own in maps:
            top = random.choice([0, 0.4, 0.9, 1], p=[0.15, 0.1, 0.35, 0.4])
            inside = ball(numpy.array(centre) + random.normal(0, 0.6, 3), radius, random.uniform(0.2, 1.3))
            numpy.maximum(own, top / (1 + numpy.exp(-inside)), out=own, casting="unsafe")
    maps[0, 0:2, 15, 0] = 0.3  # of no core
    return maps


def plain_parts(s, steps):
    """By component, where it is: cores of 1/2, and the rest of the support step by step."""
    core, count = ndimage.label((s >= 0.5).any(axis=0), steps)
    order = sorted(range(1, count + 1), key=lambda c: numpy.flatnonzero(core.ravel(order="F") == c)[0])
    sizes = [int((core == c).sum()) for c in order]
    rank = {order[i]: r for r, i in enumerate(sorted(range(count), key=lambda i: (sizes[i], i)))}
    owner = numpy.vectorize(lambda c: rank.get(c, numpy.inf), otypes=[float])(core)
    while True:
        near = ndimage.minimum_filter(owner, footprint=steps, mode="constant", cval=numpy.inf)
        joins = (s > 0).any(axis=0) & numpy.isinf(owner) & ~numpy.isinf(near)
        if not joins.any():
            return [owner == rank[c] for c in order]
        owner[joins] = near[joins]


def least_of_layers(s, dice):
    """The best levels of rater groups, each as large as its layers are high, from several starts."""
    groups = {}
    for values in s.reshape(len(s), -1).T.astype(float):
        below = 0
        for level in sorted(set(values) - {0}):
            group = tuple(values >= level)
            groups[group] = groups.get(group, 0) + level - below
            below = level
    member = numpy.array(list(groups), float).T
    height = numpy.array(list(groups.values()))
    size = member @ height

    def value(x):
        total, shared = height @ x, member @ (height * x)
        extent = (total + size) / 2 if dice else total + size - shared
        return numpy.mean((1 - shared / extent) ** 2)

    starts = [member.mean(axis=0), numpy.ones(len(height)), *member]
    return min(optimize.minimize(value, start, bounds=[(0, 1)] * len(height)).fun for start in starts)


def slopes(x, s, dice):
    """What makes levels stationary: the falls with the overlap over twice the rise with the squares."""
    shared, size = (x * s).sum(axis=(1, 2, 3)), (s**2).sum(axis=(1, 2, 3))
    extent = (x**2).sum() + size - (0 if dice else shared)
    factor = 2 if dice else 1
    d = 1 - factor * shared / extent
    fall = d * (factor / extent + (0 if dice else shared / extent**2))
    return fall / (2 * (d * factor * shared / extent**2).sum())


@pytest.mark.parametrize("number", range(4))
def test_components_and_criteria_are_those_of_a_plain_reading(crema, save, tmp_path, number):
    random = numpy.random.default_rng(SEED + number)
    maps = scattered(random)
    near = random.choice([6, 26])
    steps = ndimage.generate_binary_structure(3, 1 if near == 6 else 3)
    paths = [save(f"r{k}.nii.gz", one) for k, one in enumerate(maps)]
    options = ["--method", ",".join(SIX), "--probabilities", "--connectivity", str(near)]
    assert crema("fuse", *paths, "-o", "out", *options).code == 0
    results = {
        entry["method"]: entry
        for entry in json.loads((tmp_path / "out/record.json").read_text(encoding="utf-8"))["results"]
    }
    s = floored(maps)
    parts = plain_parts(s, steps)
    for method, (squared, dice) in SIX.items():
        x = voxels(tmp_path / f"out/{method}.nii.gz").astype(float)
        table = results[method]["component_table"]
        assert results[method]["support_voxels"] == (s > 0).any(axis=0).sum() and len(table) == len(parts)
        assert not x[~numpy.any(parts, axis=0)].any()
        for part, row in zip(parts, table):
            here = [k for k in range(len(s)) if (s[k][part] >= 0.5).any()]
            assert row["raters_present"] == [k + 1 for k in here]
            check_part(method, numpy.where(part, x, 0), numpy.where(part, s, 0)[here], len(s), row)
        assert results[method]["lmsd"] == pytest.approx(sum(row["criterion"] for row in table), rel=1e-9)


def check_part(method, x, s, raters, row):
    """One component, with the levels of those who are present."""
    squared, dice = SIX[method]
    share = len(s) / raters
    if not x.any():
        assert row["criterion"] == pytest.approx(share, abs=1e-9)
        return
    own = share * criterion(x, s, squared, dice) + 1 - share
    assert row["criterion"] == pytest.approx(own, abs=2e-6) and row["criterion"] <= share + 1e-12
    votes = numpy.array([vote for vote in row["votes"] if vote > 0])
    if squared and len(s) > 1:
        assert numpy.abs(x - numpy.minimum(1, numpy.tensordot(votes, s, 1))).max() < 1e-6
        assert votes == pytest.approx(slopes(x, s, dice), rel=1e-3)
    elif method in ("soergel", "dice1"):
        assert row["criterion"] <= share * least_of_layers(s, dice) + 1 - share + 1e-6
    else:
        for start in (s > 0.5).sum(axis=0) > len(s) / 2, (s >= 0.5).any(axis=0):
            if start.any():
                assert own <= share * criterion(start.astype(float), s, squared, dice) + 1 - share + 1e-9


def networks(random, raters, classes):
    """Softmax of balls that lie side by side; now and then one is missed."""
    nets = []
    for _ in range(raters):
        scores = [numpy.zeros(SIZE)]
        for c in range(classes):
            centre = numpy.array([7 + 5 * c, 8, 2]) + random.normal(0, 1.2, 3)
            scores.append(ball(centre, 3 + random.random(), random.uniform(0.2, 1)) - 100 * (random.random() < 0.1))
        shares = numpy.exp(numpy.stack(scores) - numpy.max(scores, axis=0))
        nets.append((shares / shares.sum(axis=0)).astype(numpy.float32))
    return numpy.asarray(nets)


@pytest.mark.parametrize("number", range(2))
def test_the_label_is_the_highest_share_of_what_each_class_gets_alone(crema, save, tmp_path, number):
    random = numpy.random.default_rng(SEED + number)
    nets = networks(random, 3 + number, 3 - number)
    stacks = [save(f"net-{k}.nii.gz", numpy.moveaxis(net, 0, -1)) for k, net in enumerate(nets)]
    classes = range(1, nets.shape[1])
    for c in classes:
        maps = [save(f"c{c}-{k}.nii.gz", net[c]) for k, net in enumerate(nets)]
        assert crema("fuse", *maps, "-o", f"alone-{c}", "--method", "all", "--probabilities").code == 0
    assert crema("fuse", *stacks, "-o", "out", "--method", "all", "--probabilities", "--labels", "all").code == 0
    mean = numpy.where(nets < FLOOR, 0, nets).mean(axis=0)[1:]
    for method in ALL:
        own = numpy.stack([voxels(tmp_path / f"alone-{c}/{method}.nii.gz") for c in classes])
        own = own / numpy.maximum(own.sum(axis=0), 1)
        shares = numpy.concatenate([1 - own.sum(axis=0, keepdims=True), own])
        if method in HARD:  # of masks with the same share, the one with the highest mean level
            shares[1:] += 1e-3 * mean * (own > 0)
        top = numpy.sort(shares, axis=0)
        clear = top[-1] - top[-2] > 1e-6
        out = voxels(tmp_path / f"out/{method}.nii.gz")
        assert (out == shares.argmax(axis=0))[clear].all() and clear.mean() > 0.9, method


def test_robust_settles_where_leaps_go_round_in_circles(crema, save, tmp_path):
    """Plain updates settle after four hundred."""
    voxels_of = {"001": 52, "002": 5, "010": 7, "011": 13, "012": 3, "020": 1, "021": 7, "022": 2}
    quarters = numpy.array([list(map(int, levels)) for levels, count in voxels_of.items() for _ in range(count)])
    three = (quarters.T / 4).astype(numpy.float32).reshape(3, -1, 3, 1)
    paths = [save(f"quarters-{k}.nii.gz", array) for k, array in enumerate(three)]
    result = crema("fuse", *paths, "-o", "out.nii.gz", "--method", "robust", "--probabilities")
    assert result.code == 0 and "no convergence" not in result.err
    assert numpy.abs(voxels(tmp_path / "out.nii.gz").reshape(three[0].shape) - robust(three)).max() < 1e-4
