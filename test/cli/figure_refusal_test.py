# SPDX-License-Identifier: Apache-2.0
"""What `crema figure` refuses, and that nothing is left behind."""

import numpy
import pytest
from refusal_test import refused


@pytest.fixture
def wrong(crema, nothing_new):
    def run(*arguments):
        nothing_new.start()
        result = crema("figure", *arguments)
        nothing_new.check()
        return result

    return run


@pytest.mark.parametrize("slice_", ["z=6", "x=12", "y=-1", "z=1.5", "w=3", "z=", "z", "", "most"])
def test_unknown_slices_are_refused_with_the_range(wrong, raters, slice_):
    result = wrong(*raters, "--slice", slice_, "-o", "f.svg")
    expected = {"z": "0 to 5", "x": "0 to 11", "y": "0 to 9"}.get(slice_[:1], "") if slice_[1:2] == "=" else ""
    refused(result, 2, "--slice", expected if slice_ != "z=" else "")


def test_an_image_on_another_grid_is_refused_with_the_fix(wrong, save, raters):
    save("other.nii.gz", numpy.zeros((12, 10, 7), numpy.int16))
    refused(wrong(*raters, "--image", "other.nii.gz", "-o", "f.svg"), 3, "other.nii.gz", "--like other.nii.gz")
    save("part.nii.gz", numpy.zeros((6, 10, 6), numpy.int16))
    refused(wrong(*raters, "--image", "part.nii.gz", "-o", "f.svg"), 3, "part.nii.gz", "--like part.nii.gz")


def test_raters_who_drew_nothing_leave_nothing_to_show(wrong, save):
    refused(wrong(save("a.nii.gz", numpy.zeros((4, 4, 4), numpy.uint8)), "-o", "f.svg"), 3, "no rater marked anything")


@pytest.mark.parametrize("name", ["f.jpg", "f", "f.svg.gz", "f.nii.gz"])
def test_other_endings_are_refused(wrong, raters, name):
    refused(wrong(*raters, "-o", name), 2, ".svg, .png or .pdf")


def test_inputs_and_files_that_are_there_are_not_replaced(wrong, raters, save, tmp_path):
    (tmp_path / "f.svg").write_text("mine")
    refused(wrong(*raters, "-o", "f.svg"), 2, "f.svg")
    assert (tmp_path / "f.svg").read_text() == "mine"
    image = save("image.svg", numpy.zeros((12, 10, 6), numpy.int16))
    refused(wrong(*raters, "--image", image, "-o", image, "--force"), 2, "image.svg", "is the input")


@pytest.mark.parametrize("method", ["majority", "tanimoto", "staple", "average"])
def test_a_trace_is_of_a_search_that_shrinks_and_grows(wrong, raters, method):
    refused(wrong(*raters, "--show", "trace", "-m", method, "-o", "f.svg"), 2, method, "jaccard or dice")


def test_what_does_not_go_together_is_refused(wrong, raters):
    refused(wrong(*raters, "--slice", "all-components", "-m", "paper", "-o", "f.svg"), 2, "one method")
    refused(wrong(*raters, "--show", "trace", "--blocks", "group", "-o", "f.svg"), 2, "--blocks group")
    refused(wrong(*raters, "--show", "dots", "-o", "f.svg"), 2, "--show")
    refused(wrong(*raters, "--dpi", "1", "-o", "f.png"), 2, "--dpi")
