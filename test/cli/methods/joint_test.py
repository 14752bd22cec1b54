# SPDX-License-Identifier: Apache-2.0
"""Several labels or classes at once: other raters, certificates, and what is said about both."""

import json

import nibabel
import numpy
import pytest
from classes_test import logits, save_npz, softmax
from conftest import AFFINE

RATERS = 5
SHAPE = (22, 20, 6)


def voxels(path):
    return numpy.asanyarray(nibabel.load(path).dataobj)


def dice(a, b):
    return 2 * (a & b).sum() / (a.sum() + b.sum())


@pytest.fixture
def label_maps(save):
    """A small object inside the edge of a large one, by five raters who disagree about where it lies."""
    rng = numpy.random.default_rng(4)
    x, y, z = numpy.indices(SHAPE)

    def ball(centre, radius):
        return numpy.sqrt((x - centre[0]) ** 2 + (y - centre[1]) ** 2 + (z - centre[2]) ** 2) < radius

    paths = []
    for k in range(RATERS):
        centre = numpy.array([9, 9, 3]) + rng.normal(size=3) * 0.5
        labels = numpy.zeros(SHAPE, numpy.uint8)
        labels[ball(centre, 5)] = 1
        labels[ball(centre + [3, 2, 0] + rng.normal(size=3), 2.6)] = 2
        paths.append(save(f"r{k}.nii.gz", labels))
    return paths


@pytest.fixture
def npz(tmp_path):
    return [save_npz(tmp_path / "nets", f"net-{k}", softmax(values)) for k, values in enumerate(logits(5))]


def left_out(crema, tmp_path, raters, method, *more):
    """By label, the rows of the record."""
    result = crema("agreement", *raters, "-m", method, "--leave-one-out", "exact", "--json", "record.json", *more)
    assert result.code == 0, result
    structures = json.loads((tmp_path / "record.json").read_text())["structures"]
    return [one["consensuses"][0]["leave_one_out"]["raters"] for one in structures]


def fused(crema, tmp_path, raters, method, name, *more):
    result = crema("fuse", *raters, "--method", method, "-o", f"{name}.nii.gz", "--force", *more)
    assert result.code == 0, result
    return voxels(tmp_path / f"{name}.nii.gz")


@pytest.mark.parametrize("method", ["jaccard", "dice", "majority"])
def test_leaving_a_rater_out_of_labels_is_to_fuse_the_others(crema, tmp_path, label_maps, method):
    rows = left_out(crema, tmp_path, label_maps, method, "--labels", "all")
    whole = fused(crema, tmp_path, label_maps, method, "all", "--labels", "all")
    for k in range(RATERS):
        others = [path for j, path in enumerate(label_maps) if j != k]
        less = fused(crema, tmp_path, others, method, "less", "--labels", "all")
        for label in (1, 2):
            row = rows[label - 1][k]
            assert row["change"] == (less == label).sum() - (whole == label).sum()
            assert row["dice"] == pytest.approx(dice(whole == label, less == label))


def test_leaving_a_rater_out_of_classes_is_to_fuse_the_others(crema, tmp_path, npz):
    more = ["--probabilities", "--labels", "all"]
    rows = left_out(crema, tmp_path, npz, "jaccard", *more)
    whole = fused(crema, tmp_path, npz, "jaccard", "all", *more)
    for k in range(len(npz)):
        less = fused(crema, tmp_path, [path for j, path in enumerate(npz) if j != k], "jaccard", "less", *more)
        for label in (1, 2):
            assert rows[label - 1][k]["change"] == (less == label).sum() - (whole == label).sum()
            assert rows[label - 1][k]["dice"] == pytest.approx(dice(whole == label, less == label))


def certified(crema, tmp_path, *arguments):
    result = crema("certify", *arguments, "--probabilities", "--json", "certificate.json", "--force")
    assert result.code == 0, result
    record = json.loads((tmp_path / "certificate.json").read_text())
    return record.get("structures", [record])


@pytest.mark.parametrize("ending", [".npz", ".nii.gz"])
def test_levels_of_several_classes_are_certified(crema, tmp_path, npz, save, ending):
    inputs = npz
    if ending == ".nii.gz":  # a 4-D image has classes last
        stacks = [numpy.load(tmp_path / path)["probabilities"].transpose(3, 2, 1, 0) for path in npz]
        inputs = [save(f"stack-{k}.nii.gz", stack) for k, stack in enumerate(stacks)]
    levels = f"levels{ending}"
    fused(crema, tmp_path, inputs, "soergel", "all", "--probabilities", "--labels", "all", "--levels", levels)
    together = certified(crema, tmp_path, levels, *inputs, "--labels", "all", "--distance", "soergel")
    assert len(together) == 2
    by_default = certified(crema, tmp_path, levels, *inputs, "--labels", "all")
    assert [one["lmsd"] for one in by_default] == [one["lmsd"] for one in together]
    for one in together:
        assert one["distance"] == "soergel"
        assert one["lower_bound"] <= one["lmsd"] * (1 + 1e-9)
    one = certified(crema, tmp_path, levels, *inputs, "--labels", "tumour=2", "--distance", "soergel")[0]
    assert one["lmsd"] == pytest.approx(together[1]["lmsd"], rel=1e-6)
    if ending == ".npz":
        one = certified(crema, tmp_path, levels, *inputs, "--label", "2", "--distance", "soergel")[0]
        assert one["lmsd"] == pytest.approx(together[1]["lmsd"], rel=1e-6)
        cut = certified(crema, tmp_path, levels, *inputs, "--label", "2", "--consensus-threshold", "0.5")[0]
        assert cut["distance"] == "jaccard"


def test_levels_of_other_classes_are_refused(crema, tmp_path, npz):
    save_npz(tmp_path / "two", "two", numpy.full((2, 18, 15, 7), 0.5, numpy.float32))
    result = crema("certify", "two/two.npz", *npz, "--probabilities", "--labels", "all")
    assert result.code == 3, result
    assert "holds 2 channels, but the raters have a class in channel 2" in result.err, result
    fused(crema, tmp_path, npz, "soergel", "all", "--probabilities", "--labels", "all", "--levels", "levels.npz")
    result = crema("certify", "levels.npz", *npz, "--probabilities", "--labels", "all", "--distance", "jaccard")
    assert result.code == 2, result
    assert "compares masks, but levels.npz holds levels" in result.err, result


@pytest.mark.parametrize("distance", ["tanimoto", "dice2"])
def test_where_no_bound_is_known_it_is_the_gap_to_the_best_known(crema, tmp_path, npz, distance):
    one = ["--label", "1"]
    for method in (distance, "average"):
        fused(crema, tmp_path, npz, method, method, "--probabilities", *one)
    best = certified(crema, tmp_path, f"{distance}.nii.gz", *npz, *one, "--distance", distance)[0]
    assert best["best_known"] == pytest.approx(best["lmsd"], rel=1e-6)
    assert not best["proven"]
    mean = certified(crema, tmp_path, "average.nii.gz", *npz, *one, "--distance", distance)[0]
    assert mean["best_known"] == pytest.approx(best["lmsd"], rel=1e-6)
    assert mean["lmsd"] > mean["best_known"]
    result = crema("certify", "average.nii.gz", *npz, *one, "--probabilities", "--distance", distance)
    assert "% above the best known" in result.out
    assert "nothing is proven" in result.out


def test_a_method_that_nobody_named_is_noticed(crema, npz):
    said = "No --method given, so jaccard makes a mask"
    assert said in crema("fuse", *npz, "--probabilities", "--label", "1").err
    assert said not in crema("fuse", *npz, "--probabilities", "--label", "1", "-m", "jaccard").err


def test_the_rule_of_several_components_is_called_their_mean(crema, save):
    def maps(objects):
        x = numpy.indices((30, 8, 4))[0]
        near = numpy.max([numpy.clip(1.2 - numpy.abs(x - 6 - 12 * k) / 4, 0, 1) for k in range(objects)], axis=0)
        return [save(f"{objects}-{k}.nii.gz", (near * (1 - 0.1 * k)).astype(numpy.float32)) for k in range(3)]

    assert "(mean over 2 components)" in crema("fuse", *maps(2), "--probabilities", "-m", "tanimoto").err
    assert "mean over" not in crema("fuse", *maps(1), "--probabilities", "-m", "tanimoto").err


def test_the_grid_of_npz_may_be_that_of_an_image_with_channels(crema, tmp_path, npz, save):
    save("grid.nii.gz", numpy.zeros((18, 15, 7, 3), numpy.float32))
    more = ["--probabilities", "--labels", "all", "--like", "grid.nii.gz"]
    fused(crema, tmp_path, npz, "tanimoto", "out", *more)
    assert (nibabel.load(tmp_path / "out.nii.gz").affine == AFFINE).all()
