# SPDX-License-Identifier: Apache-2.0
"""Distances with settings, and the vote that is a mean: tversky and hamming."""

import json

import numpy
import pytest
from plain import random_raters, voxels
from refusal_test import refused


def fused(crema, tmp_path, names, method, *arguments):
    output = f"{method}.nii.gz"
    result = crema("fuse", *names, "-o", output, "-m", method, "--json", "-", "--force", *arguments)
    assert result.code == 0, result
    return json.loads(result.out), voxels(tmp_path / output)


@pytest.mark.parametrize("blocks", ["subcrown", "crown", "voxel", "group"])
@pytest.mark.parametrize(
    "special, general, weight",
    [("jaccard", "tversky", 1), ("dice", "tversky", 0.5), ("soergel", "tversky1", 1), ("dice1", "tversky1", 0.5)],
)
def test_tversky_holds_jaccard_and_dice(crema, save, tmp_path, special, general, weight, blocks):
    names, _ = random_raters(save, 71)
    options = ("--alpha", weight, "--beta", weight, "--blocks", blocks)
    record, image = fused(crema, tmp_path, names, general, *map(str, options))
    expected, other = fused(crema, tmp_path, names, special, "--blocks", blocks)
    assert numpy.array_equal(image, other)
    assert record["lmsd"] == pytest.approx(expected["lmsd"], abs=1e-12)


def test_alpha_and_beta_move_the_size_and_are_in_the_record(crema, save, tmp_path):
    names, _ = random_raters(save, 72)
    large, _ = fused(crema, tmp_path, names, "tversky", "--alpha", "0.1", "--beta", "1")
    small, _ = fused(crema, tmp_path, names, "tversky", "--alpha", "1", "--beta", "0.1")
    assert large["voxels"] > small["voxels"]
    assert large["alpha"] == 0.1 and large["beta"] == 1


@pytest.mark.parametrize("blocks", ["subcrown", "voxel", "group"])
@pytest.mark.parametrize("tie", ["background", "foreground"])
def test_hamming_is_the_majority_vote_with_a_proof(crema, save, tmp_path, blocks, tie):
    names, _ = random_raters(save, 73)
    record, image = fused(crema, tmp_path, names, "hamming", "--blocks", blocks, "--tie", tie, "--certify")
    _, majority = fused(crema, tmp_path, names, "majority", "--tie", tie)
    assert numpy.array_equal(image, majority)
    assert record["proven"] and record["gap"] == 0


def test_certify_takes_the_settings_of_its_distance(crema, save, tmp_path):
    names, _ = random_raters(save, 74)
    options = ("--alpha", "0.2", "--beta", "1.3")
    record, _ = fused(crema, tmp_path, names, "tversky", *options)
    result = crema("certify", "tversky.nii.gz", *names, "--distance", "tversky", *options, "--json", "-")
    assert result.code == 0, result
    assert json.loads(result.out)["lmsd"] == pytest.approx(record["lmsd"], abs=1e-12)


@pytest.mark.parametrize("value", ["0", "-1", "nan", "inf", "half", "1e7"])
@pytest.mark.parametrize("flag", ["--alpha", "--beta"])
def test_weights_of_tversky_are_positive(crema, raters, flag, value):
    refused(crema("fuse", *raters, "-o", "o.nii.gz", "-m", "tversky", f"{flag}={value}"), 2, flag)


def test_alpha_is_refused_where_it_says_nothing(crema, raters):
    refused(crema("fuse", *raters, "-o", "o.nii.gz", "-m", "jaccard", "--alpha", "1"), 2, "--alpha applies to tversky")
    for distance in ([], ["--distance", "dice"]):
        refused(
            crema("certify", raters[0], *raters, *distance, "--beta", "1"), 2, "--beta applies to the distances tversky"
        )
