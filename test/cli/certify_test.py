# SPDX-License-Identifier: Apache-2.0
"""How far a consensus is from the best one: `crema fuse --certify` and `crema certify`."""

import json

import nibabel
import numpy
import pytest
from conftest import AFFINE, blob
from plain import DISTANCES, HARD, SOFT, lmsd, random_raters
from refusal_test import refused


@pytest.fixture
def certify_file(crema):
    """The record of `crema certify`."""

    def run(*arguments):
        result = crema("certify", *arguments, "--json", "-")
        assert result.code == 0, result
        return json.loads(result.out)

    return run


def fuse(crema, *arguments):
    result = crema("fuse", *arguments, "--json", "-", "--force")
    assert result.code == 0, result
    return json.loads(result.out), result.err


def check_gaps(record):
    for entry in [{**record, "criterion": record["lmsd"]}, *record["component_table"]]:
        assert entry["gap"] >= 0
        assert entry["gap"] == pytest.approx(entry["criterion"] - entry["lower_bound"], abs=1e-12)
    bounds = [c["lower_bound"] for c in record["component_table"]]
    assert record["lower_bound"] == pytest.approx(sum(bounds), abs=1e-12)
    if record["lmsd"] > 0:
        assert record["relative_gap"] == pytest.approx(record["gap"] / record["lmsd"], abs=1e-15)
    assert record["proven"] == all(c["proven"] for c in record["component_table"])


@pytest.mark.parametrize("blocks", ["subcrown", "crown", "group"])
@pytest.mark.parametrize("distance", DISTANCES)
def test_both_commands_agree(crema, certify_file, save, distance, blocks):
    names, _ = random_raters(save, 21)
    fused, _ = fuse(crema, *names, "-o", "o.nii.gz", "-m", distance, "--certify", "--blocks", blocks)
    certified = certify_file("o.nii.gz", *names, "--distance", distance)
    check_gaps(fused)
    check_gaps(certified)
    # Soft levels are rounded to float32 on the way through the file.
    precision = 1e-12 if distance in HARD else 1e-6
    assert certified["lmsd"] == pytest.approx(fused["lmsd"], abs=precision)
    assert certified["lower_bound"] == pytest.approx(fused["lower_bound"], abs=precision)
    assert certified["voxels"] == fused["voxels"] and certified["outside"] == 0
    assert certified["components"] == fused["components"] == len(certified["component_table"])


@pytest.mark.parametrize("distance", DISTANCES)
def test_the_lmsd_of_any_map_is_what_numpy_says(certify_file, save, distance):
    names, masks = random_raters(save, 22)
    random = numpy.random.default_rng(23)
    levels = random.random(masks[0].shape).astype(numpy.float32)
    if distance in HARD:
        levels = (levels > 0.5).astype(numpy.uint8)
    save("map.nii.gz", levels)
    got = certify_file("map.nii.gz", *names, "--distance", distance)
    check_gaps(got)
    assert got["lmsd"] == pytest.approx(lmsd(levels, masks, distance), abs=1e-12)
    union = numpy.any(masks, axis=0)
    assert got["outside"] == int((levels[~union] > 0).sum())
    assert got["voxels"] == int((levels > 0.5).sum())
    assert any("outside all raters' masks" in note for note in got["warnings"])
    assert got["distance"] == distance and got["proven"]
    assert [rater["voxels"] for rater in got["raters"]] == [int(mask.sum()) for mask in masks]


@pytest.mark.parametrize("distance", DISTANCES)
def test_no_map_is_below_the_bound(crema, certify_file, save, distance):
    names, masks = random_raters(save, 24)
    best, _ = fuse(crema, *names, "-o", "o.nii.gz", "-m", distance, "--blocks", "group")
    bound = best["lower_bound"]
    union = numpy.any(masks, axis=0)
    random = numpy.random.default_rng(25)
    mean = numpy.mean(masks, axis=0)
    for _ in range(300):
        levels = numpy.clip(mean + random.normal(0, 0.3) + random.normal(0, 0.2, mean.shape), 0, 1) * union
        if distance in HARD:
            levels = levels > 0.5
        assert lmsd(levels, masks, distance) >= bound - 1e-12
    assert best["lmsd"] <= bound * (1 + 1e-5) + 1e-12


def test_one_option_cuts_the_candidate_and_another_the_raters(crema, certify_file, save, tmp_path):
    """What a map of levels is told to do works when it is done."""
    names, masks = random_raters(save, 28)
    assert crema("fuse", *names, "-m", "staple", "-o", "staple.nii.gz").code == 0
    refused = crema("certify", "staple.nii.gz", *names, "--distance", "jaccard")
    assert refused.code == 3 and "use --consensus-threshold 0.5" in refused.err, refused
    got = certify_file("staple.nii.gz", *names, "--distance", "jaccard", "--consensus-threshold", "0.5")
    levels = nibabel.load(tmp_path / "staple.nii.gz").get_fdata()
    assert got["lmsd"] == pytest.approx(lmsd((levels > 0.5).astype(numpy.uint8), masks, "jaccard"), abs=1e-12)
    assert got["consensus_threshold"] == 0.5
    assert certify_file("staple.nii.gz", *names, "--consensus-threshold", "0.5")["distance"] == "jaccard"


def test_the_summary_tells_in_one_line_how_good_the_heuristic_was(crema, save):
    names, _ = random_raters(save, 26)
    record, err = fuse(crema, *names, "-o", "o.nii.gz", "--certify")
    lines = [line for line in err.splitlines() if "best possible" in line]
    assert len(lines) == 1 and lines[0].startswith("jaccard"), err
    count = record["components"]
    assert f"LMSD {record['lmsd']:.6f} is" in lines[0] and f"lower bound {record['lower_bound']:.6f}" in lines[0]
    assert f"bound proven for {count} of {count} components" in lines[0]


def test_groups_come_with_their_proof(crema, save):
    names, _ = random_raters(save, 27)
    record, err = fuse(crema, *names, "-o", "o.nii.gz", "--blocks", "group")
    assert "best possible" in err and record["proven"] and record["relative_gap"] < 1e-6


def test_without_being_asked_nothing_is_certified(crema, raters):
    record, err = fuse(crema, *raters, "-o", "o.nii.gz")
    assert "lower_bound" not in record and "best possible" not in err


def test_of_all_methods_those_with_a_criterion_are_certified(crema, raters, tmp_path):
    result = crema("fuse", *raters, "-o", "results", "-m", "all", "--certify")
    assert result.code == 0, result
    assert "--certify does not apply to majority, average, staple" in result.err and "crema certify" in result.err, (
        result
    )
    results = json.loads((tmp_path / "results/record.json").read_text())["results"]
    assert {r["method"] for r in results if "lower_bound" in r} == set(DISTANCES)


@pytest.mark.parametrize("distance", HARD)
def test_a_majority_is_judged_in_a_distance_of_choice(crema, certify_file, save, tmp_path, distance):
    names, masks = random_raters(save, 28)
    refused(crema("fuse", *names, "-o", "m.nii.gz", "-m", "majority", "--certify"), 2, "majority", "crema certify")
    assert not (tmp_path / "m.nii.gz").exists()
    assert crema("fuse", *names, "-o", "m.nii.gz", "-m", "majority").code == 0
    got = certify_file("m.nii.gz", *names, "--distance", distance)
    assert got["lmsd"] == pytest.approx(lmsd(numpy.mean(masks, axis=0) > 0.5, masks, distance), abs=1e-12)


def test_a_budget_of_one_node_is_owned_up_to(crema, certify_file, save):
    names, _ = random_raters(save, 29, count=7)
    record, err = fuse(crema, *names, "-o", "o.nii.gz", "--certify", "--budget", "1")
    assert not record["proven"] and "not proven for" in err and "within the budget" in err
    generous, _ = fuse(crema, *names, "-o", "o.nii.gz", "--certify")
    assert generous["proven"] and record["lower_bound"] <= generous["lmsd"]
    result = crema("certify", "o.nii.gz", *names, "--budget", "1")
    assert result.code == 0 and "not proven for" in result.out, result


def test_a_budget_of_seconds_is_taken(crema, save):
    names, _ = random_raters(save, 29)
    record, _ = fuse(crema, *names, "-o", "o.nii.gz", "--certify", "--budget-seconds", "30")
    assert record["proven"]


@pytest.mark.parametrize("distance", ["jaccard", "soergel"])
def test_weights_count_in_the_judgement(certify_file, save, distance):
    names, masks = random_raters(save, 30)
    weights = [1, 0, 2, 0.5]
    save("m.nii.gz", masks[0])
    got = certify_file("m.nii.gz", *names, "--distance", distance, "--weights", "1,0,2,0.5")
    assert got["weights"] == weights
    assert got["lmsd"] == pytest.approx(lmsd(masks[0], masks, distance, weights), abs=1e-12)
    check_gaps(got)


def test_slices_are_judged_one_by_one(crema, certify_file, save):
    names, _ = random_raters(save, 31)
    fused, _ = fuse(crema, *names, "-o", "o.nii.gz", "--slice-wise", "z", "--connectivity", "4", "--certify")
    certified = certify_file("o.nii.gz", *names, "--slice-wise", "z", "--connectivity", "4")
    assert (certified["slice_wise"], certified["connectivity"]) == ("z", 4)
    assert certified["lmsd"] == pytest.approx(fused["lmsd"], abs=1e-12)
    assert certified["components"] == fused["components"]


def test_threads_do_not_show(certify_file, save):
    names, masks = random_raters(save, 32)
    save("m.nii.gz", masks[1])
    records = []
    for threads in ("1", "3"):
        got = certify_file("m.nii.gz", *names, "--threads", threads)
        records.append({k: v for k, v in got.items() if k not in ("run", "command")})
    assert records[0] == records[1]


def test_what_people_read(crema, raters, tmp_path):
    result = crema("certify", raters[0], *raters, "--json", "j.json")
    assert result.code == 0, result
    for part in ("consensus", "raters", "grid", "distance", "jaccard", "LMSD", "lower bound", "gap", "proven"):
        assert part in result.out, part
    got = json.loads((tmp_path / "j.json").read_text())
    assert f"{got['lmsd']:.6f}" in result.out
    assert got["consensus"] == raters[0] and [r["file"] for r in got["raters"]] == raters
    assert got["weights"] is None and got["grid"]["size"] == [12, 10, 6]


def test_a_record_that_exists_is_kept(crema, raters, tmp_path):
    (tmp_path / "j.json").write_text("mine")
    refused(crema("certify", raters[0], *raters, "--json", "j.json"), 2, "j.json", "--force")
    assert (tmp_path / "j.json").read_text() == "mine"
    assert crema("certify", raters[0], *raters, "--json", "j.json", "--force").code == 0
    refused(crema("certify", raters[0], *raters[1:], "--json", raters[0], "--force"), 2, raters[0], "input")


def test_threshold_and_label_are_for_the_raters(certify_file, save):
    names = [save(f"p{k}.nii.gz", blob(k).astype(numpy.float32) * 0.8) for k in range(3)]
    save("m.nii.gz", blob(1))
    got = certify_file("m.nii.gz", *names, "--threshold", "0.5")
    assert got["lmsd"] == pytest.approx(lmsd(blob(1), [blob(k) for k in range(3)], "jaccard"), abs=1e-12)


def test_a_label_is_that_of_the_consensus_too_where_it_has_several(crema, certify_file, save):
    """Cut by a threshold, other labels would pass for it."""
    maps = [save(f"m{k}.nii.gz", blob(k) + blob(0)) for k in range(3)]
    save("labels.nii.gz", blob(1) + blob(0))
    save("mask.nii.gz", ((blob(1) + blob(0)) == 2).astype(numpy.uint8))
    for label, consensus in (("2", "mask.nii.gz"), ("2", "labels.nii.gz")):
        got = certify_file(consensus, *maps, "--label", label)
        assert got["lmsd"] == pytest.approx(lmsd(blob(1) & blob(0), [blob(k) & blob(0) for k in range(3)], "jaccard"))
    options = ("--label", "2", "--json", "-", "--no-provenance", "--consensus")
    mask, labels = (crema("agreement", *maps, *options, f"{name}.nii.gz") for name in ("mask", "labels"))
    assert mask.code == labels.code == 0
    assert mask.out.replace("mask.nii.gz", "labels.nii.gz") == labels.out


@pytest.mark.parametrize("distance", ["jaccard", "tanimoto"])
def test_a_consensus_with_flipped_axes_is_put_right(certify_file, save, distance):
    names, masks = random_raters(save, 33)
    flip = AFFINE.copy()
    flip[0, 0], flip[0, 3] = -1.0, masks[0].shape[0] - 1.0
    levels = masks[2] * (numpy.float32(1) if distance == "jaccard" else numpy.float32(0.5))
    save("f.nii.gz", numpy.ascontiguousarray(levels[::-1]), flip)
    got = certify_file("f.nii.gz", *names, "--distance", distance)
    assert got["lmsd"] == pytest.approx(lmsd(levels, masks, distance), abs=1e-12)
    assert any("reoriented" in note for note in got["warnings"])


# refusals


def test_another_grid_is_refused(crema, raters, save):
    save("big.nii.gz", numpy.ones((12, 10, 7), numpy.uint8))
    refused(crema("certify", "big.nii.gz", *raters), 3, "big.nii.gz", "12×10×7", "12×10×6")
    moved = AFFINE.copy()
    moved[0, 3] = 90.4
    save("far.nii.gz", blob(0), moved)
    refused(crema("certify", "far.nii.gz", *raters), 3, "far.nii.gz", "rater-1.nii.gz")


@pytest.mark.parametrize("distance", HARD)
def test_levels_are_no_mask(crema, raters, save, distance):
    save("soft.nii.gz", blob(0) * numpy.float32(0.7) + blob(1) * numpy.float32(0.2))
    refused(crema("certify", "soft.nii.gz", *raters, "--distance", distance), 3, "soft.nii.gz")


@pytest.mark.parametrize("distance", SOFT)
@pytest.mark.parametrize("value", [255, -0.5, float("nan"), float("inf")])
def test_values_that_are_no_levels(crema, raters, save, distance, value):
    levels = blob(0).astype(numpy.float32)
    levels[3, 3, 3] = value
    save("odd.nii.gz", levels)
    refused(crema("certify", "odd.nii.gz", *raters, "--distance", distance), 3, "odd.nii.gz")


@pytest.mark.parametrize(
    "arguments, part",
    [
        (["--distance", "hausdorff"], "hausdorff"),
        (["--weights", "1,2"], "2 weights are given for 3 raters"),
        (["--weights", "auto"], "auto"),
        (["--budget", "0"], "--budget"),
        (["--connectivity", "4"], "4"),
    ],
)
def test_options_that_make_no_sense(crema, raters, arguments, part):
    result = crema("certify", raters[0], *raters, *arguments)
    assert result.code in (2, 3) and part in result.err and "bug" not in result.err, result


def test_a_consensus_needs_raters(crema, raters):
    refused(crema("certify", raters[0]), 2, "RATER")
    refused(crema("certify"), 2, "CONSENSUS")
    refused(crema("certify", "none.nii.gz", *raters), 3, "none.nii.gz")


def test_a_mask_half_of_which_no_rater_drew_is_not_called_the_best(crema, save, certify_file):
    mask = blob(0)
    names = [save(f"r{k}.nii.gz", mask) for k in range(3)]
    wide = mask.copy()
    wide[8:12, 2:8, 1:5] = 1
    got = certify_file(save("wide.nii.gz", wide), *names)
    assert got["outside"] > 0 and got["gap"] == 0 and got["optimal"] is False
    assert certify_file(names[0], *names)["optimal"] is True
    reply = " ".join(crema("certify", "wide.nii.gz", *names).out.split())
    assert f"{got['outside']} voxels outside every rater not counted; inside the best possible" in reply


def test_a_consensus_of_one_voxel_has_one_voxel(crema, save):
    one = numpy.zeros_like(blob(0))
    one[3, 3, 3] = 1
    done = crema("certify", save("one.nii.gz", one), save("a.nii.gz", blob(0)), save("b.nii.gz", blob(1)))
    assert "one.nii.gz (1 voxel)" in done.out, done
