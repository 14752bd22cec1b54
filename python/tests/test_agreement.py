# SPDX-License-Identifier: Apache-2.0
"""What a result tells beyond its image: plain readings and the program's own records as oracle."""

import pickle

import numpy as np
import pytest

import crema


@pytest.fixture
def masks():
    return list(crema.phantom("lesions", size=(8, 48, 48), raters=5, seed=3).masks)


def dice(a, b):
    return 2 * np.sum(a & b) / (np.sum(a) + np.sum(b))


def test_agreement_tells_every_pair_as_a_plain_reading_does(masks):
    told = crema.fuse(masks).agreement(surfaces=False)
    pairs = [(a, b) for a in range(5) for b in range(a + 1, 5)]
    assert len(told["pairs"]) == len(pairs)
    for row, (a, b) in zip(told["pairs"], pairs, strict=True):
        assert row["dice"] == pytest.approx(dice(masks[a] != 0, masks[b] != 0), abs=1e-12)
        assert row["hausdorff_mm"] is None and "hausdorff_mm" in row["undefined"]
    votes = np.sum([mask != 0 for mask in masks], axis=0)
    assert told["positive_agreement"] == pytest.approx(np.sum(votes * (votes - 1)) / (4 * np.sum(votes)), abs=1e-12)


def test_a_consensus_stands_beside_each_rater(masks):
    result = crema.fuse(masks, method="majority")
    (one,) = result.agreement()["consensuses"]
    assert one["method"] == "majority"
    for row, mask in zip(one["raters"], masks, strict=True):
        assert row["dice"] == pytest.approx(dice(mask != 0, result.image != 0), abs=1e-12)
        assert row["hd95_mm"] is not None


def test_methods_that_look_at_neighbours_can_be_judged_too(masks):
    result = crema.fuse(masks, method="shape")
    (one,) = result.agreement(surfaces=False)["consensuses"]
    for row, mask in zip(one["raters"], masks, strict=True):
        assert row["dice"] == pytest.approx(dice(mask != 0, result.image != 0), abs=1e-12)


def test_leaving_one_out_exactly_is_fusing_the_others(masks):
    result = crema.fuse(masks)
    for k, left in enumerate(result.leave_one_out("exact")):
        others = crema.fuse(masks[:k] + masks[k + 1 :]).image
        assert left["voxels"] == np.count_nonzero(others)
        assert left["change"] == np.count_nonzero(others) - np.count_nonzero(result.image)
        assert left["dice"] == pytest.approx(dice(others != 0, result.image != 0), abs=1e-12)
    assert len(result.leave_one_out()) == 5


def test_the_bootstrap_repeats_with_its_seed_and_tells_shares(masks):
    result = crema.fuse(masks)
    once, again, other = (result.bootstrap(20, seed=seed) for seed in (7, 7, 8))
    assert np.array_equal(once["image"], again["image"]) and not np.array_equal(once["image"], other["image"])
    assert once["image"].shape == masks[0].shape and once["image"].min() >= 0 and once["image"].max() <= 1
    assert once["voxels"]["low"] <= once["voxels"]["median"] <= once["voxels"]["high"]
    assert len(once["kept"]) == len(result.components)
    assert np.all(once["image"][np.sum(masks, axis=0) == 0] == 0)


def test_compare_gives_what_each_method_alone_gives(masks):
    told = crema.fuse(masks).compare(["dice", "average"])
    for row in told["methods"]:
        alone = crema.fuse(masks, method=row["method"])
        assert row["voxels"] == alone.to_dict()["voxels"]
        assert row[f"lmsd_{alone.to_dict()['distance']}"] == pytest.approx(alone.lmsd, abs=1e-12)
    assert len(told["pairs"]) == 1


def test_the_program_tells_the_same(masks, program, tmp_path):
    paths = []
    for k, mask in enumerate(masks):
        paths.append(tmp_path / f"r{k}.nii.gz")
        crema.write(paths[-1], mask)
    told = program("agreement", *paths, "--json", "-")
    found = crema.fuse(paths).agreement()
    for name in ("positive_agreement", "pairs", "outlier", "chance_corrected", "case"):
        assert found[name] == told[name], name
    assert found["consensuses"][0]["raters"] == told["consensuses"][0]["raters"]


@pytest.mark.parametrize(
    ("ask", "sentence"),
    [
        (lambda result: result.agreement(hd95="median"), "max, pooled or area"),
        (lambda result: result.leave_one_out("all"), "fixed or exact"),
        (lambda result: result.bootstrap(0), "replicate"),
        (lambda result: result.compare("shape"), "needs more than jaccard counted"),
        (lambda result: crema.fuse([np.ones((3, 3), np.uint8)]).leave_one_out(), "one rater"),
    ],
)
def test_what_cannot_be_told_is_said(masks, ask, sentence):
    with pytest.raises(ValueError, match=sentence):
        ask(crema.fuse(masks))


def test_a_copy_without_counts_says_so(masks):
    result = pickle.loads(pickle.dumps(crema.fuse(masks)))
    with pytest.raises(ValueError, match="fuse the masks again"):
        result.agreement()
