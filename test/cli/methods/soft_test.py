# SPDX-License-Identifier: Apache-2.0
"""Soft methods, blocks, weights and the options that go with them."""

import json

import nibabel
import numpy
import pytest
from conftest import blob
from plain import DISTANCES, HARD, SOFT, lmsd, random_raters, voxels
from refusal_test import fuse, refused  # noqa: F401, fixtures

METHODS = [*HARD, "majority", *SOFT, "average"]


def record(crema, *arguments):
    result = crema("fuse", *arguments, "--json", "-", "--force")
    assert result.code == 0, result
    return json.loads(result.out)


@pytest.mark.parametrize("method", [*SOFT, "average"])
def test_soft_methods_write_float32_levels_from_0_to_1(crema, save, tmp_path, method):
    names, masks = random_raters(save, 1)
    assert crema("fuse", *names, "-o", "s.nii.gz", "-m", method).code == 0
    image = nibabel.load(tmp_path / "s.nii.gz")
    levels = voxels(tmp_path / "s.nii.gz")
    assert image.get_data_dtype() == numpy.float32
    assert levels.min() >= 0 and levels.max() <= 1 and levels.max() > 0
    assert not levels[~numpy.any(masks, axis=0)].any()


@pytest.mark.parametrize("blocks", ["subcrown", "group"])
@pytest.mark.parametrize("distance", DISTANCES)
def test_the_lmsd_is_what_numpy_makes_of_the_image(crema, save, tmp_path, distance, blocks):
    names, masks = random_raters(save, 2)
    got = record(crema, *names, "-o", "o.nii.gz", "-m", distance, "--blocks", blocks)
    # Levels are written as float32, which moves the criterion in its last digits.
    precision = 1e-12 if distance in HARD else 1e-7
    assert got["lmsd"] == pytest.approx(lmsd(voxels(tmp_path / "o.nii.gz"), masks, distance), abs=precision)
    assert got["blocks"] == blocks and got["weights"] is None
    # Its criterion never gains by an empty component: the setting is refused and not recorded.
    assert got.get("empty_test") is (None if distance.startswith("hamming") else True)


@pytest.mark.parametrize("level", ["0", "0.3", "0.5", "0.75"])
def test_a_thresholded_output_is_the_soft_file_cut(crema, save, tmp_path, level):
    names, _ = random_raters(save, 3)
    refused = crema("fuse", *names, "-o", "cut.nii.gz", "-m", "dice", "--threshold-output", level)
    assert refused.code == 2 and "applies to soft methods only, not to dice" in refused.err, refused
    result = crema("fuse", *names, "-o", "hard", "-m", "all", "--threshold-output", level)
    assert result.code == 0 and f"levels above {level} as a mask" in result.err, result
    assert crema("fuse", *names, "-o", "soft", "-m", "all").code == 0
    for entry in json.loads((tmp_path / "hard/record.json").read_text())["results"]:
        name = f"{entry['method']}.nii.gz"
        cut = nibabel.load(tmp_path / "hard" / name)
        assert cut.get_data_dtype() == numpy.uint8, name
        if entry["kind"] == "hard":
            assert "threshold_output" not in entry
            assert (tmp_path / "hard" / name).read_bytes() == (tmp_path / "soft" / name).read_bytes()
        else:
            assert entry["threshold_output"] == float(level)
            soft = voxels(tmp_path / "soft" / name).astype(numpy.float64)
            assert (voxels(tmp_path / "hard" / name) == (soft > float(level))).all(), name


@pytest.mark.parametrize("level", ["1", "-0.1", "nan", "half"])
def test_a_level_that_cuts_nothing_is_refused(fuse, raters, level):
    refused(fuse(*raters, "-o", "o.nii.gz", "-m", "average", "--threshold-output", level), 2, "--threshold-output")


@pytest.mark.parametrize("seed", [4, 5, 6])
def test_no_blocks_are_better_than_groups(crema, save, seed):
    names, _ = random_raters(save, seed)
    found = {}
    for blocks in ("subcrown", "crown", "voxel", "group"):
        for method in DISTANCES:
            got = record(crema, *names, "-o", "o.nii.gz", "-m", method, "--blocks", blocks)
            found[blocks, method] = got["lmsd"]
    for method in DISTANCES:
        for blocks in ("subcrown", "crown", "voxel"):
            assert found["group", method] <= found[blocks, method] * (1 + 1e-9), (blocks, method)
    assert found["group", "soergel"] <= found["group", "jaccard"] * (1 + 1e-9)
    assert found["group", "dice1"] <= found["group", "dice"] * (1 + 1e-9)


def test_subcrowns_are_no_worse_than_the_starts(crema, save):
    names, masks = random_raters(save, 7)
    mean = numpy.mean(masks, axis=0)
    for method in SOFT:
        got = record(crema, *names, "-o", "o.nii.gz", "-m", method)["lmsd"]
        assert got <= lmsd(mean, masks, method) + 1e-9
    for method in DISTANCES:
        got = record(crema, *names, "-o", "o.nii.gz", "-m", method)["lmsd"]
        assert got <= lmsd(numpy.any(masks, axis=0), masks, method) + 1e-9
        assert got <= lmsd(numpy.zeros_like(mean), masks, method) + 1e-9


def test_single_voxels_are_decided_on_the_cord(crema):
    assert crema("demo", "-o", "cord", "--kind", "cord").code == 0
    names = [f"cord/rater-{k}.nii.gz" for k in range(1, 5)]
    for method in ("jaccard", "tanimoto"):
        voxel = record(crema, *names, "-o", "v.nii.gz", "-m", method, "--blocks", "voxel")
        group = record(crema, *names, "-o", "v.nii.gz", "-m", method, "--blocks", "group")
        assert voxel["blocks"] == "voxel" and group["lmsd"] <= voxel["lmsd"] * (1 + 1e-9)


# A vote needs no such test: it never keeps what fewer than half of the raters drew.
@pytest.mark.parametrize("method", [name for name in DISTANCES if not name.startswith("hamming")])
def test_the_empty_test_can_be_left_out(crema, save, method):
    # Two of five raters drew the lesion, not quite alike: the empty set is better, but no single step leads there.
    names = [save(f"m{k}.nii.gz", blob(k) * (k < 2)) for k in range(5)]
    dropped = record(crema, *names, "-o", "a.nii.gz", "-m", method)
    kept = record(crema, *names, "-o", "b.nii.gz", "-m", method, "--no-empty-test")
    assert (dropped["empty_test"], kept["empty_test"]) == (True, False)
    assert (dropped["soft_volume"], dropped["component_table"][0]["kept"]) == (0, False)
    assert kept["soft_volume"] > 0 and kept["component_table"][0]["kept"]
    assert kept["lmsd"] > dropped["lmsd"] == pytest.approx(0.4)


# weights


def test_equal_weights_are_no_weights(crema, save, tmp_path):
    names, _ = random_raters(save, 8)
    assert crema("fuse", *names, "-o", "none", "-m", "all").code == 0
    assert crema("fuse", *names, "-o", "equal", "-m", "all", "--weights", "2,2,2,2").code == 0
    for method in METHODS:
        name = f"{method}.nii.gz"
        assert (tmp_path / "none" / name).read_bytes() == (tmp_path / "equal" / name).read_bytes(), method


@pytest.mark.parametrize("distance", DISTANCES)
def test_weights_enter_the_lmsd_as_numpy_would_have_them(crema, save, tmp_path, distance):
    names, masks = random_raters(save, 9)
    got = record(crema, *names, "-o", "o.nii.gz", "-m", distance, "--weights", "1,0.5,3,0")
    assert got["weights"] == [1, 0.5, 3, 0]
    precision = 1e-12 if distance in HARD else 1e-7
    plain = lmsd(voxels(tmp_path / "o.nii.gz"), masks, distance, [1, 0.5, 3, 0])
    assert got["lmsd"] == pytest.approx(plain, abs=precision)


@pytest.mark.parametrize("method", METHODS)
def test_a_weight_of_zero_leaves_a_rater_out(crema, save, tmp_path, method):
    # The last rater drew what the first one did: the union and the distances stay as they are.
    names = [save(f"w{k}.nii.gz", blob(shift)) for k, shift in enumerate((0, 1, 2, 0))]
    best = ["-m", method, *(["--blocks", "group"] if method in DISTANCES else [])]
    with_zero = record(crema, *names, "-o", "a.nii.gz", *best, "--weights", "1,1,1,0")
    without = record(crema, *names[:3], "-o", "b.nii.gz", *best)
    assert with_zero["lmsd"] == pytest.approx(without["lmsd"], rel=1e-6)
    assert with_zero["soft_volume"] == pytest.approx(without["soft_volume"], rel=1e-3)


@pytest.mark.parametrize(
    "weights, reason",
    [
        ("1,1", "2 weights are given for 3 raters"),
        ("1,1,1,1", "4 weights are given for 3 raters"),
        ("1,1,-1", "-1 is not a valid weight"),
        ("1,1,nan", "nan is not a number"),
        ("1,inf,1", "inf is not a number"),
        ("0,0,0", "all weights are 0"),
        ("1,two,1", "two is not a number"),
        ("1;1;1", "is not a number"),
        ("Auto", "Auto is not a number"),
        ("", "needs a value"),
        ("1,,1", "a weight is missing"),
    ],
)
def test_weights_that_make_no_sense(fuse, raters, weights, reason):
    refused(fuse(*raters, "-o", "o.nii.gz", f"--weights={weights}"), 2, "--weights", reason)


def test_a_wrong_number_of_weights_is_refused_before_voxels_are_read(fuse, raters, tmp_path):
    # A file may hold several raters, so that headers have to be read first.
    damaged = bytearray((tmp_path / raters[0]).read_bytes())
    damaged[-5] ^= 0x10
    (tmp_path / "damaged.nii.gz").write_bytes(damaged)
    refused(fuse("damaged.nii.gz", "-o", "o.nii.gz", "--weights", "1,2"), 2, "2 weights are given for 1 rater;")


def test_weights_are_read_the_same_in_every_locale(crema, raters):
    got = crema(
        "fuse", *raters, "-o", "o.nii.gz", "--weights", "1,0.5,0.25", "--json", "-", env={"LC_ALL": "de_DE.UTF-8"}
    )
    assert json.loads(got.out)["weights"] == [1, 0.5, 0.25]


@pytest.mark.parametrize("method", METHODS)
def test_weights_found_by_themselves_agree_with_their_consensus(crema, save, tmp_path, method):
    names, masks = random_raters(save, 10)
    result = crema("fuse", *names, "-o", "o.nii.gz", "-m", method, "--weights", "auto", "--json", "r.json")
    assert result.code == 0 and "weights" in result.err and "round" in result.err, result
    got = json.loads((tmp_path / "r.json").read_text())
    search = got["weight_search"]
    assert search["rounds"] >= 1 and len(got["weights"]) == 4 and max(got["weights"]) == 1
    if not search["converged"]:
        assert any("did not settle" in note for note in got["warnings"])
        return
    assert f"settled after {search['rounds']} round" in result.err, result
    # The F1 score of every rater against the consensus, scaled to the best of them.
    levels = voxels(tmp_path / "o.nii.gz").astype(numpy.float64)
    scores = numpy.array([2 * levels[m != 0].sum() / (levels.sum() + (m != 0).sum()) for m in masks])
    assert got["weights"] == pytest.approx(list(scores / scores.max()), abs=1e-5)


def test_an_empty_consensus_says_nothing_about_weights(crema, save):
    names = [save(f"e{k}.nii.gz", blob(0) * (k == 0)) for k in range(3)]
    got = record(crema, *names, "-o", "o.nii.gz", "--weights", "auto")
    assert got["voxels"] == 0 and len(got["weights"]) == 3
    assert got["weight_search"]["converged"] or any("weights" in note for note in got["warnings"])


# options that need a criterion


@pytest.mark.parametrize("option", [["--blocks", "crown"], ["--no-empty-test"], ["--certify"]])
def test_a_vote_has_no_criterion(fuse, raters, option):
    refused(fuse(*raters, "-o", "o.nii.gz", "-m", "majority", *option), 2, option[0], "majority", "jaccard")
    refused(fuse(*raters, "-o", "o", "-m", "majority,average", *option), 2, option[0], "majority or average")


@pytest.mark.parametrize("option", [["--budget", "5"], ["--budget-seconds", "1"]])
def test_a_budget_needs_something_to_prove(fuse, raters, option):
    refused(fuse(*raters, "-o", "o.nii.gz", *option), 2, option[0], "--certify")


@pytest.mark.parametrize(
    "option",
    [
        ["--budget", "0"],
        ["--budget", "many"],
        ["--budget-seconds", "0"],
        ["--budget-seconds", "-1"],
        ["--budget-seconds", "nan"],
        ["--blocks", "groups"],
    ],
)
def test_values_that_make_no_sense(fuse, raters, option):
    refused(fuse(*raters, "-o", "o.nii.gz", "--certify", *option), 2, option[0], option[1])


def test_sizes_of_the_mask_and_of_the_levels_share_no_line(crema, raters):
    for method in ("staple", "average"):
        result = crema("fuse", *raters, "-m", method)
        (reply,) = [line.strip() for line in result.err.splitlines() if "soft volume" in line]
        assert reply.startswith("soft volume"), result
