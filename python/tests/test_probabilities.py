# SPDX-License-Identifier: Apache-2.0
"""Probability maps in memory: what the program makes of the same files."""

from __future__ import annotations

import re

import numpy as np
import pytest

import crema

RNG = np.random.default_rng(20)


def network(shift: float, blur: float) -> np.ndarray:
    z, y, x = np.meshgrid(np.arange(5), np.arange(14), np.arange(16), indexing="ij")
    far = np.sqrt((x - 7 - shift) ** 2 + (y - 6.5) ** 2 + (2 * (z - 2)) ** 2)
    return (1 / (1 + np.exp((far - 4) / blur))).astype(np.float32)


MAPS = [network(0, 1), network(0.8, 0.5), network(-0.7, 1.3)]


def floored(maps):
    return np.where(np.asarray(maps) < 0.05, 0, maps)


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
def test_the_average_is_numpys(dtype):
    maps = [array.astype(dtype) for array in MAPS]
    result = crema.fuse(maps, method="average", probabilities=True)
    assert result.image.dtype == np.float32 and result.image.shape == MAPS[0].shape
    assert np.abs(result.image - floored(maps).mean(axis=0)).max() < 1e-3 if dtype == np.float16 else 1e-6


def test_a_mask_levels_and_what_each_map_counts():
    hard = crema.fuse({"a": MAPS[0], "b": MAPS[1], "c": MAPS[2]}, probabilities=True)
    assert hard.image.dtype == np.uint8 and hard.image.any()
    rule = hard.to_dict()["rule"]
    assert sum(rule["weights"]) == pytest.approx(1) and "·b" in rule["text"] and rule["threshold"] > 0
    soft = crema.fuse(MAPS, method="tanimoto", probabilities=True, floor=0.1)
    assert soft.to_dict()["floor"] == 0.1 and 0 < soft.image.max() <= 1


def test_files_give_what_arrays_give(tmp_path):
    paths = []
    for k, array in enumerate(MAPS):
        paths.append(tmp_path / f"{k}.npy")
        np.save(paths[-1], array)
    for method in ("jaccard", "soergel", "tanimoto", "robust"):
        memory = crema.fuse(MAPS, method=method, probabilities=True)
        files = crema.fuse(paths, method=method, probabilities=True)
        assert (memory.image == np.asarray(files.image)).all() and memory.lmsd == files.lmsd


def test_sets_stand_for_what_applies():
    results = crema.fuse(MAPS, method="all", probabilities=True)
    assert "robust" in results and "staple" not in results
    assert any("left out" in warning for warning in results["jaccard"].warnings)
    assert "robust" not in crema.fuse([np.eye(6, dtype=np.uint8)] * 2, method="all")


def refuse(match, *arguments, **keywords):
    with pytest.raises(ValueError, match=match):
        crema.fuse(*arguments, **keywords)


def test_refusals():
    broken = MAPS[0].copy()
    broken[1, 2, 3] = np.nan
    refuse("rater 2: 1 voxel is NaN", [MAPS[0], broken], probabilities=True)
    refuse("rater 2: holds values from -", [MAPS[0], 20 * MAPS[1] - 10], probabilities=True)
    refuse(r"floor of 0\.05", [0.01 * MAPS[0]], probabilities=True)
    refuse("probabilities=True to fuse the levels", MAPS)
    refuse("staple", MAPS, method="staple", probabilities=True)
    for strange in (complex, object):
        refuse(r"for levels|Python objects.*numpy\.float32", [MAPS[0].astype(strange)] * 2, probabilities=True)
    refuse("probabilities=True", [np.eye(6, dtype=np.uint8)] * 2, method="median")
    result = crema.fuse(MAPS, probabilities=True)
    for about_masks in ({"review": 3}, {"flip_weights": True}, {"uniqueness": True}):
        with pytest.raises(ValueError, match="require masks; leave them out, or cut the maps with threshold="):
            result.agreement(**about_masks)
    with pytest.raises(ValueError, match='show="subcrowns" requires masks'):
        result.figure("subcrowns")
    with pytest.raises(ValueError, match="staple takes masks"):
        result.compare("staple")


@pytest.mark.parametrize("method", ["jaccard", "tanimoto", "soergel"])
def test_what_follows_a_consensus_of_levels(method):
    result = crema.fuse(MAPS, method=method, probabilities=True)
    found = result.agreement(leave_one_out="fixed", bootstrap=10, surfaces=False).arrays()
    p = floored(MAPS).astype(float)
    x = np.asarray(result.image, float)
    support = (p > 0).any(axis=0)
    assert found["rater_pairs"]["soft_dice"][0] == pytest.approx(2 * np.minimum(p[0], p[1]).sum() / p[:2].sum())
    brier = ((p - (x > 0.5)) ** 2)[:, support].mean(axis=1)
    assert found["raters"]["brier"] == pytest.approx(brier, rel=1e-6)
    assert found["raters"]["soft_dice"][0] == pytest.approx(2 * np.minimum(p[0], x).sum() / (p[0] + x).sum(), rel=1e-6)
    assert len(found["leave_one_out"]["rater"]) == len(MAPS)
    methods = result.compare(["jaccard", "soergel", "tanimoto"]).arrays()["methods"]
    for row, name in enumerate(methods["method"]):
        alone = crema.fuse(MAPS, method=name, probabilities=True)
        assert methods[f"lmsd_{name}"][row] == pytest.approx(alone.lmsd)
    for show in ("contours", "votes", "levels"):
        assert result.figure(show).svg.startswith("<svg")


def classes(seed: int, raters: int = 3) -> list[np.ndarray]:
    """A softmax of two balls and the background, one array (C, z, y, x) per network."""
    rng = np.random.default_rng(seed)
    _, y, x = np.meshgrid(np.arange(5), np.arange(14), np.arange(16), indexing="ij")
    nets = []
    for _ in range(raters):
        a = (4 - np.hypot(x - 5 - rng.normal(0, 0.5), y - 6)) / rng.uniform(0.5, 1)
        b = (3 - np.hypot(x - 10, y - 7 - rng.normal(0, 0.5))) / rng.uniform(0.5, 1)
        shares = np.exp(np.stack([np.zeros(x.shape), a, b]) - np.maximum(np.maximum(a, b), 0))
        nets.append((shares / shares.sum(axis=0)).astype(np.float32))
    return nets


@pytest.mark.parametrize("axis", [0, -1])
@pytest.mark.parametrize("order", ["C", "F"])
def test_classes_come_as_channels(axis, order):
    nets = classes(3)
    given = [np.asarray(np.moveaxis(net, 0, axis), order=order) for net in nets]
    result = crema.fuse(given, method="average", probabilities=True, channels=axis)
    mean = floored(nets).mean(axis=0)
    rest = 1 - mean[1:].sum(axis=0)
    assert (np.asarray(result.image) == np.concatenate([rest[None], mean[1:]]).argmax(axis=0)).all()
    for label in (1, 2):
        assert np.abs(np.asarray(result.levels[label]) - mean[label]).max() < 1e-6


def test_classes_in_files_give_what_arrays_give(tmp_path):
    nets = classes(4)
    paths = []
    for k, net in enumerate(nets):
        paths.append(tmp_path / f"{k}.npz")
        np.savez_compressed(paths[-1], probabilities=net)
    for method in ("jaccard", "tanimoto"):
        memory = crema.fuse(np.stack(nets), method=method, probabilities=True, channels=0, labels={"a": 1, "b": 2})
        files = crema.fuse(paths, method=method, probabilities=True, labels={"a": 1, "b": 2})
        assert (np.asarray(memory.image) == np.asarray(files.image)).all() and memory.lmsd == files.lmsd
        assert list(memory) == ["a", "b"] and len(memory.to_dict()["label_table"][1]["rule"]["weights"]) == 3


def test_regions_are_channels_without_a_background():
    whole = [net[1] + net[2] for net in classes(5)]
    core = [net[2] for net in classes(5)]
    given = [np.stack(pair) for pair in zip(whole, core, strict=True)]
    result = crema.fuse(given, method="average", probabilities=True, channels=0, regions={"whole": [1, 2], "core": [2]})
    outer, inner = (floored(maps).mean(axis=0) > 0.5 for maps in (whole, core))
    assert (np.asarray(result.image) == outer * (1 + inner)).all()


def test_logits_are_recognised():
    logits = [np.log(np.clip(net, 1e-6, 1)) for net in classes(6)]
    with pytest.raises(ValueError, match='logits="softmax"'):
        crema.fuse(logits, probabilities=True, channels=0)
    levels = crema.fuse(classes(6), method="average", probabilities=True, channels=0)
    turned = crema.fuse(logits, method="average", probabilities=True, channels=0, logits="softmax")
    assert (np.asarray(levels.image) == np.asarray(turned.image)).mean() > 0.999
    with pytest.raises(ValueError, match="has 2 channels, but rater 1 has 3"):
        crema.fuse([classes(6)[0], classes(6)[1][:2]], probabilities=True, channels=0)


@pytest.mark.parametrize("keywords", [{}, {"probabilities": True}, {"channels": 0}, {"labels": "all"}])
@pytest.mark.parametrize("stacked", [False, True])
def test_what_is_said_of_softmax_leads_to_the_end(keywords, stacked):
    """One sentence, whichever keyword was missing, and what it says works."""
    nets = np.stack(classes(7)) if stacked else classes(7)
    with pytest.raises(ValueError, match=r"rater 1: holds the probabilities of 3 classes along axis 0") as refused:
        crema.fuse(nets, **keywords)
    assert "say probabilities=True, channels=0." in str(refused.value)
    assert np.asarray(crema.fuse(nets, probabilities=True, channels=0).image).max() == 2
    labels = [np.argmax(mask, axis=0) for mask in nets]
    assert np.asarray(crema.fuse(labels, labels="all").image).max() == 2
    assert np.asarray(crema.fuse([np.take(mask, 1, axis=0) for mask in nets], threshold=0.5).image).any()


def test_what_is_said_of_other_channels_leads_to_the_end():
    sigmoids = [net[1:] for net in classes(8)]
    refuse(r"classes or regions with probabilities=True, come with channels=", sigmoids, probabilities=True)
    refuse("has one channel.*numpy.squeeze", [net[:1] for net in sigmoids], probabilities=True, channels=0)
    one = crema.fuse([net[:1] for net in sigmoids], probabilities=True, channels=0, regions={"whole": [1]})
    assert np.asarray(one.image).max() == 1


@pytest.mark.parametrize("beside", ["the consensus", "the region"])
def test_softmax_that_is_no_rater_gets_advice_of_its_own(beside):
    net, masks = classes(9)[0], [np.argmax(net, axis=0) == 1 for net in classes(9)]

    def run(array):
        if beside == "the consensus":
            return crema.certify(array, masks)
        return crema.fuse(masks, method="staple", roi=array)

    with pytest.raises(ValueError, match=rf"{beside}: holds the probabilities of 3 classes along axis 0") as refused:
        run(net)
    said = "give one mask, such as numpy.argmax(mask, axis=0) == 1 for class 1."
    assert said in str(refused.value) and "rater" not in str(refused.value)
    run(np.argmax(net, axis=0) == 1)


def test_a_region_gets_no_advice_about_raters():
    masks = [np.argmax(net, axis=0) == 1 for net in classes(9)]
    labels = np.argmax(classes(9)[0], axis=0).astype(np.uint8)
    for region, said in ((labels, "save the intended one"), (classes(9)[0][1], "save it as a mask")):
        with pytest.raises(ValueError, match="the region: ") as refused:
            crema.fuse(masks, method="staple", roi=region)
        assert said in str(refused.value) and not re.search(r"threshold=|label=|labels=", str(refused.value))
