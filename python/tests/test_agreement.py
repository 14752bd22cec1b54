# SPDX-License-Identifier: Apache-2.0
"""What a result holds beyond its image: plain readings and the program's own records as oracle."""

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
    reply = crema.fuse(masks).agreement(surfaces=False)
    pairs = [(a, b) for a in range(5) for b in range(a + 1, 5)]
    assert len(reply["pairs"]) == len(pairs)
    for row, (a, b) in zip(reply["pairs"], pairs, strict=True):
        assert row["dice"] == pytest.approx(dice(masks[a] != 0, masks[b] != 0), abs=1e-12)
        assert row["hausdorff_mm"] is None and "hausdorff_mm" in row["undefined"]
    votes = np.sum([mask != 0 for mask in masks], axis=0)
    assert reply["positive_agreement"] == pytest.approx(np.sum(votes * (votes - 1)) / (4 * np.sum(votes)), abs=1e-12)


def test_a_consensus_stands_beside_each_rater(masks):
    result = crema.fuse(masks, method="majority")
    (one,) = result.agreement()["consensuses"]
    assert one["method"] == "majority"
    for row, mask in zip(one["raters"], masks, strict=True):
        assert row["dice"] == pytest.approx(dice(mask != 0, result.image != 0), abs=1e-12)
        assert row["hd95_voxels"] is not None


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
    reply = crema.fuse(masks).compare(["dice", "average"])
    for row in reply["methods"]:
        alone = crema.fuse(masks, method=row["method"])
        assert row["voxels"] == alone.to_dict()["voxels"]
        assert row[f"lmsd_{alone.to_dict()['distance']}"] == pytest.approx(alone.lmsd, abs=1e-12)
    assert len(reply["pairs"]) == 1


@pytest.fixture
def paths(masks, tmp_path):
    built = [tmp_path / f"r{k}.nii.gz" for k in range(len(masks))]
    for path, mask in zip(built, masks, strict=True):
        crema.write(path, mask, geometry=crema.Geometry((48, 48, 8), (0.9, 0.9, 3.0)))
    return built


def comparable(record):
    """Without what names the run, without seconds, and without the last digits: sums run over more rows or fewer."""
    times = ("read_s", "count_s", "solve_s", "write_s")
    if isinstance(record, dict):
        return {
            k: comparable(v) for k, v in record.items() if k not in ("command", "run", "inputs", "warnings", *times)
        }
    if isinstance(record, float):
        return float(f"{record:.12g}")
    return [comparable(one) for one in record] if isinstance(record, list) else record


@pytest.mark.parametrize(
    ("method", "requested", "words"),
    [
        ("jaccard", {}, []),
        ("jaccard", {"leave_one_out": "fixed"}, ["--leave-one-out", "fixed"]),
        ("tanimoto", {"leave_one_out": "exact"}, ["--leave-one-out", "exact"]),
        ("jaccard", {"bootstrap": 40, "seed": 9}, ["--bootstrap", "40", "--seed", "9"]),
        ("staple", {"bootstrap": 10}, ["--bootstrap", "10"]),
        ("dice", {"flip_weights": True, "hd95": "pooled"}, ["--flip-weights", "--hd95", "pooled"]),
        ("jaccard", {"surfaces": False, "surface_tolerance": 2.5}, ["--no-surfaces", "--surface-tolerance", "2.5"]),
        ("jaccard", {"roi": "box", "margin": 2}, ["--roi", "box", "--margin", "2"]),
    ],
    ids=str,
)
def test_the_program_tells_the_same(paths, program, method, requested, words):
    reply = program("agreement", *paths, "-m", method, *words, "--json", "-")
    found = crema.fuse(paths, method=method).agreement(**requested)
    assert comparable(found) == comparable(reply)


def test_confidence_is_the_same_by_its_own_methods(paths, program):
    reply = program(
        "agreement",
        *paths,
        "--leave-one-out",
        "exact",
        "--bootstrap",
        "30",
        "--seed",
        "4",
        "--no-surfaces",
        "--json",
        "-",
    )["consensuses"][0]
    result = crema.fuse(paths)
    assert result.leave_one_out("exact") == reply["leave_one_out"]["raters"]
    shaken = result.bootstrap(30, seed=4)
    assert {name: shaken[name] for name in reply["bootstrap"]} == reply["bootstrap"]
    assert shaken["kept"] == [component["bootstrap_kept"] for component in reply["component_table"]]


def test_the_program_compares_the_same(paths, program):
    reply = program("compare", *paths, "--json", "-")
    assert comparable(crema.fuse(paths).compare()) == comparable(reply)


def test_methods_may_be_compared_where_any_of_a_call_counted_enough(masks):
    both = crema.fuse(masks, method=["majority", "jaccard"])
    assert [row["method"] for row in both["majority"].compare(["jaccard"])["methods"]] == ["jaccard"]
    with pytest.raises(ValueError, match="jaccard needs more than majority counted"):
        crema.fuse(masks, method="majority").compare(["jaccard"])


@pytest.mark.parametrize(
    ("ask", "sentence"),
    [
        (lambda result: result.agreement(hd95="median"), "hd95=: median.*max, pooled, area"),
        (lambda result: result.agreement(surface_tolerance=-1), "surface_tolerance="),
        (lambda result: result.agreement(seed=3), "seed= requires bootstrap="),
        (lambda result: result.agreement(margin=3), 'margin= requires roi="box" or union'),
        (lambda result: result.leave_one_out("all"), "leave_one_out=: all.*fixed, exact"),
        (lambda result: result.bootstrap(0), "bootstrap=: 0"),
        (lambda result: result.compare("shape"), "shape uses neighbouring voxels"),
        (lambda result: crema.fuse([np.ones((3, 3), np.uint8)]).leave_one_out(), "at least two raters"),
    ],
)
def test_what_cannot_be_told_is_said(masks, ask, sentence):
    with pytest.raises(ValueError, match=sentence):
        ask(crema.fuse(masks))


def test_a_copy_without_counts_says_so(masks):
    result = pickle.loads(pickle.dumps(crema.fuse(masks)))
    with pytest.raises(ValueError, match="fuse the masks again"):
        result.agreement()
