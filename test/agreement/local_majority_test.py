# SPDX-License-Identifier: Apache-2.0
"""The method local-majority beside a plain reading of its definition, voxel by voxel, with SciPy's components."""

import csv
import os
import subprocess
import sys
from pathlib import Path

import numpy
import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from subject import program  # noqa: F401

WHY = "is not installed; scripts/test makes its environment"
nibabel = pytest.importorskip("nibabel", reason=f"nibabel {WHY}")
ndimage = pytest.importorskip("scipy.ndimage", reason=f"scipy {WHY}")


def plain(masks, tie):
    """Kept if 2P > K, in if 2|g| > P; ties by the tie policy."""
    masks = numpy.asarray(masks, bool)
    wins = lambda votes, of: 2 * votes > of if tie == "background" else 2 * votes >= of  # noqa: E731
    components, count = ndimage.label(masks.any(axis=0), numpy.ones((3,) * (masks.ndim - 1)))
    result = numpy.zeros(masks.shape[1:], bool)
    for c in range(1, count + 1):
        here = components == c
        present = sum(bool((mask & here).any()) for mask in masks)
        if wins(present, len(masks)):
            result |= here & wins(masks.sum(axis=0), present)
    return result


def scattered(seed, raters, labels=1):
    """Small boxes of which every rater misses some and shifts others."""
    random = numpy.random.default_rng(seed)
    maps = numpy.zeros((raters, 22, 20, 7), numpy.uint8)
    for _ in range(9):
        at, size = random.integers(1, [18, 16, 5]), random.integers(1, 4, 3)
        label = random.integers(1, labels + 1)
        for rater in maps:
            if random.random() < 0.65:
                low = numpy.maximum(at + random.integers(-1, 2, 3), 0)
                rater[tuple(slice(a, a + n) for a, n in zip(low, size))] = label
    return maps


@pytest.fixture
def fuse(program, tmp_path):
    def run(maps, *flags):
        for k, one in enumerate(maps):
            nibabel.Nifti1Image(one, numpy.diag([1, 1, 3, 1])).to_filename(tmp_path / f"r{k}.nii.gz")
        words = [program, "fuse", *(f"r{k}.nii.gz" for k in range(len(maps))), "-o", "out.nii.gz", "-q", "--force"]
        subprocess.run([*words, "-m", "local-majority", *flags], cwd=tmp_path, check=True)
        return numpy.asarray(nibabel.load(tmp_path / "out.nii.gz").dataobj)

    return run


@pytest.mark.parametrize("tie", ["background", "foreground"])
@pytest.mark.parametrize("raters", [2, 3, 4, 5])
def test_masks_are_voted_on_by_those_present(fuse, raters, tie):
    for seed in range(4):
        masks = scattered(seed, raters)
        numpy.testing.assert_array_equal(fuse(masks, "--tie", tie), plain(masks, tie), err_msg=f"seed {seed}")


def test_slices_are_images_of_their_own(fuse):
    masks = scattered(5, 4)
    expected = numpy.stack([plain(masks[..., z], "background") for z in range(masks.shape[-1])], axis=-1)
    numpy.testing.assert_array_equal(fuse(masks, "--slice-wise", "z"), expected)


@pytest.mark.parametrize("seed", range(4))
def test_labels_are_voted_on_one_by_one(fuse, seed):
    """Where no voxel is claimed twice, each label has the voxels that it has alone."""
    maps = scattered(seed, 5, labels=3)
    built = fuse(maps, "--labels", "all")
    alone = numpy.stack([plain(maps == label, "background") for label in (1, 2, 3)])
    once = alone.sum(axis=0) < 2
    for label in (1, 2, 3):
        numpy.testing.assert_array_equal((built == label)[once], alone[label - 1][once], err_msg=f"label {label}")
    assert numpy.all(alone.any(axis=0) | (built == 0))


def test_regions_are_voted_on_one_by_one(fuse):
    maps = scattered(3, 4, labels=2)
    built = fuse(maps, "--regions", "whole=1+2,core=2")
    whole, core = plain(maps > 0, "background"), plain(maps == 2, "background")
    numpy.testing.assert_array_equal(built > 0, whole)
    numpy.testing.assert_array_equal(built == 2, whole & core)


def test_cohorts_take_it(program, tmp_path):
    sizes = {}
    for seed in (1, 2):
        masks = scattered(seed, 4)
        (tmp_path / f"data/case{seed}").mkdir(parents=True)
        for k, mask in enumerate(masks):
            path = tmp_path / f"data/case{seed}/r{k}.nii.gz"
            nibabel.Nifti1Image(mask, numpy.diag([1, 1, 3, 1])).to_filename(path)
        sizes[f"case{seed}"] = plain(masks, "background").sum()
    words = [program, "cohort", "run", "data", "-o", "run", "-m", "local-majority", "-q"]
    subprocess.run(words, cwd=os.fspath(tmp_path), check=True)
    with open(tmp_path / "run/methods.csv", newline="") as file:
        assert {row["case"]: int(row["voxels"]) for row in csv.DictReader(file)} == sizes
