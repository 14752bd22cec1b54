# SPDX-License-Identifier: Apache-2.0
"""Raters without a file of a case: left out, or counted as empty masks (--missing empty)."""

import json

import nibabel
import numpy
import pytest
from cohort_kit import RATERS, make_cohort, mask, read_table, save
from cohort_labels_test import label_map, make_label_cohort


def voxels(path):
    return numpy.asarray(nibabel.load(path).dataobj)


@pytest.fixture
def data(tmp_path):
    """Ben has no file of the second case, Anna none of the third."""
    folder = make_cohort(tmp_path / "data", cases=3)
    (folder / "case01/ben.nii.gz").unlink()
    (folder / "case02/anna.nii.gz").unlink()
    return folder


def as_files(folder, cases=3):
    """The same cohort with empty masks in place of missing ones."""
    for case in range(cases):
        for name in RATERS:
            if not (folder / f"case{case:02}/{name}.nii.gz").exists():
                save(folder / f"case{case:02}/{name}.nii.gz", 0 * mask(case, 0))


METHODS = "jaccard,majority,staple,average"


def test_missing_raters_count_like_empty_files(crema, tmp_path, data):
    weights = ["--weights", "1,2,3"]  # in the order of the raters, whoever has a file
    done = crema("cohort", "run", "data", "-o", "a", "--missing", "empty", "-m", "jaccard,majority", *weights)
    assert done.code == 0, done
    as_files(data)
    assert crema("cohort", "run", "data", "-o", "b", "-m", "jaccard,majority", *weights).code == 0
    for name in ("methods", "raters", "components", "component_raters", "rater_pairs", "method_pairs"):
        assert read_table(tmp_path / f"a/{name}.csv") == read_table(tmp_path / f"b/{name}.csv"), name
    for case in range(3):
        for method in ("jaccard", "majority"):
            a, b = (tmp_path / f"{run}/cases/case{case:02}/{method}.nii.gz" for run in "ab")
            assert numpy.array_equal(voxels(a), voxels(b)), (case, method)


def test_the_default_fuses_without_them(crema, tmp_path, data):
    assert crema("cohort", "run", "data", "-o", "run", "-m", METHODS).code == 0
    rows = {row["case"]: row for row in read_table(tmp_path / "run/cases.csv")}
    assert [rows[f"case{case:02}"]["raters"] for case in range(3)] == ["3", "2", "2"]
    assert crema("cohort", "run", "data", "-o", "other", "-m", METHODS, "--missing", "empty").code == 0
    rows = {row["case"]: row for row in read_table(tmp_path / "other/cases.csv")}
    assert [rows[f"case{case:02}"]["raters"] for case in range(3)] == ["3", "3", "3"]
    assert [rows[f"case{case:02}"]["missing_raters"] for case in range(3)] == ["", "ben", "anna"]


def test_a_warning_and_the_record_say_so(crema, tmp_path, data):
    assert crema("cohort", "run", "data", "-o", "run", "--missing", "empty").code == 0
    result = json.loads((tmp_path / "run/cases/case01/result.json").read_text())
    assert "ben: has no file of this case; counts as an empty mask." in result["warnings"]
    assert result["run"]["tables"]["missing"] == "empty"
    assert {"rater": "ben", "path": "", "sha256": None} in result["inputs"]


def test_a_run_without_files_that_come_later_does_those_cases_again(crema, tmp_path, data):
    run = ["cohort", "run", "data", "-o", "run", "--missing", "empty"]
    assert crema(*run).code == 0
    again = crema(*run)
    assert again.code == 0 and "3 already there" in again.out
    save(data / "case01/ben.nii.gz", mask(1, 1))
    again = crema(*run)
    assert again.code == 0 and "1 made, 2 already there" in again.out, again
    save(data / "case00/dora.nii.gz", mask(0, 1))  # now all others lack a file
    again = crema(*run)
    assert again.code == 0 and "3 made" in again.out, again
    other = crema("cohort", "run", "data", "-o", "run")
    assert other.code == 2 and "missing" in other.err


def test_shards_know_the_raters_of_the_whole_cohort(crema, tmp_path, data):
    assert crema("cohort", "run", "data", "-o", "whole", "--missing", "empty").code == 0
    assert crema("cohort", "plan", "data", "-o", "run", "--shards", "3", "--missing", "empty").code == 0
    for shard in "123":
        assert crema("cohort", "run", "--shard", shard, "-o", "run").code == 0
    assert crema("cohort", "merge", "run").code == 0
    for name in ("cases", "methods", "raters", "rater_pairs"):
        assert (tmp_path / f"whole/{name}.csv").read_bytes() == (tmp_path / f"run/{name}.csv").read_bytes(), name
    refused = crema("cohort", "run", "--shard", "1", "-o", "run", "--missing", "empty")
    assert refused.code == 2 and "--missing" in refused.err


def test_labels_of_a_missing_rater_are_empty_too(crema, tmp_path):
    data = make_label_cohort(tmp_path / "data")
    (data / "case01/ben.nii.gz").unlink()
    done = crema("cohort", "run", "data", "-o", "a", "--labels", "all", "--missing", "empty", "--report")
    assert done.code == 0, done
    save(data / "case01/ben.nii.gz", 0 * label_map(1, 1))
    assert crema("cohort", "run", "data", "-o", "b", "--labels", "all").code == 0
    for name in ("methods", "raters"):
        assert read_table(tmp_path / f"a/{name}.csv") == read_table(tmp_path / f"b/{name}.csv"), name
    page = (tmp_path / "a/cases/case01/report.html").read_text()
    assert "--missing empty" in page


def test_segments_as_raters_cannot_be_missing(crema, tmp_path, data):
    done = crema("cohort", "run", "data", "-o", "run", "--missing", "empty", "--segments-are", "raters")
    assert done.code == 2 and "--missing" in done.err and "--segments-are" in done.err


def segments(path, names, array):
    """A segmentation of one layer, in which the first of these segments is drawn."""
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = ["NRRD0004", "type: unsigned char", "dimension: 3", "space: right-anterior-superior"]
    lines += ["sizes: " + " ".join(map(str, array.shape)), "space directions: (1,0,0) (0,1,0) (0,0,3)"]
    lines += ["space origin: (0,0,0)", "encoding: raw"]
    for k, name in enumerate(names):
        lines += [f"Segment{k}_ID:=Segment_{k}", f"Segment{k}_Name:={name}"]
        lines += [f"Segment{k}_LabelValue:={k + 1}", f"Segment{k}_Layer:=0"]
    path.write_bytes("\n".join([*lines, "", ""]).encode() + array.tobytes(order="F"))


def test_a_file_without_the_segment_is_empty_too(crema, tmp_path):
    """Ben drew no lesion in the second case, and Slicer kept no segment of it."""
    for folder in ("lacking", "drawn"):
        for case in range(2):
            for k, name in enumerate(RATERS):
                lacks = (case, name) == (1, "ben")
                array = mask(case, k) * (0 if lacks and folder == "drawn" else 1)
                names = ["liver", "spleen"] if lacks and folder == "lacking" else ["lesion", "spleen"]
                segments(tmp_path / f"{folder}/case{case:02}/{name}.seg.nrrd", names, array)
    words = ("--segment", "lesion", "-m", "jaccard,average")
    for folder in ("lacking", "drawn"):
        done = crema("cohort", "run", folder, "-o", f"of-{folder}", "--missing", "empty", *words)
        assert done.code == 0, done
    for method in ("jaccard", "average"):
        a, b = (
            next((tmp_path / f"of-{folder}/cases/case01").glob(f"{method}.*")).read_bytes()
            for folder in ("lacking", "drawn")
        )
        assert a == b, method
    result = json.loads((tmp_path / "of-lacking/cases/case01/result.json").read_text())
    counts = "ben.seg.nrrd: has no segment 'lesion'; counts as an empty mask."
    assert any(warning.endswith(counts) for warning in result["warnings"])
    done = crema("cohort", "run", "lacking", "-o", "refused", *words)
    said = " ".join((done.out + done.err).split())
    assert done.code != 0 and "has no segment 'lesion'; there are liver and spleen" in said, done
    assert "if nothing was drawn there, --labels lesion or --missing empty takes it as empty" in said
    done = crema("fuse", *(f"lacking/case01/{name}.seg.nrrd" for name in RATERS), "--segment", "lesion")
    said = " ".join(done.err.split())
    assert done.code == 3 and "--labels lesion takes it as empty" in said and "--missing" not in said


def test_a_segment_that_no_file_of_a_case_has_is_refused(crema, tmp_path):
    for name in RATERS:
        segments(tmp_path / f"data/case00/{name}.seg.nrrd", ["liver", "spleen"], mask(0, 0))
    done = crema("cohort", "run", "data", "-o", "run", "--missing", "empty", "--segment", "lesion")
    assert done.code != 0 and "has no segment 'lesion'" in " ".join((done.out + done.err).split()), done
