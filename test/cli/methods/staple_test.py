# SPDX-License-Identifier: Apache-2.0
"""STAPLE and its relatives: what they compute, on which voxels, and what the record tells of it."""

import json

import numpy
import pytest
from conftest import AFFINE
from plain import random_raters, voxels
from staple_plain import PATTERNS, estimate, levels_by_pattern, ml_staple, pattern_masks

ESTIMATES = ["staple", "accuracy", "shared"]
GROUP_METHODS = [*ESTIMATES, "ml-staple", "simple"]


@pytest.fixture
def fused(crema, tmp_path):
    """The record and the image of one method."""

    def run(names, method, *options):
        result = crema("fuse", *names, "-o", "o.nii.gz", "-m", method, *options, "--json", "-", "--force")
        assert result.code == 0, result
        return json.loads(result.out), voxels(tmp_path / "o.nii.gz")

    return run


@pytest.fixture
def known(save):
    """Files and masks of the case whose numbers are known."""
    masks = pattern_masks()
    return [save(f"k{k}.nii.gz", mask) for k, mask in enumerate(masks)], masks


def noisy_raters(save, seed, flat):
    """An ellipsoid with errors at its edge and a few voxels anywhere, so that nobody is without fault."""
    random = numpy.random.default_rng(seed)
    size = (19, 17, 1) if flat else (11, 9, 7)
    grid = numpy.indices(size)
    masks = []
    for _ in range(int(random.integers(3, 7))):
        centre = numpy.array(size) / 2 + random.normal(0, 0.5, 3)
        radius = numpy.maximum(numpy.array(size) / 3 + random.normal(0, 0.4, 3), 1)
        far = sum(((grid[a] - centre[a]) / radius[a]) ** 2 for a in range(3))
        mask = (far + random.normal(0, 0.15, size) < 1) ^ (random.random(size) < 0.03)
        masks.append(mask.astype(numpy.uint8))
    return [save(f"n{k}.nii.gz", mask) for k, mask in enumerate(masks)], masks


def flat_votes(masks, region=None):
    chosen = numpy.ones(masks[0].shape, bool) if region is None else region
    return numpy.array([mask[chosen] for mask in masks])


def mean_prior(votes):
    return votes.mean()


def box_of(masks, margin=0):
    union = numpy.any(masks, axis=0)
    region = numpy.zeros(union.shape, bool)
    places = numpy.argwhere(union)
    low, high = numpy.maximum(places.min(axis=0) - margin, 0), places.max(axis=0) + 1 + margin
    region[tuple(slice(a, b) for a, b in zip(low, high))] = True
    return region


def grown_union(masks, margin):
    union = numpy.any(masks, axis=0)
    region = numpy.zeros(union.shape, bool)
    for place in numpy.argwhere(union):
        region[tuple(slice(max(p - margin, 0), p + margin + 1) for p in place)] = True
    return region


def same_as_plain(record, image, masks, method, prior, region=None):
    votes = flat_votes(masks, region)
    levels, p, q, _, likelihood = estimate(votes, prior, method)
    expected = numpy.zeros(masks[0].shape)
    expected[numpy.ones_like(image, bool) if region is None else region] = levels
    assert numpy.abs(image - expected).max() < 1e-6
    assert record["sensitivity"] == pytest.approx(list(p), abs=1e-6)
    assert record["specificity"] == pytest.approx(list(q), abs=1e-6)
    assert record["log_likelihood"] == pytest.approx(likelihood, rel=1e-9)
    assert record["prior"] == pytest.approx(prior, rel=1e-12)
    assert record["voxels"] == int((image > 0.5).sum())
    assert record["soft_volume"] == pytest.approx(expected.sum(), rel=1e-6)


# against a plain reading of the formulas


@pytest.mark.parametrize("flat", [True, False], ids=["2-D", "3-D"])
@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("method", ESTIMATES)
def test_random_cases_agree_with_numpy(fused, save, method, seed, flat):
    names, masks = noisy_raters(save, seed, flat)
    record, image = fused(names, method)
    assert record["converged"] and image.dtype == numpy.float32
    same_as_plain(record, image, masks, method, mean_prior(flat_votes(masks)))


@pytest.mark.parametrize("flat", [True, False], ids=["2-D", "3-D"])
@pytest.mark.parametrize("seed", range(5))
def test_random_masks_of_greatest_likelihood_agree_with_numpy(fused, save, seed, flat):
    names, masks = noisy_raters(save, seed, flat)
    record, image = fused(names, "ml-staple")
    mask, p, q, converged = ml_staple(flat_votes(masks))
    assert (image.ravel() == mask).all() and image.dtype == numpy.uint8
    assert record["converged"] == converged and record["prior"] is None
    assert record["sensitivity"] == pytest.approx(list(p), abs=1e-12)
    assert record["specificity"] == pytest.approx(list(q), abs=1e-12)


@pytest.mark.parametrize(
    "text, prior",
    [
        ("mean", None),
        ("0.5", 0.5),
        ("0.03", 0.03),
        ("40/N^1", 40 / 693),
        ("40/N", 40 / 693),
        ("9000/N^2", 9000 / 693**2),
        ("0.4/N^0", 0.4),
    ],
)
@pytest.mark.parametrize("method", ESTIMATES)
def test_every_form_of_a_prior(fused, save, method, text, prior):
    names, masks = noisy_raters(save, 11, False)
    record, image = fused(names, method, "--prior", text)
    same_as_plain(record, image, masks, method, prior or mean_prior(flat_votes(masks)))


@pytest.mark.parametrize("method", ESTIMATES)
@pytest.mark.parametrize(
    "kind, margin", [("full", 0), ("box", 0), ("box", 2), ("union", 0), ("union", 1), ("union", 3)]
)
def test_every_region(fused, save, method, kind, margin):
    names, masks = random_raters(save, 41, size=(22, 20, 12))
    region = {
        "full": numpy.ones(masks[0].shape, bool),
        "box": box_of(masks, margin),
        "union": grown_union(masks, margin),
    }[kind]
    options = ["--roi", kind] + (["--margin", str(margin)] if margin else [])
    record, image = fused(names, method, *options)
    assert record["region"] == {"kind": kind, "margin": margin, "voxels": int(region.sum()), "disputed_only": False}
    same_as_plain(record, image, masks, method, mean_prior(flat_votes(masks, region)), region)
    assert not image[~region].any()


def test_a_mask_file_as_region(fused, save):
    names, masks = random_raters(save, 42)
    region = numpy.zeros(masks[0].shape, bool)
    region[1:11, 1:9, :] = True
    save("here.nii.gz", region.astype(numpy.uint8))
    record, image = fused(names, "staple", "--roi", "here.nii.gz", "--prior", "0.5")
    assert record["region"]["kind"] == "mask" and record["region"]["voxels"] == int(region.sum())
    same_as_plain(record, image, masks, "staple", 0.5, region)
    lost = int(numpy.any(masks, axis=0)[~region].sum())
    assert any(f"{lost} voxels marked by raters lie outside the region" in note for note in record["warnings"])


def test_a_region_with_flipped_axes_is_put_right(fused, save):
    names, masks = random_raters(save, 43)
    region = box_of(masks)
    flip = AFFINE.copy()
    flip[0, 0], flip[0, 3] = -1.0, region.shape[0] - 1.0
    save("flip.nii.gz", numpy.ascontiguousarray(region[::-1].astype(numpy.uint8)), flip)
    record, image = fused(names, "staple", "--roi", "flip.nii.gz")
    same_as_plain(record, image, masks, "staple", mean_prior(flat_votes(masks, region)), region)
    assert any("reoriented" in note for note in record["warnings"])


def test_a_mask_of_greatest_likelihood_in_a_box(fused, save):
    names, masks = random_raters(save, 44, size=(22, 20, 12))
    region = box_of(masks, 1)
    _, image = fused(names, "ml-staple", "--roi", "box", "--margin", "1")
    assert (image[region] == ml_staple(flat_votes(masks, region))[0]).all() and not image[~region].any()


def test_the_background_counts(fused, save):
    names, _ = random_raters(save, 45, size=(22, 20, 12))
    sizes = [fused(names, "staple", "--roi", r, "--prior", "0.5")[0]["soft_volume"] for r in ("full", "box")]
    assert abs(sizes[0] - sizes[1]) > 1


# the record


@pytest.mark.parametrize("method", GROUP_METHODS)
def test_the_record_tells_how_raters_do(fused, known, method):
    record, _ = fused(known[0], method)
    assert len(record["sensitivity"]) == len(record["specificity"]) == 3
    for k, rater in enumerate(record["raters"]):
        assert rater["sensitivity"] == record["sensitivity"][k]
        assert rater["specificity"] == record["specificity"][k]
        assert ("score" in rater) == ("dropped" in rater) == (method == "simple")
    assert record["converged"] is True and record["iterations"] >= 1
    assert (record["prior"] is None) == (method in ("ml-staple", "simple"))
    assert record["region"]["voxels"] == 1000 and 0 <= record["background_level"] < 0.5


def test_methods_that_estimate_nothing_have_no_such_fields(fused, known):
    record, _ = fused(known[0], "jaccard")
    assert not {"sensitivity", "specificity", "iterations", "prior", "region"} & set(record)
    assert not {"sensitivity", "score"} & set(record["raters"][0])


def test_people_are_told_how_raters_do(crema, known):
    result = crema("fuse", *known[0], "-o", "o.nii.gz", "-m", "staple")
    for part in (
        "sensitivity  0.8923  0.9112  0.8740",
        "specificity",
        "prior 0.271667",
        "region full",
        "converged after 20 iterations",
    ):
        assert part in result.err, result


def test_a_looser_tolerance_stops_sooner(fused, known):
    strict, _ = fused(known[0], "staple")
    loose, _ = fused(known[0], "staple", "--tolerance", "0.01")
    assert loose["converged"] and loose["iterations"] < strict["iterations"]
    votes = flat_votes(known[1])
    assert loose["iterations"] == estimate(votes, votes.mean(), tolerance=0.01)[3]


@pytest.mark.parametrize("method", ESTIMATES)
def test_no_convergence_is_said_and_the_result_given(crema, known, tmp_path, method):
    result = crema("fuse", *known[0], "-o", "o.nii.gz", "-m", method, "--max-iterations", "2", "--json", "r.json")
    assert result.code == 0 and "not converged after 2 iterations" in result.err, result
    record = json.loads((tmp_path / "r.json").read_text())
    assert record["converged"] is False and record["iterations"] == 2
    assert any(n.startswith(f"{method}: no convergence after 2 iterations") for n in record["warnings"])
    levels = estimate(flat_votes(known[1]), 815 / 3000, method, most=2)[0]
    assert numpy.abs(voxels(tmp_path / "o.nii.gz").ravel() - levels).max() < 1e-6


def test_simple_drops_who_is_far_below_the_others(fused, save):
    names, masks = noisy_raters(save, 3, False)
    wrong = numpy.zeros_like(masks[0])
    wrong[:4, :4] = 1
    names.append(save("wrong.nii.gz", wrong))
    strict, image = fused(names, "simple")
    assert strict["raters"][-1]["dropped"] and strict["raters"][-1]["score"] < 0.5
    kept = [name for name, rater in zip(names, strict["raters"]) if not rater["dropped"]]
    assert len(kept) >= 2
    generous, _ = fused(names, "simple", "--drop-below", "100")
    assert not any(rater["dropped"] for rater in generous["raters"])
    score = 2 * (image * masks[0]).sum() / (image.sum() + masks[0].sum())
    assert strict["raters"][0]["score"] == pytest.approx(score, abs=1e-12)


# warnings that save a study


def notes_of(fused, save, patterns, method="staple", *options):
    total = sum(patterns.values())
    masks = pattern_masks(patterns, (total, 1, 1))
    names = [save(f"p{k}.nii.gz", mask) for k, mask in enumerate(masks)]
    return "\n".join(fused(names, method, *options)[0]["warnings"])


def test_nothing_is_noted_about_an_ordinary_case(fused, known):
    assert fused(known[0], "staple")[0]["warnings"] == []


def test_a_rater_who_dictates(fused, known):
    warnings = "\n".join(fused(known[0], "staple", "--preset", "stapler-bin")[0]["warnings"])
    assert "rater 3 (k2.nii.gz) has sensitivity and specificity 1" in warnings


@pytest.mark.parametrize("method", ["staple", "jaccard", "majority"])
def test_an_inverted_mask(fused, save, method):
    warnings = notes_of(fused, save, {"110": 90, "100": 5, "011": 3, "001": 902}, method)
    assert "rater 3 (p2.nii.gz) covers 90 % of the image" in warnings and "looks inverted" in warnings


def test_a_mask_of_ones(fused, save):
    assert "rater 2 (p1.nii.gz) covers every voxel" in notes_of(fused, save, {"111": 90, "110": 5, "010": 905})


def test_a_copy(fused, save):
    assert "rater 3 (p2.nii.gz) is identical to rater 1 (p0.nii.gz)" in notes_of(
        fused, save, {"111": 90, "101": 5, "010": 3, "000": 902}
    )


def test_a_majority_that_is_overruled(fused, save):
    assert "65 voxels that most raters left out are included" in notes_of(
        fused, save, PATTERNS, "staple", "--prior", "0.5"
    )
    assert "25 voxels that most raters marked are left out" in notes_of(
        fused, save, PATTERNS, "staple", "--preset", "crkit"
    )


def test_a_rater_worse_than_chance(fused, save):
    warnings = notes_of(fused, save, {"110": 90, "100": 4, "010": 5, "001": 895, "111": 6})
    assert "rater 3 (p2.nii.gz) is estimated to be worse than chance" in warnings


# odd cases give numbers


@pytest.mark.parametrize("method", GROUP_METHODS)
@pytest.mark.parametrize("value", [0, 1])
def test_masks_that_are_all_empty_or_all_full(fused, save, method, value):
    names = [save(f"a{k}.nii.gz", numpy.full((4, 4, 4), value, numpy.uint8)) for k in range(3)]
    record, image = fused(names, method)
    assert (image == value).all()
    assert numpy.isfinite(record["sensitivity"] + record["specificity"] + [record["log_likelihood"]]).all()


def test_a_nested_pair_is_a_tie_that_the_policy_decides(fused, save):
    masks = pattern_masks({"11": 50, "10": 50, "00": 900})
    names = [save(f"t{k}.nii.gz", mask) for k, mask in enumerate(masks)]
    _, image = fused(names, "staple")
    assert levels_by_pattern(image, masks)["10"] == 0.5
    for tie, size in (("background", 50), ("foreground", 100)):
        assert fused(names, "staple", "--threshold-output", "0.5", "--tie", tie)[1].sum() == size


def test_threads_do_not_show(fused, save):
    names, _ = random_raters(save, 46)
    one, image = fused(names, "staple", "--threads", "1")
    three, other = fused(names, "staple", "--threads", "3")
    assert (image == other).all()
    for key in ("sensitivity", "specificity", "log_likelihood", "iterations"):
        assert one[key] == three[key]
