# SPDX-License-Identifier: Apache-2.0
"""What `crema fuse --probabilities` makes of probability maps, against plain NumPy."""

import json
import os

import nibabel
import numpy
import pytest
from conftest import AFFINE
from plain import read_csv

HARD = ["jaccard", "dice", "majority"]
ALL = [*HARD, "tanimoto", "soergel", "dice1", "dice2", "average", "median", "logit-average", "robust"]
FLOOR = 0.05


def voxels(path):
    return numpy.asanyarray(nibabel.load(path).dataobj)


def network(shift=0.0, blur=1.0, top=1.0, size=(16, 14, 5)):
    """A ball with a logistic edge."""
    x, y, z = numpy.meshgrid(*map(numpy.arange, size), indexing="ij")
    far = numpy.sqrt((x - 7 - shift) ** 2 + (y - 6.5) ** 2 + (2 * (z - 2)) ** 2)
    return (top / (1 + numpy.exp((far - 4) / blur))).astype(numpy.float32)


@pytest.fixture
def maps():
    return [network(), network(0.7, 0.6), network(-0.8, 1.4, 0.95), network(0.3, 0.4), network(1.6, 0.9, 0.9)]


@pytest.fixture
def folds(save, maps):
    return [save(f"fold-{k}.nii.gz", array) for k, array in enumerate(maps)]


def floored(maps):
    return numpy.where(numpy.asarray(maps, float) < FLOOR, 0, maps).astype(float)


def criterion(x, maps, squared, dice):
    """One component in which everyone is present."""
    terms = []
    for s in maps:
        common = (x * s).sum() if squared else numpy.minimum(x, s).sum()
        extent, size = ((x**2).sum(), (s**2).sum()) if squared else (x.sum(), s.sum())
        terms.append(1 - (2 * common / (extent + size) if dice else common / (extent + size - common)))
    return numpy.mean(numpy.square(terms))


def robust(maps):
    """A plain reading of section 10 of the method: its updates, one after the other, on the support."""
    p = floored(maps)
    support = (p > 0).any(axis=0)
    clipped = numpy.clip(p[:, support], 1e-6, 1 - 1e-6)
    y = numpy.log(clipped / (1 - clipped))
    m, v, b = y.mean(axis=0), numpy.zeros(y.shape[1]), numpy.zeros(len(y))
    variance, prior, nu = ((y - m) ** 2).mean(axis=1), (y.mean(axis=0) ** 2).mean(), 4
    for _ in range(2000):
        before = m
        e = (y - m - b[:, None]) ** 2 + v
        tau = ((nu + 1) / 2) / (nu / 2 + e / (2 * variance[:, None]))
        v = 1 / ((tau / variance[:, None]).sum(axis=0) + 1 / prior)
        m = v * (tau * (y - b[:, None]) / variance[:, None]).sum(axis=0)
        b = (tau * (y - m)).sum(axis=1) / tau.sum(axis=1)
        b -= b.mean()
        e = (y - m - b[:, None]) ** 2 + v
        variance = (tau * e).mean(axis=1)
        variance = numpy.maximum(variance, numpy.median(variance) / 100)
        prior = (m**2 + v).mean()
        if numpy.abs(m - before).max() < 1e-9:
            break
    level = numpy.zeros(p.shape[1:])
    level[support] = 1 / (1 + numpy.exp(-m))
    return level


def run_all(crema, folds, tmp_path, *more):
    result = crema("fuse", *folds, "-o", "out", "--method", "all", "--probabilities", *more)
    assert result.code == 0, result
    record = json.loads((tmp_path / "out/record.json").read_text(encoding="utf-8"))
    return result, {entry["method"]: entry for entry in record["results"]}


def test_baselines_are_what_numpy_says(crema, folds, maps, tmp_path):
    run_all(crema, folds, tmp_path)
    p = floored(maps)
    support = (p > 0).any(axis=0)
    out = {method: voxels(tmp_path / f"out/{method}.nii.gz") for method in ALL}
    assert numpy.abs(out["average"] - p.mean(axis=0)).max() < 1e-6
    assert numpy.abs(out["median"] - numpy.median(p, axis=0)).max() < 1e-6
    assert (out["majority"] == ((p > 0.5).sum(axis=0) > 2.5)).all()
    clipped = numpy.clip(p, 1e-6, 1 - 1e-6)
    mean = 1 / (1 + numpy.exp(-numpy.log(clipped / (1 - clipped)).mean(axis=0)))
    assert numpy.abs(out["logit-average"] - numpy.where(support, mean, 0)).max() < 1e-6
    assert numpy.abs(out["robust"] - robust(maps)).max() < 1e-4


def test_criteria_are_those_of_the_written_maps_and_the_least_of_all(crema, folds, maps, tmp_path):
    _, results = run_all(crema, folds, tmp_path)
    p = floored(maps)
    written = {method: voxels(tmp_path / f"out/{method}.nii.gz").astype(float) for method in ALL}
    for method, squared, dice in [
        ("jaccard", False, False),
        ("dice", False, True),
        ("soergel", False, False),
        ("dice1", False, True),
        ("tanimoto", True, False),
        ("dice2", True, True),
    ]:
        own = criterion(written[method], p, squared, dice)
        assert results[method]["lmsd"] == pytest.approx(own, abs=1e-6)
        kind = {results[m]["kind"] for m in (method,)}
        others = [m for m in ALL if kind == {"soft"} or results[m]["kind"] == "hard"]
        assert all(own <= criterion(written[m], p, squared, dice) + 1e-6 for m in others), method


def test_the_record_has_floor_weights_and_bound(crema, folds, tmp_path):
    result, results = run_all(crema, folds, tmp_path, "--floor", "0.1")
    assert "staple" in result.err and "left out" in result.err
    for method in ("jaccard", "dice", "soergel", "dice1", "tanimoto", "dice2"):
        record = results[method]
        assert record["floor"] == 0.1 and record["probabilities"] is True and record["blocks"] == "group"
        assert len(record["rule"]["weights"]) == 5 and "fold-0" in record["rule"]["text"]
        assert len(record["component_table"][0]["votes"]) == 5
    for method in ("soergel", "dice1"):
        assert results[method]["lower_bound"] == pytest.approx(results[method]["lmsd"], rel=1e-6)
    assert results["tanimoto"]["rule"]["threshold"] is None
    assert "lower_bound" not in results["tanimoto"]


def test_compare_has_the_criterion_of_each_result_in_each_distance(crema, folds, maps, tmp_path):
    run_all(crema, folds, tmp_path)
    result = crema("compare", *folds, "--methods", "all", "--probabilities", "--csv", "tables", "--json", "-")
    assert result.code == 0, result
    p = floored(maps)
    rows = {row["method"]: row for row in read_csv(tmp_path / "tables/methods.csv")}
    for method in ALL:
        x = voxels(tmp_path / f"out/{method}.nii.gz").astype(float)
        for distance, squared, dice in [("soergel", False, False), ("dice1", False, True), ("tanimoto", True, False)]:
            assert float(rows[method][f"lmsd_{distance}"]) == pytest.approx(criterion(x, p, squared, dice), abs=1e-5)
        mask = (x > 0.5).astype(float)
        assert float(rows[method]["lmsd_jaccard"]) == pytest.approx(criterion(mask, p, False, False), abs=1e-5)


def test_folds_whose_names_differ_behind_a_point_keep_them_apart(crema, folds, tmp_path):
    for k in range(len(folds)):
        (tmp_path / folds[k]).rename(tmp_path / f"net.v{k}.nii.gz")
    result = crema("fuse", *sorted(tmp_path.glob("net.v*")), "-o", "out.nii.gz", "-m", "tanimoto", "--probabilities")
    assert result.code == 0 and "·net.v0 + " in result.out + result.err


def test_one_consensus_prints_what_each_fold_counts(crema, folds, tmp_path):
    result = crema("fuse", *folds, "-o", "levels.nii.gz", "--method", "tanimoto", "--probabilities")
    assert result.code == 0 and "·fold-0 + " in result.out + result.err
    levels = voxels(tmp_path / "levels.nii.gz")
    assert levels.dtype == numpy.float32 and 0 < levels.max() <= 1
    result = crema("fuse", *folds, "-o", "mask.nii.gz", "--probabilities", "--certify", "--json", "record.json")
    assert result.code == 0 and voxels(tmp_path / "mask.nii.gz").dtype == numpy.uint8
    record = json.loads((tmp_path / "record.json").read_text(encoding="utf-8"))
    assert record["lower_bound"] <= record["lmsd"]


def test_masks_as_maps_give_what_masks_give(crema, save, maps, tmp_path):
    names = [save(f"m{k}.nii.gz", (array > 0.5).astype(numpy.float32)) for k, array in enumerate(maps)]
    for method in ("jaccard", "dice", "soergel", "dice1", "tanimoto", "dice2", "majority", "average"):
        blocks = [] if method in ("majority", "average") else ["--blocks", "group"]
        for name, more in ((f"{method}-maps.nii.gz", ["--probabilities"]), (f"{method}-masks.nii.gz", blocks)):
            assert crema("fuse", *names, "-o", name, "--method", method, *more, "--force").code == 0
        both = [voxels(tmp_path / f"{method}-{kind}.nii.gz") for kind in ("maps", "masks")]
        assert (both[0] == both[1]).all(), method


def test_every_format_that_holds_floats(crema, folds, maps, tmp_path):
    simpleitk = pytest.importorskip("SimpleITK")
    options = ["--method", "tanimoto", "--probabilities", "--force"]
    assert crema("fuse", *folds, "-o", "reference.nii.gz", *options).code == 0
    reference = voxels(tmp_path / "reference.nii.gz")
    for ending in (".nii", ".mha", ".nrrd", ".npy", ".tif"):
        names = []
        for k, array in enumerate(maps):
            names.append(f"map-{k}{ending}")
            if ending == ".npy":
                numpy.save(tmp_path / names[-1], array.transpose())
            elif ending == ".nii":
                nibabel.Nifti1Image(array, AFFINE).to_filename(tmp_path / names[-1])
            else:
                image = simpleitk.GetImageFromArray(numpy.ascontiguousarray(array.transpose()))
                simpleitk.WriteImage(image, os.fspath(tmp_path / names[-1]))
        result = crema("fuse", *names, "-o", "other.nii.gz", *options)
        assert result.code == 0, result
        assert (voxels(tmp_path / "other.nii.gz") == reference).all(), ending


def test_a_flipped_map_is_turned(crema, save, folds, maps, tmp_path):
    flip = AFFINE.copy()
    flip[0] = [-1, 0, 0, maps[0].shape[0] - 1]
    names = [*folds[:-1], save("flipped.nii.gz", maps[-1][::-1], flip)]
    for out, given in (("a.nii.gz", folds), ("b.nii.gz", names)):
        assert crema("fuse", *given, "-o", out, "--method", "soergel", "--probabilities").code == 0
    assert (voxels(tmp_path / "a.nii.gz") == voxels(tmp_path / "b.nii.gz")).all()


def refused(result, code, *parts):
    assert result.code == code, result
    assert all(part in result.err for part in parts), result


def test_bad_maps_are_refused_by_name(crema, save, folds, maps, nothing_new):
    broken, large = maps[0].copy(), 20 * maps[0] - 10
    broken[1, 2, 3] = numpy.nan
    bad = {name: save(f"{name}.nii.gz", array) for name, array in [("nan", broken), ("logits", large)]}
    bad["low"] = save("low.nii.gz", 0.04 * maps[0])
    moved = AFFINE.copy()
    moved[0, 3] = 0.4
    bad["moved"] = save("moved.nii.gz", maps[0], moved)
    nothing_new.start()

    def fuse(*names):
        return crema("fuse", *names, "-o", "out.nii.gz", "--probabilities")

    refused(fuse(folds[0], bad["nan"]), 3, "nan.nii.gz", "NaN", "(1, 2, 3)")
    refused(fuse(folds[0], bad["logits"]), 3, "logits.nii.gz", "from -", "logits")
    refused(fuse(bad["low"], bad["low"]), 3, "floor of 0.05", "--floor")
    refused(fuse(folds[0], bad["moved"]), 3, "moved.nii.gz", "0.4")
    refused(crema("fuse", *folds, "-o", "out.nii.gz"), 3, "fold-0.nii.gz", "--threshold 0.5", "--probabilities")
    nothing_new.check()


@pytest.mark.parametrize(
    ("more", "parts"),
    [
        (["--probabilities", "--method", "staple"], ["--probabilities applies to", "staple"]),
        (["--probabilities", "--threshold", "0.5"], ["--probabilities and --threshold exclude each other"]),
        (["--probabilities", "--blocks", "group"], ["--blocks"]),
        (["--probabilities", "--weights", "auto"], ["--weights"]),
        (["--probabilities", "--method", "tanimoto", "--certify"], ["--certify", "tanimoto"]),
        (["--floor", "0.1"], ["--floor requires --probabilities"]),
        (["--method", "median"], ["median takes probability maps", "--probabilities"]),
        (["--method", "robust", "--labels", "all"], ["robust takes probability maps; give --probabilities"]),
    ],
)
def test_what_does_not_go_together_is_refused(crema, folds, more, parts):
    refused(crema("fuse", *folds, "-o", "out.nii.gz", *more), 2, *parts)


def test_weights_count(crema, folds, maps, tmp_path):
    options = ["--probabilities", "--method", "average", "--weights", "1,0,0,0,0"]
    assert crema("fuse", *folds, "-o", "a.nii.gz", *options).code == 0
    assert numpy.abs(voxels(tmp_path / "a.nii.gz") - floored(maps)[0]).max() < 1e-6
    options = ["--probabilities", "--method", "tanimoto", "--weights", "0,0,1,0,0"]
    assert crema("fuse", *folds, "-o", "b.nii.gz", *options).code == 0
    assert numpy.abs(voxels(tmp_path / "b.nii.gz") - floored(maps)[2]).max() < 1e-6


@pytest.mark.parametrize("dtype", [numpy.float32, numpy.float16])
def test_a_class_of_nnunets_archives(crema, save, tmp_path, maps, dtype):
    """(classes, z, y, x); the grid comes from the segmentation beside it."""
    names = []
    for k, array in enumerate(maps):
        classes = numpy.stack([1 - array, 0.75 * array, 0.25 * array]).transpose(0, 3, 2, 1).astype(dtype)
        names.append(f"case-{k}.npz")
        numpy.savez_compressed(tmp_path / names[-1], probabilities=classes)
    grid = save("case.nii.gz", numpy.zeros(maps[0].shape, numpy.uint8))
    options = ["--like", grid, "--probabilities", "--method", "average"]
    assert crema("fuse", *names, "-o", "levels.nii.gz", "--label", "1", *options).code == 0
    expected = floored([(0.75 * array).astype(dtype) for array in maps]).mean(axis=0)
    written = nibabel.load(tmp_path / "levels.nii.gz")
    assert (written.affine == AFFINE).all() and numpy.abs(voxels(tmp_path / "levels.nii.gz") - expected).max() < 1e-6
    refused(crema("fuse", *names, "-o", "x.nii.gz", *options), 3, "3 classes", "--label")
    refused(crema("fuse", *names, "-o", "x.nii.gz", "--label", "3", *options), 3, "no class 3")


def test_a_map_of_one_class_has_none_to_choose(crema, folds):
    refused(crema("fuse", *folds, "-o", "x.nii.gz", "--probabilities", "--label", "1"), 3, "fold-0.nii.gz", "--label")


def test_only_equal_levels_are_called_identical(crema, save, maps):
    """Maps that reach a half in the same voxels are no copies of each other."""
    other = numpy.where(maps[0] < 0.5, 0.9 * maps[0], maps[0]).astype(numpy.float32)
    one, two, copy = save("one.nii.gz", maps[0]), save("two.nii.gz", other), save("copy.nii.gz", maps[0])
    assert "identical" not in crema("fuse", one, two, "--probabilities").err
    assert "rater 2 (copy.nii.gz) is identical to rater 1" in crema("fuse", one, copy, "--probabilities").err


def test_levels_given_as_logits_are_named(crema, save, maps):
    level, logit = save("level.nii.gz", maps[0]), save("logit.nii.gz", numpy.log(maps[1] / (1 - maps[1])))
    result = crema("fuse", level, logit, "--probabilities", "--logits", "sigmoid")
    assert result.code == 0 and "level.nii.gz: holds values from 0 to 0." in result.err and "like levels" in result.err
    assert "logit.nii.gz: holds" not in result.err
    overflow = save("overflow.nii.gz", numpy.where(maps[0] > 0.9, numpy.inf, maps[0] - 1))
    result = crema("fuse", logit, overflow, "--probabilities", "--logits", "sigmoid")
    assert result.code == 3 and "; float16 ends at 65504, so save logits as float32" in result.err


def test_robust_settles_where_plain_updates_creep(crema, save, tmp_path):
    """Two networks of little overlap: more than a thousand plain updates, of which 500 are not enough."""
    pair = [network(-2, 0.3, 0.9), network(2, 1.5)]
    paths = [save(f"pair-{k}.nii.gz", array) for k, array in enumerate(pair)]
    result = crema("fuse", *paths, "-o", "out.nii.gz", "--method", "robust", "--probabilities")
    assert result.code == 0 and "no convergence" not in result.err
    assert numpy.abs(voxels(tmp_path / "out.nii.gz") - robust(pair)).max() < 1e-4
