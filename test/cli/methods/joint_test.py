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
