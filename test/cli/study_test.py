# SPDX-License-Identifier: Apache-2.0
"""The paper's tables from runs of a cohort: each number once more in plain Python, and what is refused."""

import json
import shutil
import subprocess

import nibabel
import numpy
import pytest
from study_plain import PLAIN, VARIANT, Cohort, icc, number, read_table

RUNS = {
    "run": [],
    "run-crown": ["--blocks", "crown"],
    "run-group": ["--blocks", "group"],
    "run-voxel": ["--blocks", "voxel"],
    "run-plain": ["--no-empty-test"],
    "run-slices": ["--slice-wise", "z"],
    "run-box": ["--roi", "box"],
}


@pytest.fixture(scope="module")
def built(program, tmp_path_factory):
    """Six lesion phantoms, one of them without its fourth rater, and what each variant leaves of them."""
    folder = tmp_path_factory.mktemp("cohort")
    run = lambda *words: subprocess.run([program, *words], cwd=folder, check=True, capture_output=True)  # noqa: E731
    for seed in map(str, range(1, 7)):
        run("demo", "-o", f"data{seed}", "--size", f"2{seed},24,8", "--raters", "4", "--seed", seed)
        (folder / "data").mkdir(exist_ok=True)
        shutil.move(folder / f"data{seed}", folder / "data" / f"case{seed}")
    (folder / "data/case6/rater-4.nii.gz").unlink()
    for name, flags in RUNS.items():
        run("cohort", "run", "data", "-o", name, "--methods", "paper", "--no-images", *flags)
    return folder


@pytest.fixture
def runs(built, tmp_path):
    """They lie in the test's own folder."""
    shutil.copytree(built, tmp_path, dirs_exist_ok=True)
    return [tmp_path / name for name in RUNS]


def close(mine, theirs):
    if mine is None or theirs is None:
        return mine is theirs
    return abs(mine - theirs) <= 1e-9 * max(1, abs(theirs))


def test_every_number_is_what_plain_python_finds(crema, tmp_path, runs):
    result = crema("study", *RUNS, "-o", "tables")
    assert result.code == 0, result
    cohort = Cohort(runs)
    checked = 0
    for name, plain in PLAIN.items():
        rows = read_table(tmp_path / f"tables/{name}.csv")
        assert rows, name
        for row in rows:
            key = tuple(row[column] for column in VARIANT)
            for column, value in plain(cohort, key, row).items():
                assert close(number(row[column]), value), (name, key, column, row[column], value)
                checked += 1
    assert checked > 1500
    assert {row["blocks"] for row in read_table(tmp_path / "tables/tab_1.csv")} == {
        "subcrown",
        "crown",
        "group",
        "voxel",
    }
    assert {row["empty_test"] for row in read_table(tmp_path / "tables/tab_6.csv")} == {"true", "false", ""}


def test_volumes_are_compared_over_cases_that_all_drew(crema, tmp_path, runs):
    assert crema("study", "run", "-o", "tables").code == 0
    assert {row["form"] for row in read_table(tmp_path / "tables/icc.csv")} == {"ICC(1,1)", "ICC(1,k)"}
    assert crema("study", "run", "-o", "tables", "--raters-persist", "--force").code == 0
    rows = read_table(tmp_path / "tables/icc.csv")
    assert len(rows) == 12
    (row,) = [row for row in rows if (row["form"], row["scale"]) == ("ICC(A,1)", "volume")]
    matrix = {}
    for rater in read_table(runs[0] / "raters.csv"):
        if rater["method"] == "jaccard" and rater["case"] != "case6":
            matrix.setdefault(rater["case"], []).append(float(rater["volume_mm3"]))
    assert (row["raters"], row["cases"]) == ("4", "5")
    assert close(float(row["icc"]), icc(list(matrix.values())))
    assert float(row["low"]) < float(row["icc"]) < float(row["high"])


def test_what_is_missing_is_left_out_with_the_command_that_makes_it(crema, tmp_path, runs):
    assert crema("study", "run", "-o", "tables").code == 0
    assert not (tmp_path / "tables/tab_9.csv").exists() and not (tmp_path / "tables/fig_1a.csv").exists()
    page = (tmp_path / "tables/study.md").read_text()
    for command in (
        "-o RUN-crown --methods paper --blocks crown",
        "--roi box",
        "--slice-wise",
        "--no-empty-test",
        "crema study RUN -o TABLES --background",
    ):
        assert command in page, command
    said = crema("study", "run", "-o", "tables", "--force").out
    assert "tab:9" in said and "background" not in said  # a file alone, of which the page says nothing


def test_background_curves_are_those_of_the_cases(crema, tmp_path, runs):
    assert crema("study", "run", "-o", "tables", "--background").code == 0
    volumes = []
    for case in sorted((tmp_path / "data").iterdir()):
        crema("background", *sorted(map(str, case.iterdir())), "--json", "one.json", "--force")
        curves = json.loads((tmp_path / "one.json").read_text())
        volumes.append(curve_volume(curves, "staple w=mean", "box"))
    rows = read_table(tmp_path / "tables/fig_1a.csv")
    (row,) = [row for row in rows if (row["method"], row["image"]) == ("staple w=mean", "box")]
    assert row["cases"] == "6" and close(float(row["soft_volume"]), sum(volumes) / 6)
    low, high = float(row["soft_volume_low"]), float(row["soft_volume_high"])
    assert min(volumes) < low < float(row["soft_volume"]) < high < max(volumes)
    assert {row["method"] for row in read_table(tmp_path / "tables/fig_1b.csv")} >= {"staple w=1/2", "staple w=mean"}
    rows = read_table(tmp_path / "tables/background.csv")
    found = [float(row["soft_volume"]) for row in rows if (row["method"], row["image"]) == ("staple w=mean", "box")]
    assert close(sum(found), sum(volumes)) and [row["case"] for row in rows] == sorted(row["case"] for row in rows)
    assert all(int(row["drawn_by_three"]) <= int(row["drawn_by_two"]) <= int(row["union_voxels"]) for row in rows)
    assert "background.csv" not in (tmp_path / "tables/study.md").read_text()


def test_background_of_probabilities_is_refused_and_the_other_tables_are_written(crema, tmp_path):
    random = numpy.random.default_rng(2)
    for case in ("a", "b"):
        (tmp_path / "maps" / case).mkdir(parents=True)
        for k in range(3):
            values = random.random((6, 5, 4)).astype(numpy.float32)
            nibabel.Nifti1Image(values, numpy.eye(4)).to_filename(tmp_path / f"maps/{case}/rater-{k}.nii.gz")
    assert crema("cohort", "run", "maps", "-o", "run", "--probabilities", "-m", "average,jaccard", "-q").code == 0
    result = crema("study", "run", "-o", "tables", "--background", "--panel")
    assert result.code == 5 and "Background curves need masks, and 2 cases were fused from probabilities" in result.err
    assert "leave --probabilities out" not in result.err
    assert read_table(tmp_path / "tables/paired.csv") and not (tmp_path / "tables/fig_1a.csv").exists()
    assert "Background curves need masks" in (tmp_path / "tables/study.md").read_text()


def test_one_case_is_said_to_be_one_and_why_raters_are_not_compared(crema, tmp_path):
    (tmp_path / "data").mkdir()
    assert crema("demo", "-o", "data/one", "--size", "20,18,8", "--raters", "3").code == 0
    assert crema("cohort", "run", "data", "-o", "run", "-m", "majority", "-q").code == 0
    result = crema("study", "run", "-o", "tables", "--raters", "--raters-persist", "--paper-table")
    assert result.code == 0 and "Raters: Fewer than two raters or cases" in result.err
    assert "\n1 case, drawn once by 3 raters (GRRAS" in (tmp_path / "tables/paper_table.md").read_text()


def test_raters_are_in_the_order_of_their_names_and_sizes_have_a_unit(crema, tmp_path):
    assert crema("demo", "-o", "data", "--cases", "5", "--size", "20,18,8", "--raters", "3").code == 0
    (tmp_path / "data/case-001/rater-2.nii.gz").unlink()
    for case in (tmp_path / "data").iterdir():
        (case / "rater-1.nii.gz").rename(case / "rater-10.nii.gz")
    assert crema("cohort", "run", "data", "-o", "run", "-m", "majority", "-q").code == 0
    assert crema("study", "run", "-o", "tables", "--raters", "--raters-persist").code == 0
    names = ["rater-2", "rater-3", "rater-10"]
    assert [row["rater"] for row in read_table(tmp_path / "tables/effects.csv")] == 3 * names
    picture = (tmp_path / "tables/bland_altman.svg").read_text()
    places = [picture.index(f">{name}<") for name in names]
    assert places == sorted(places) and "mean volume of the raters, mm³" in picture


def test_a_raters_own_mask_as_candidate_is_said_to_be_one(crema, tmp_path, runs):
    (tmp_path / "candidates").mkdir()
    for case in (tmp_path / "data").iterdir():
        shutil.copy(case / "rater-2.nii.gz", tmp_path / f"candidates/{case.name}.nii.gz")
    raters = sorted(map(str, (tmp_path / "data/case1").iterdir()))
    for words in (["study", "run", "-o", "tables"], ["agreement", *raters]):
        candidate = "candidates" if words[0] == "study" else "candidates/case1.nii.gz"
        result = crema(*words, "--candidate", candidate)
        assert result.code == 0 and "is identical to rater 2" in result.err and "its index is too high" in result.err


def curve_volume(record, name, image):
    """From a record of crema background."""
    at = [size["name"] for size in record["sizes"]].index(image)
    (curve,) = [curve for curve in record["curves"] if curve["name"] == name]
    return curve["soft_volume"][at]


def test_a_manifest_declares_that_raters_are_the_same_persons(crema, tmp_path, runs):
    listed = crema("cohort", "list", "data", "--manifest").out
    for name, text in (("raters", listed), ("persons", listed.replace("rater\t", "person\t", 1))):
        (tmp_path / f"data/{name}.tsv").write_text(text)
        assert crema("cohort", "run", f"data/{name}.tsv", "-o", name, "--no-images").code == 0
    assert "--raters-persist" in crema("study", "raters", "-o", "x", "--raters").err
    result = crema("study", "persons", "-o", "tables", "--raters", "--paper-table")
    assert result.code == 0, result
    assert {row["form"] for row in read_table(tmp_path / "tables/icc.csv")} >= {"ICC(1,1)", "ICC(A,1)"}
    assert (tmp_path / "tables/effects.csv").exists()
    assert "declared to be the same persons" in (tmp_path / "tables/paper_table.md").read_text()
    # The run's own list says so, too.
    assert crema("cohort", "list", "persons/manifest.tsv", "--manifest").out.startswith("case\tperson\tpath\n")


def test_what_cannot_be_studied_is_refused(crema, tmp_path, runs):
    assert crema("study", "data", "-o", "tables").code == 2
    shutil.copytree(runs[0], tmp_path / "other")
    lines = (tmp_path / "other/cases.csv").read_text().splitlines(True)
    (tmp_path / "other/cases.csv").write_text("".join(lines[:-1]))
    result = crema("study", "run", "other", "-o", "tables")
    assert result.code == 3 and "different cohorts" in result.err, result
    (tmp_path / "other/cases.csv").write_text(lines[0])
    for table in ("methods", "raters", "component_raters", "times"):
        path = tmp_path / f"other/{table}.csv"
        path.write_text(path.read_text().splitlines(True)[0])
    result = crema("study", "other", "-o", "tables")
    assert result.code == 3 and "no case is done" in result.err, result
    (tmp_path / "other/methods.csv").write_text("case,method\r\n")
    (tmp_path / "other/cases.csv").write_text("".join(lines))
    (tmp_path / "other/methods.csv").write_text("case,method\r\ncase1,jaccard\r\n")
    result = crema("study", "other", "-o", "tables")
    assert result.code == 3 and "has no column" in result.err, result
    (tmp_path / "other/methods.csv").unlink()
    result = crema("study", "other", "-o", "tables")
    assert result.code == 3 and "methods.csv" in result.err, result
    assert not (tmp_path / "tables").exists()


def test_settings_that_no_column_tells_apart_are_refused(crema, tmp_path, runs):
    assert crema("cohort", "run", "data", "-o", "run-tie", "--tie", "foreground", "--no-images").code == 0
    result = crema("study", "run", "run-tie", "-o", "tables")
    assert result.code == 3 and "tie" in result.err, result


def test_tables_are_replaced_only_when_asked(crema, tmp_path, runs):
    assert crema("study", "run", "-o", "tables").code == 0
    before = (tmp_path / "tables/study.md").read_bytes()
    assert crema("study", "run", "run-crown", "-o", "tables").code == 2
    assert (tmp_path / "tables/study.md").read_bytes() == before
    assert crema("study", "run", "run-crown", "-o", "tables", "--force").code == 0
    assert (tmp_path / "tables/study.md").read_bytes() != before


@pytest.fixture
def small(crema, tmp_path):
    """A run of three cases, and a candidate for each."""
    for seed in ("1", "2", "3"):
        assert crema("demo", "-o", f"d{seed}", "--size", "20,18,8", "--raters", "3", "--seed", seed).code == 0
        (tmp_path / "data").mkdir(exist_ok=True)
        (tmp_path / f"d{seed}").rename(tmp_path / f"data/case{seed}")
        assert (
            crema("fuse", *sorted((tmp_path / f"data/case{seed}").glob("rater*")), "-o", f"case{seed}.nii.gz").code == 0
        )
    assert crema("cohort", "run", "data", "-o", "run").code == 0
    return tmp_path


def test_masks_that_changed_since_the_run_are_not_taken_for_its_own(crema, small):
    shutil.copy(small / "data/case2/rater-1.nii.gz", small / "data/case1/rater-1.nii.gz")
    result = crema("study", "run", "-o", "tables", "--candidate", "case*.nii.gz", "--panel")
    assert result.code == 5 and "The masks of 1 of 3 cases changed since the run (case1)" in result.err, result
    assert {row["case"] for row in read_table(small / "tables/candidate.csv")} == {"case2", "case3"}


def test_a_candidate_that_is_empty_or_a_raters_own_is_named(crema, small):
    shutil.copy(small / "data/case1/rater-2.nii.gz", small / "case1.nii.gz")
    nothing = nibabel.load(small / "case2.nii.gz")
    nibabel.Nifti1Image(0 * numpy.asarray(nothing.dataobj), nothing.affine).to_filename(small / "case2.nii.gz")
    result = crema("study", "run", "-o", "tables", "--candidate", "case*.nii.gz")
    assert result.code == 0 and "case1.nii.gz is identical to rater 2 (" in result.err, result
    assert result.err.count("is identical to") == 1 and "case2.nii.gz: the mask is empty." in result.err, result
    one = crema("agreement", *sorted((small / "data/case1").glob("rater*")), "--candidate", "case1.nii.gz")
    assert "case1.nii.gz is identical to rater 2 (" in one.err, one
