# SPDX-License-Identifier: Apache-2.0
"""A cohort from files to tables: layouts, tables, failures, and runs that go on where they stopped."""

import json
import os
import shutil
import subprocess
from pathlib import Path

import nibabel
import numpy
import pytest
from cohort_kit import AFFINE, RATERS, TABLES, bytes_of, make_cohort, mask, place, read_table, save, write_manifest
from conftest import PATIENCE


@pytest.mark.parametrize(
    "layout, words",
    [("cases", "a folder for each case"), ("raters", "a folder for each rater"), ("bids", "a BIDS tree")],
)
def test_a_layout_is_recognised_and_said(crema, tmp_path, layout, words):
    make_cohort(tmp_path / "data", layout)
    result = crema("cohort", "list", "data")
    assert result.code == 0 and words in result.out, result
    assert "3 (anna, ben, carl)" in result.out and "5 (" in result.out


def test_every_layout_gives_the_same_numbers(crema, tmp_path):
    tables = []
    for layout in ("cases", "raters", "bids"):
        make_cohort(tmp_path / layout, layout)
        assert crema("cohort", "run", layout, "-o", f"run-{layout}").code == 0
        rows = read_table(tmp_path / f"run-{layout}/raters.csv")
        tables.append([{k: v for k, v in row.items() if k != "case"} for row in rows])
    assert tables[0] == tables[1] == tables[2] and len(tables[0]) == 15


def untimed(rows):
    """Without what differs from run to run, and raters without the endings of their files."""
    times = {"read_s", "count_s", "solve_s", "write_s"}
    return [{k: v.replace(".nii.gz", "") for k, v in row.items() if k not in times} for row in rows]


def test_the_tables_are_those_of_agreement_and_compare(crema, tmp_path):
    make_cohort(tmp_path / "data", cases=2)
    assert crema("cohort", "run", "data", "-o", "run", "--methods", "jaccard,staple").code == 0
    raters = [f"data/case01/{name}.nii.gz" for name in RATERS]
    crema("agreement", *raters, "--csv", "one", "--methods", "jaccard,staple", "--case", "case01")
    crema("compare", *raters, "--csv", "two", "--methods", "jaccard,staple", "--case", "case01")
    for table, folder in [
        ("raters", "one"),
        ("components", "one"),
        ("component_raters", "one"),
        ("rater_pairs", "one"),
        ("methods", "two"),
        ("method_pairs", "two"),
    ]:
        alone = read_table(tmp_path / folder / f"{table}.csv")
        merged = [row for row in read_table(tmp_path / f"run/{table}.csv") if row["case"] == "case01"]
        assert untimed(alone) == untimed(merged) and merged, table


def test_a_consensus_is_what_fuse_makes(crema, tmp_path):
    make_cohort(tmp_path / "data", cases=2)
    assert crema("cohort", "run", "data", "-o", "run").code == 0
    crema("fuse", *(f"data/case01/{name}.nii.gz" for name in RATERS), "-o", "alone.nii.gz")
    assert (tmp_path / "alone.nii.gz").read_bytes() == (tmp_path / "run/cases/case01/jaccard.nii.gz").read_bytes()


def test_a_manifest_with_missing_raters_is_read_and_told(crema, tmp_path):
    make_cohort(tmp_path / "data", cases=3)
    rows = [(f"P{case}", RATERS[r], f"data/{place('cases', case, r)}") for case in range(3) for r in range(3)]
    write_manifest(tmp_path / "all.tsv", rows[:-1])
    listed = crema("cohort", "list", "all.tsv")
    assert listed.code == 0 and "1 case with 2 of 3 raters" in listed.out
    assert crema("cohort", "run", "all.tsv", "-o", "run").code == 0
    cases = read_table(tmp_path / "run/cases.csv")
    assert [row["missing_raters"] for row in cases] == ["", "", "carl"]
    assert [row["raters"] for row in cases] == ["3", "3", "2"]


@pytest.mark.parametrize("separator", [",", ";", "\t"])
def test_any_usual_separator_will_do(crema, tmp_path, separator):
    make_cohort(tmp_path / "data", cases=1)
    rows = [("P", name, f"data/case00/{name}.nii.gz") for name in RATERS]
    write_manifest(tmp_path / "all.csv", rows, separator)
    assert "3 (anna, ben, carl)" in crema("cohort", "list", "all.csv").out


def refusal(crema, *arguments, code=3):
    result = crema("cohort", *arguments)
    assert result.code == code, result
    return result.err


def test_a_manifest_that_makes_no_sense_is_refused_by_line(crema, tmp_path):
    def tell(text):
        (tmp_path / "m.csv").write_text(text)
        return refusal(crema, "list", "m.csv")

    assert "has two files" in tell("case,rater,path\na,r,x.nii\na,r,y.nii\n")
    assert "(line 2)" in tell("case,rater,path\na,r,x.nii\na,r,y.nii\n")
    assert "line 3 has 2 fields" in tell("case,rater,path\na,r,x.nii\na,r\n")
    assert "line 2: the rater is empty" in tell("case,rater,path\na,,x.nii\n")
    assert "column path" in tell("case,rater,file\na,r,x.nii\n")
    assert "a quote is not closed" in tell('case,rater,path\n"a,r,x.nii\n')
    assert "is empty" in tell("")
    assert "lists no case" in tell("case,rater,path\n")
    (tmp_path / "m.csv").write_bytes(b"\x00\x01")
    assert "is not a text" in refusal(crema, "list", "m.csv")
    assert "does not exist" in refusal(crema, "list", "nowhere")
    (tmp_path / "empty").mkdir()
    assert "no masks are found" in refusal(crema, "list", "empty")


def test_a_folder_that_could_be_either_is_asked_about(crema, tmp_path):
    for a in ("a", "b", "c"):
        for b in ("x", "y", "z"):
            save(tmp_path / f"data/{a}/{b}.nii.gz", mask(0, 0))
    reply = refusal(crema, "list", "data")
    assert "--layout cases or --layout raters" in reply
    assert "(x, y, z)" in crema("cohort", "list", "data", "--layout", "cases").out
    assert "(a, b, c)" in crema("cohort", "list", "data", "--layout", "raters").out.splitlines()[2]


def test_links_that_lead_back_are_left_out(crema, tmp_path):
    make_cohort(tmp_path / "data")
    os.symlink("..", tmp_path / "data/case00/up")
    os.symlink("loop", tmp_path / "data/loop")
    result = crema("cohort", "list", "data")
    assert result.code == 0 and "leads back" in result.err and "5 (case00" in result.out


def test_bids_takes_entities_in_either_order_and_writes_them_in_the_right_one(crema, tmp_path):
    for subject in ("01", "02"):
        for k, name in enumerate(RATERS):
            order = f"desc-{name}_label-lesion" if k == 1 else f"label-lesion_desc-{name}"
            save(tmp_path / f"data/sub-{subject}/anat/sub-{subject}_{order}_mask.nii.gz", mask(0, k))
    assert crema("cohort", "run", "data", "-o", "run").code == 0
    assert (tmp_path / "run/sub-01/anat/sub-01_label-lesion_desc-crema_mask.nii.gz").exists()
    assert json.loads((tmp_path / "run/dataset_description.json").read_text())["DatasetType"] == "derivative"
    save(tmp_path / "data/sub-01/anat/sub-01_desc-anna_label-lesion_mask.nii.gz", mask(0, 0))
    assert "has two files" in refusal(crema, "list", "data")


@pytest.fixture
def broken(tmp_path):
    """Five cases; one has a damaged file, one raters on different grids."""
    make_cohort(tmp_path / "data")
    (tmp_path / "data/case01/ben.nii.gz").write_bytes(b"no mask at all")
    save(tmp_path / "data/case03/carl.nii.gz", numpy.ones((3, 3, 3), numpy.uint8), numpy.diag([7, 7, 7, 1]))
    return tmp_path


def test_a_run_goes_on_past_bad_cases(crema, broken):
    result = crema("cohort", "run", "data", "-o", "run")
    assert result.code == 5, result
    assert "3 done, 2 failed, 0 still to be done" in result.out
    assert "case01 (input): case01/ben.nii.gz" in result.out
    failures = read_table(broken / "run/failures.csv")
    assert [row["case"] for row in failures] == ["case01", "case03"]
    assert all(row["class"] == "input" and row["transient"] == "false" for row in failures)
    cases = read_table(broken / "run/cases.csv")
    assert [row["status"] for row in cases] == ["done", "failed", "done", "failed", "done"]
    failure = json.loads((broken / "run/cases/case01/failure.json").read_text())
    assert failure["class"] == "input" and not (broken / "run/cases/case01/result.json").exists()


def test_a_rerun_does_only_what_is_missing_or_changed(crema, broken):
    crema("cohort", "run", "data", "-o", "run")
    before = bytes_of(broken / "run")
    result = crema("cohort", "run", "data", "-o", "run")
    assert result.code == 5 and "0 made, 3 already there, 2 failed" in result.out
    assert bytes_of(broken / "run") == before
    save(broken / "data/case01/ben.nii.gz", mask(1, 1))
    (broken / "run/cases/case00/jaccard.nii.gz").unlink()
    os.truncate(broken / "run/cases/case02/result.json", 100)
    result = crema("cohort", "run", "data", "-o", "run")
    assert "3 made, 1 already there, 1 failed" in result.out, result
    after = bytes_of(broken / "run")
    assert after["cases/case00/jaccard.nii.gz"] == before["cases/case00/jaccard.nii.gz"]
    assert after["cases/case02/result.json"] == before["cases/case02/result.json"]
    assert "cases/case01/failure.json" not in after


def test_a_failure_is_put_beside_a_finished_result(crema, tmp_path):
    make_cohort(tmp_path / "data", cases=2)
    assert crema("cohort", "run", "data", "-o", "run").code == 0
    kept = (tmp_path / "data/case00/anna.nii.gz").read_bytes()
    before = bytes_of(tmp_path / "run")
    (tmp_path / "data/case00/anna.nii.gz").write_bytes(b"")
    assert crema("cohort", "run", "data", "-o", "run").code == 5
    after = bytes_of(tmp_path / "run")
    assert {name for name in before if name.startswith("cases/") and after.get(name) != before[name]} == set()
    # It is of other files, so that no number of it is in a table.
    assert [row["status"] for row in read_table(tmp_path / "run/cases.csv")] == ["failed", "done"]
    assert {row["case"] for row in read_table(tmp_path / "run/methods.csv")} == {"case01"}
    (tmp_path / "data/case00/anna.nii.gz").write_bytes(kept)
    assert crema("cohort", "run", "data", "-o", "run").code == 0
    assert bytes_of(tmp_path / "run") == before


def test_a_folder_of_other_settings_is_refused_with_the_fix(crema, tmp_path):
    make_cohort(tmp_path / "data", cases=2)
    crema("cohort", "run", "data", "-o", "run")
    before = bytes_of(tmp_path / "run", times=True)
    reply = refusal(crema, "run", "data", "-o", "run", "--blocks", "group", code=2)
    assert "other settings" in reply and "--force" in reply
    reply = refusal(crema, "run", "data", "-o", "run", "--methods", "dice,tanimoto", code=2)
    assert "with the methods jaccard, and now they are dice, tanimoto; " in reply
    assert bytes_of(tmp_path / "run", times=True) == before
    run = json.loads((tmp_path / "run/run.json").read_text())
    run["run"]["version"] = "0.0.1"
    (tmp_path / "run/run.json").write_text(json.dumps(run))
    assert "was written by crema 0.0.1" in refusal(crema, "run", "data", "-o", "run", code=2)
    assert crema("cohort", "run", "data", "-o", "run", "--methods", "dice", "--force").code == 0
    assert sorted(os.listdir(tmp_path / "run/cases/case00")) == ["dice.nii.gz", "result.json", "times.csv"]
    (tmp_path / "other").mkdir()
    (tmp_path / "other/thesis.txt").write_text("mine")
    assert "is not empty" in refusal(crema, "run", "data", "-o", "other", code=2)


def test_one_or_many_threads_give_the_same_bytes(crema, tmp_path):
    make_cohort(tmp_path / "data", cases=8)
    for threads in (1, 4):
        arguments = ("-o", f"run{threads}", "--threads", str(threads), "--methods", "paper")
        assert crema("cohort", "run", "data", *arguments).code == 0
    assert bytes_of(tmp_path / "run1") == bytes_of(tmp_path / "run4")


def test_shards_and_a_merge_give_the_bytes_of_one_run(crema, tmp_path):
    make_cohort(tmp_path / "data", cases=7)
    save(tmp_path / "data/case05/carl.nii.gz", numpy.ones((3, 3, 3), numpy.uint8), numpy.diag([7, 7, 7, 1]))
    assert crema("cohort", "run", "data", "-o", "whole", "--slice-wise").code == 5
    assert crema("cohort", "plan", "data", "-o", "parts", "--shards", "3", "--slice-wise").code == 0
    assert crema("cohort", "status", "parts").code == 5
    codes = [crema("cohort", "run", "--shard", str(i), "-o", "parts").code for i in (3, 1, 2)]
    assert sorted(codes) == [0, 0, 5]
    assert crema("cohort", "merge", "parts").code == 5
    plain = lambda files: {k: v for k, v in files.items() if not k.startswith("plan")}  # noqa: E731
    assert plain(bytes_of(tmp_path / "parts")) == plain(bytes_of(tmp_path / "whole"))
    assert "has no shard 4" in refusal(crema, "run", "--shard", "4", "-o", "parts", code=2)
    assert sorted(os.listdir(tmp_path / "parts/plan"))[-5:] == [
        "00001.tsv",
        "00002.tsv",
        "00003.tsv",
        "plan.json",
        "sizes.json",
    ]


def test_a_table_is_there_even_where_every_case_failed(crema, tmp_path):
    make_cohort(tmp_path / "data", cases=1)
    (tmp_path / "data/case00/ben.nii.gz").write_bytes(b"")
    assert crema("cohort", "run", "data", "-o", "run").code == 5
    for table in TABLES:
        assert (tmp_path / f"run/{table}.csv").read_bytes().count(b"\r\n") == (
            2 if table in ("cases", "failures") else 1
        )


def test_odd_names_of_cases_get_folders_of_their_own(crema, tmp_path):
    save(tmp_path / "x.nii.gz", mask(0, 0))
    names = ["a/b", "..", "a b", "é", "a%2Fb", "x" * 300, '"quoted"', "-o"]
    rows = [
        (name.replace('"', '""').join('""') if '"' in name else name, r, "x.nii.gz") for name in names for r in "pq"
    ]
    write_manifest(tmp_path / "m.tsv", rows)
    assert crema("cohort", "run", "m.tsv", "-o", "run").code == 0
    assert len(os.listdir(tmp_path / "run/cases")) == len(names)
    assert sorted(row["case"] for row in read_table(tmp_path / "run/cases.csv")) == sorted(
        f"'{name}" if name.startswith("-") else name  # no spreadsheet takes it for a formula
        for name in names
    )


def test_levels_are_written_and_images_can_be_left_out(crema, tmp_path):
    make_cohort(tmp_path / "data", cases=1)
    assert crema("cohort", "run", "data", "-o", "run", "--methods", "average").code == 0
    levels = nibabel.load(tmp_path / "run/cases/case00/average.nii.gz")
    assert numpy.array_equal(levels.affine, AFFINE) and 0 < levels.get_fdata().max() <= 1
    assert crema("cohort", "run", "data", "-o", "bare", "--no-images").code == 0
    assert sorted(os.listdir(tmp_path / "bare/cases/case00")) == ["result.json", "times.csv"]


def test_the_folder_of_a_run_below_the_data_is_no_case(crema, tmp_path):
    make_cohort(tmp_path / "data")
    assert crema("cohort", "run", "data", "-o", "data/run").code == 0
    result = crema("cohort", "run", "data", "-o", "data/run")
    assert result.code == 0 and "0 made, 5 already there" in result.out


def test_bids_validator_accepts_the_results(crema, tmp_path):
    own = Path(__file__).resolve().parents[3] / "build/venv/bin"
    validator = shutil.which("bids-validator-deno", path=f"{own}:{os.environ['PATH']}")
    if not validator:
        pytest.skip("bids-validator-deno is not installed; scripts/test installs it")
    make_cohort(tmp_path / "data", "bids", cases=2)
    assert crema("cohort", "run", "data", "-o", "run", "--methods", "jaccard,average").code == 0
    done = subprocess.run([validator, "--json", tmp_path / "run"], capture_output=True, text=True, timeout=PATIENCE)
    issues = json.loads(done.stdout)["issues"]["issues"]
    errors = [issue for issue in issues if issue["severity"] == "error"]
    assert done.returncode == 0 and errors == [], errors
    # The validator sees what is wrong with a name.
    bad = tmp_path / "run/sub-00/anat/sub-00_desc-crema_label-lesion_mask.nii.gz"
    shutil.copy(tmp_path / "run/sub-00/anat/sub-00_label-lesion_desc-cremajaccard_mask.nii.gz", bad)
    assert subprocess.run([validator, tmp_path / "run"], capture_output=True, timeout=PATIENCE).returncode != 0


def test_defects_are_counted_by_kind_and_routine_notes_are_folded(crema, tmp_path):
    """An empty mask and a copy do not drown in what STAPLE says of every case."""
    make_cohort(tmp_path / "data", cases=4)
    cases = sorted((tmp_path / "data").iterdir())
    shutil.copy(cases[1] / "anna.nii.gz", cases[1] / "ben.nii.gz")
    image = nibabel.load(cases[2] / "carl.nii.gz")
    empty = numpy.zeros(image.shape, numpy.uint8)
    nibabel.Nifti1Image(empty, image.affine).to_filename(cases[2] / "carl.nii.gz")
    result = crema("cohort", "run", "data", "-o", "run", "--methods", "jaccard,staple")
    assert result.code == 0, result
    for reply in (result.out, crema("cohort", "merge", "run").out):
        lines = [line.strip() for line in reply.splitlines()]
        assert any(
            line.startswith("defects") and f"empty-mask in 1 case ({cases[2].name}: carl)" in line for line in lines
        )
        assert any(line.startswith("copy in") and f"{cases[1].name}: ben)" in line for line in lines), reply
        assert not any("against-majority" in line for line in lines), reply
    rows = {row["case"]: row for row in read_table(tmp_path / "run/cases.csv")}
    assert "empty-mask" in rows[cases[2].name]["warning_kinds"].split(";")
    page = (tmp_path / "run/cohort.html").read_text()
    noticed = page[page.index('id="warnings-section"') :].split("<details>")[0]
    assert "the mask is empty" in noticed and "against-majority" not in noticed
    record = json.loads((tmp_path / f"run/cases/{cases[2].name}/result.json").read_text())
    assert record["warning_kinds"][0] == {"kind": "empty-mask", "severity": "defect"}
