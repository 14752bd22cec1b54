# SPDX-License-Identifier: Apache-2.0
"""Segments that files declare and in which nobody drew: an empty consensus with warnings, as for masks."""

import numpy
import pytest
from labels_test import SIZE
from segments_test import read_segments, write_segments

BOTH = [("liver", 0, 1), ("tumour", 0, 2)]


@pytest.fixture
def raters(tmp_path):
    def write(*values):
        """Three files with both segments, in which these values occur."""
        labels = numpy.zeros(SIZE, numpy.uint8)
        for value in values:
            labels[value : value + 2, 3:7, 3:7] = value
        return [write_segments(tmp_path / f"r{k}.seg.nrrd", [labels], BOTH) for k in range(3)]

    return write


@pytest.mark.parametrize("chosen", ["--labels=all", "--labels=liver,tumour", "--regions=organ=1+2"])
@pytest.mark.parametrize("method", ["jaccard", "tanimoto", "staple"])
def test_segments_in_which_nobody_drew_give_an_empty_consensus(crema, raters, tmp_path, chosen, method):
    files = raters()
    done = crema("fuse", *files, "-o", "out.seg.nrrd", chosen, "--method", method)
    assert done.code == 0, done.err
    for file in files:
        assert f"{file}: uses none of the labels." in done.err
    found = read_segments(tmp_path / "out.seg.nrrd")
    assert list(found) == (["organ"] if "regions" in chosen else ["liver", "tumour"])
    assert not any(mask.any() for _, mask in found.values())


def test_a_segment_in_which_nobody_drew_may_be_chosen_beside_others(crema, raters, tmp_path):
    done = crema("fuse", *raters(1), "-o", "out.seg.nrrd", "--labels", "liver,tumour")
    assert done.code == 0, done.err
    assert "no rater uses label 2; labels in use: liver (1)." in done.err
    found = read_segments(tmp_path / "out.seg.nrrd")
    assert found["liver"][1].any() and not found["tumour"][1].any()


def test_a_segment_that_no_file_declares_is_refused(crema, raters):
    done = crema("fuse", *raters(), "-o", "out.seg.nrrd", "--labels", "spleen")
    assert done.code == 3 and "no rater has a segment 'spleen'; segments in use: liver and tumour" in done.err


def test_a_cohort_goes_on_over_a_case_in_which_nobody_drew(crema, raters, tmp_path):
    for case, values in (("a", (1, 2)), ("b", ())):
        for name in raters(*values):
            (tmp_path / "data" / case).mkdir(parents=True, exist_ok=True)
            (tmp_path / name).rename(tmp_path / "data" / case / name)
    done = crema("cohort", "run", "data", "-o", "results", "--layout", "cases", "--labels", "all")
    assert done.code == 0, done.err
    assert not any(mask.any() for _, mask in read_segments(tmp_path / "results/cases/b/jaccard.seg.nrrd").values())
