# SPDX-License-Identifier: Apache-2.0
"""Files that settings name for each case: {case} in --like and --roi."""

import json

import nibabel
import numpy
import pytest
from cohort_kit import RATERS, bytes_of, make_cohort, mask, save

CASES = ("case00", "case01")
WORDS = ("-m", "staple,ml-staple", "--like", "grids/{case}.nii.gz", "--roi", "rois/{case}.nii.gz")


@pytest.fixture
def data(tmp_path):
    """Grids of the two cases differ in length, regions in place."""
    folder = make_cohort(tmp_path / "data", cases=2)
    for kind in ("grids", "rois"):
        (tmp_path / kind).mkdir()
    for number, case in enumerate(CASES):
        region = mask(0, 0) * 0
        region[:, : 5 + 2 * number] = 1
        save(tmp_path / "rois" / f"{case}.nii.gz", region)
        save(tmp_path / "grids" / f"{case}.nii.gz", region)
    return folder


def cohort(crema, *more):
    return crema("cohort", "run", "data", "--layout", "cases", "-o", "run", *WORDS, *more)


def test_each_case_has_its_own_grid_and_region(crema, tmp_path, data):
    assert cohort(crema).code == 0
    for case in CASES:
        files = [f"data/{case}/{name}.nii.gz" for name in RATERS]
        words = [word.replace("{case}", case) for word in WORDS]
        assert crema("fuse", *files, "-o", case, *words).code == 0
        for method in ("staple", "ml-staple"):
            alone, found = (
                numpy.asarray(nibabel.load(folder / f"{method}.nii.gz").dataobj)
                for folder in (tmp_path / case, tmp_path / "run/cases" / case)
            )
            numpy.testing.assert_array_equal(alone, found)
        inputs = json.loads((tmp_path / "run/cases" / case / "result.json").read_text())["inputs"]
        named = {one["path"] for one in inputs if not one["rater"]}
        assert named == {str(tmp_path / kind / f"{case}.nii.gz") for kind in ("rois", "grids")}


def test_another_content_makes_that_case_be_done_again(crema, tmp_path, data):
    assert cohort(crema).code == 0
    assert "0 made, 2 already there" in cohort(crema).out
    region = mask(0, 0) * 0
    region[:, 2:9] = 1
    save(tmp_path / "rois/case01.nii.gz", region)
    assert "1 made, 1 already there" in cohort(crema).out


def test_a_case_without_its_file_is_away(crema, tmp_path, data):
    (tmp_path / "grids/case01.nii.gz").unlink()
    done = cohort(crema)
    assert done.code == 5 and "case01 (away)" in done.out, done
    assert "grids/case01.nii.gz" in done.out


def test_shards_take_the_files_of_their_cases_from_anywhere(crema, tmp_path, data):
    assert cohort(crema).code == 0
    planned = crema("cohort", "plan", "data", "--layout", "cases", "-o", "parts", "--shards", "2", *WORDS)
    assert planned.code == 0, planned
    for shard in "12":
        assert crema("cohort", "run", "--shard", shard, "-o", "parts").code == 0
    assert crema("cohort", "merge", "parts").code == 0
    assert (tmp_path / "parts/methods.csv").read_bytes() == (tmp_path / "run/methods.csv").read_bytes()


def test_warnings_about_files_do_not_depend_on_where_these_are(crema, tmp_path):
    image = pytest.importorskip("PIL.Image")
    for data in ("data", "a"):  # and "a/" stands in the name of the case, too
        (tmp_path / data / "extra").mkdir(parents=True)
        for rater in range(3):
            image.fromarray(mask(0, rater)[:, :, 1] * 200).save(tmp_path / data / f"extra/r{rater}.png")
    for data, run in (("data", "run"), ("a", "b"), (tmp_path / "a", tmp_path / "data-run")):
        assert crema("cohort", "run", data, "-o", run, "-m", "tanimoto").code == 0
        ours, theirs = bytes_of(tmp_path / run), bytes_of(tmp_path / "run")
        assert {name for name in theirs if ours[name] != theirs[name]} <= {"run.json"}  # which says where they are
    warnings = json.loads((tmp_path / "run/cases/extra/result.json").read_text())["warnings"]
    for beginning in ("cases/extra/tanimoto.png: PNG holds levels", "extra/r0.png"):
        assert any(text.startswith(beginning) for text in warnings), warnings
