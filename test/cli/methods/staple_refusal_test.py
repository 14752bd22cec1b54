# SPDX-License-Identifier: Apache-2.0
"""What STAPLE and its relatives refuse, and that nothing is left behind."""

import numpy
import pytest
from conftest import AFFINE, blob
from refusal_test import fuse, refused  # noqa: F401, fixtures

STAPLE = ["-o", "o.nii.gz", "-m", "staple"]


@pytest.mark.parametrize("prior", ["0", "1", "1.5", "nan", "inf", "half", "500/M", "500/N^x", "500/N^", "0/N", "/N"])
def test_priors_that_are_none(fuse, raters, prior):
    refused(fuse(*raters, *STAPLE, "--prior", prior), 2, "--prior")


@pytest.mark.parametrize("prior", ["-0.1", "-5/N^1"])
def test_priors_below_0(fuse, raters, prior):
    refused(fuse(*raters, *STAPLE, f"--prior={prior}"), 2, "--prior")


@pytest.mark.parametrize(
    "prior, region", [("720/N^1", "full"), ("5000/N", "full"), ("1/N^0", "full"), ("500/N", "box")]
)
def test_a_prior_that_is_no_chance_for_this_image(fuse, raters, prior, region):
    refused(fuse(*raters, *STAPLE, "--prior", prior, "--roi", region), 2, "prior", "between 0 and 1")


def test_a_prior_goes_by_the_size_of_the_region(crema, raters):
    assert crema("fuse", *raters, *STAPLE, "--prior", "500/N", "--roi", "full").code == 0


def test_an_empty_region(fuse, raters, save):
    save("none.nii.gz", numpy.zeros((12, 10, 6), numpy.uint8))
    refused(fuse(*raters, *STAPLE, "--roi", "none.nii.gz"), 3, "none.nii.gz", "region is empty")


def test_a_region_on_another_grid(fuse, raters, save):
    save("big.nii.gz", numpy.ones((12, 10, 7), numpy.uint8))
    refused(fuse(*raters, *STAPLE, "--roi", "big.nii.gz"), 3, "big.nii.gz", "12×10×7", "12×10×6")
    far = AFFINE.copy()
    far[0, 3] = 90.4
    save("far.nii.gz", blob(0), far)
    refused(fuse(*raters, *STAPLE, "--roi", "far.nii.gz"), 3, "far.nii.gz", "rater-1.nii.gz")


def test_a_region_that_is_not_there_or_no_mask(fuse, raters, save):
    refused(fuse(*raters, *STAPLE, "--roi", "gone.nii.gz"), 3, "gone.nii.gz")
    save("soft.nii.gz", blob(0) * numpy.float32(0.4) + blob(1) * numpy.float32(0.3))
    refused(fuse(*raters, *STAPLE, "--roi", "soft.nii.gz"), 3, "soft.nii.gz")


def test_a_region_is_an_input_and_never_replaced(fuse, raters, save, tmp_path):
    save("here.nii.gz", blob(0))
    before = (tmp_path / "here.nii.gz").read_bytes()
    refused(
        fuse(*raters, "-o", "here.nii.gz", "-m", "staple", "--roi", "here.nii.gz", "--force"),
        2,
        "here.nii.gz",
        "input",
    )
    assert (tmp_path / "here.nii.gz").read_bytes() == before


@pytest.mark.parametrize(
    "option", [["--prior", "0.5"], ["--roi", "box"], ["--tolerance", "1e-3"], ["--max-iterations", "5"]]
)
def test_what_a_preset_settles(fuse, raters, option):
    refused(fuse(*raters, *STAPLE, "--preset", "itk", *option), 2, option[0], "preset itk")


@pytest.mark.parametrize("method", ["jaccard", "accuracy", "staple,jaccard"])
def test_a_preset_is_for_staple_alone(fuse, raters, method):
    refused(fuse(*raters, "-o", "o.nii.gz", "-m", method, "--preset", "crkit"), 2, "--preset", "staple")


def test_a_preset_that_does_not_exist(fuse, raters):
    refused(fuse(*raters, *STAPLE, "--preset", "itkk"), 2, "--preset", "itk")


@pytest.mark.parametrize(
    "method, option",
    [
        ("jaccard", ["--prior", "0.5"]),
        ("ml-staple", ["--prior", "0.5"]),
        ("simple", ["--prior", "mean"]),
        ("majority", ["--roi", "box"]),
        ("simple", ["--roi", "box"]),
        ("average", ["--tolerance", "1e-3"]),
        ("ml-staple", ["--tolerance", "1e-3"]),
        ("dice", ["--max-iterations", "3"]),
        ("staple", ["--drop-below", "2"]),
    ],
)
def test_options_that_the_method_does_not_heed(fuse, raters, method, option):
    refused(fuse(*raters, "-o", "o.nii.gz", "-m", method, *option), 2, option[0], method)


def test_a_margin_needs_something_to_lie_around(fuse, raters, save):
    refused(fuse(*raters, *STAPLE, "--margin", "2"), 2, "--margin", "--roi box")
    refused(fuse(*raters, *STAPLE, "--roi", "full", "--margin", "2"), 2, "--margin")
    save("here.nii.gz", blob(0))
    refused(fuse(*raters, *STAPLE, "--roi", "here.nii.gz", "--margin", "2"), 2, "--margin")


def test_a_mask_as_region_would_change_what_other_methods_see(fuse, raters, save):
    save("here.nii.gz", blob(0))
    refused(fuse(*raters, "-o", "o", "-m", "staple,jaccard", "--roi", "here.nii.gz"), 2, "--roi", "jaccard")


@pytest.mark.parametrize(
    "option",
    [
        ["--tolerance", "0"],
        ["--tolerance", "x"],
        ["--max-iterations", "0"],
        ["--max-iterations", "2.5"],
        ["--margin", "-1"],
        ["--margin", "1.5"],
        ["--preset", ""],
    ],
)
def test_values_that_make_no_sense(fuse, raters, option):
    result = fuse(*raters, *STAPLE, "--roi", "box", f"{option[0]}={option[1]}")
    refused(result, 2, option[0])


@pytest.mark.parametrize("value", ["0", "-1", "x"])
def test_deviations_that_make_no_sense(fuse, raters, value):
    refused(fuse(*raters, "-o", "o.nii.gz", "-m", "simple", f"--drop-below={value}"), 2, "--drop-below")


@pytest.mark.parametrize("method", ["staple", "ml-staple", "accuracy", "shared", "simple"])
@pytest.mark.parametrize("weights", ["1,2,1", "auto"])
def test_weights_are_found_out_by_themselves(fuse, raters, method, weights):
    refused(fuse(*raters, "-o", "o.nii.gz", "-m", method, "--weights", weights), 2, "--weights", method)


def test_weights_that_only_some_methods_heed_are_noted(crema, raters):
    result = crema("fuse", *raters, "-o", "o", "-m", "staple,majority", "--weights", "1,2,1")
    assert result.code == 0 and "--weights does not apply to staple" in result.err, result


@pytest.mark.parametrize("option", ["--certify", "--no-empty-test"])
def test_an_estimate_has_no_criterion(fuse, raters, option):
    refused(fuse(*raters, *STAPLE, option), 2, option, "staple", "jaccard")


def test_the_former_name_of_roi_is_understood_with_a_warning(crema, raters):
    now = crema("fuse", *raters, *STAPLE, "--roi", "box")
    old = crema("fuse", *raters, *STAPLE, "--region", "box", "--force")
    words = "--region is now called --roi"
    assert now.code == old.code == 0 and words in old.err and words not in now.err
    refused(crema("fuse", *raters, *STAPLE, "--region", "box", "--roi", "full"), 2, "--roi is given more than once")
    assert "--region " not in crema("fuse", "--help").out
