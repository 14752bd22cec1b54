# SPDX-License-Identifier: Apache-2.0
"""What cannot be found or read is a failure with a name, and no reason to lose what is done."""

import os
import shutil
import subprocess
import tempfile
from pathlib import Path

import numpy
import pytest
from cohort_kit import RATERS, bytes_of, make_cohort, mask, place, read_table, save, write_manifest
from conftest import PATIENCE
from subject import Result

NOBODY = 65534


@pytest.fixture
def finished(crema, tmp_path):
    make_cohort(tmp_path / "data", cases=3)
    rows = [(f"p{c}", name, f"data/{place('cases', c, r)}") for c in range(3) for r, name in enumerate(RATERS)]
    write_manifest(tmp_path / "m.tsv", rows)
    for data in ("data", "m.tsv"):
        assert crema("cohort", "run", data, "-o", f"run-{data}").code == 0
    return tmp_path


def results(folder):
    """All that cases left but failures, and the tables of numbers."""
    names = ("methods", "raters", "components", "component_raters", "rater_pairs", "method_pairs")
    tables = [f"{name}.csv" for name in names]
    found = bytes_of(folder)
    return {k: v for k, v in found.items() if (k.startswith("cases/") and "failure" not in k) or k in tables}


@pytest.mark.parametrize("data", ["data", "m.tsv"])
def test_results_stay_while_the_data_are_away(crema, finished, data):
    run = finished / f"run-{data}"
    before = results(run)
    whole = bytes_of(run)
    os.rename(finished / "data", finished / "elsewhere")
    for away in ("nothing", "an empty folder"):
        if away == "an empty folder":
            (finished / "data").mkdir()
        reply = crema("cohort", "run", data, "-o", run)
        assert reply.code == 5 and "does not exist" in reply.out + reply.err, (away, reply)
        assert results(run) == before
        failures = read_table(run / "failures.csv")
        assert len(failures) == 3 and {row["class"] for row in failures} == {"away"}
        assert {row["transient"] for row in failures} == {"true"}
        assert crema("cohort", "merge", run).code == 5 and results(run) == before
    (finished / "data").rmdir()
    os.rename(finished / "elsewhere", finished / "data")
    reply = crema("cohort", "run", data, "-o", run)
    assert reply.code == 0 and "0 made, 3 already there, 0 failed" in reply.out
    assert bytes_of(run) == whole


def test_a_shard_whose_files_are_away_keeps_its_results(crema, finished):
    assert crema("cohort", "plan", "data", "-o", "parts", "--shards", "1").code == 0
    assert crema("cohort", "run", "--shard", "1", "-o", "parts").code == 0
    assert crema("cohort", "merge", "parts").code == 0
    before = results(finished / "parts")
    os.rename(finished / "data/case01/anna.nii.gz", finished / "anna.nii.gz")
    assert crema("cohort", "run", "--shard", "1", "-o", "parts").code == 5
    reply = crema("cohort", "merge", "parts")
    assert reply.code == 5 and "case01 (away)" in reply.out and "1 of those done" in reply.out
    assert results(finished / "parts") == before
    status = crema("cohort", "status", "parts")
    assert status.code == 5 and "1, all finished, 1 with failed cases" in status.out, status


def test_data_that_never_were_there_are_refused(crema, finished):
    assert crema("cohort", "run", "nowhere", "-o", "new").code == 3
    assert crema("cohort", "run", "nowhere", "-o", "run-data").code == 3
    assert not (finished / "new").exists()


def test_a_case_that_is_deleted_is_told_and_in_no_table(crema, finished):
    shutil.rmtree(finished / "data/case01")
    reply = crema("cohort", "run", "data", "-o", "run-data")
    assert reply.code == 0 and "no longer in the data: case01" in reply.err, reply
    for table in (finished / "run-data").glob("*.csv"):
        assert b"case01" not in table.read_bytes(), table
    assert (finished / "run-data/cases/case01/result.json").exists()


@pytest.fixture
def as_nobody(program):
    """as_nobody("cohort", ...) in a folder that nobody may use, where root would be let in everywhere."""
    place = Path(tempfile.mkdtemp())
    os.chmod(place, 0o777)
    root = os.geteuid() == 0
    if root and not all(p.stat().st_mode & 1 for p in [Path(program).resolve(), *Path(program).resolve().parents]):
        pytest.skip("root may do everything, and nobody cannot run the program where it is")

    def become():
        if root:
            os.setgroups([])
            os.setgid(NOBODY)
            os.setuid(NOBODY)

    def run(*words):
        done = subprocess.run([program, *words], cwd=place, capture_output=True, timeout=PATIENCE, preexec_fn=become)
        return Result(done)

    yield run, place
    subprocess.run(["chmod", "-R", "u+rwx", place], check=True)
    shutil.rmtree(place)


@pytest.mark.parametrize("mode", [0o000, 0o444])
def test_a_case_whose_folder_cannot_be_read_fails(as_nobody, mode):
    run, folder = as_nobody
    make_cohort(folder / "data", cases=3)
    os.chmod(folder / "data/case01", mode)
    reply = run("cohort", "run", "data", "-o", "run", "-q")
    assert reply.code == 5, reply
    failures = read_table(folder / "run/failures.csv")
    assert [(row["case"], row["class"]) for row in failures] == [("case01", "away")]
    assert [row["status"] for row in read_table(folder / "run/cases.csv")] == ["done", "failed", "done"]
    assert run("cohort", "list", "data").code == (5 if mode == 0 else 0)
    assert run("cohort", "plan", "data", "-o", "parts", "--shards", "2").code == 0
    codes = [run("cohort", "run", "--shard", str(s), "-o", "parts").code for s in (1, 2)]
    assert sorted(codes) == [0, 5] and run("cohort", "merge", "parts").code == 5
    assert (folder / "parts/failures.csv").read_bytes() == (folder / "run/failures.csv").read_bytes()
    os.chmod(folder / "data/case01", 0o755)
    assert run("cohort", "run", "data", "-o", "run", "-q").code == 0
    assert read_table(folder / "run/failures.csv") == []


def test_a_rater_whose_folder_cannot_be_read_fails_every_case(as_nobody):
    run, folder = as_nobody
    make_cohort(folder / "data", "raters", cases=3)
    os.chmod(folder / "data/ben", 0)
    reply = run("cohort", "run", "data", "-o", "run", "--layout", "raters", "-q")
    assert reply.code == 5, reply
    failures = read_table(folder / "run/failures.csv")
    assert len(failures) == 3 and all("ben: cannot be opened" in row["message"] for row in failures)


def test_a_folder_whose_parts_cannot_be_looked_at_is_no_empty_one(as_nobody):
    run, folder = as_nobody
    make_cohort(folder / "data", cases=2)
    os.chmod(folder / "data", 0o444)
    reply = run("cohort", "run", "data", "-o", "run", "-q")
    assert reply.code == 5 and len(read_table(folder / "run/failures.csv")) == 2, reply
    os.chmod(folder / "data", 0)
    reply = run("cohort", "run", "data", "-o", "new")
    assert reply.code == 3 and "cannot be opened" in reply.err


def test_one_axis_for_all_cases(crema, tmp_path):
    make_cohort(tmp_path / "data", cases=2)
    assert crema("cohort", "run", "data", "-o", "run", "--slice-wise").code == 0
    assert {row["slice_wise"] for row in read_table(tmp_path / "run/methods.csv")} == {"z"}
    for k, name in enumerate(RATERS):
        save(tmp_path / f"data/case07/{name}.nii.gz", mask(1, k), numpy.diag([1.0, 3.0, 1.0, 1.0]))
    reply = crema("cohort", "run", "data", "-o", "other", "--slice-wise")
    assert reply.code == 2 and "across z in case case00 and across y in case case07" in reply.err, reply
    assert "--slice-wise z" in reply.err and not (tmp_path / "other").exists()
    assert crema("cohort", "run", "data", "-o", "other", "--slice-wise", "z").code == 0
    assert {row["slice_wise"] for row in read_table(tmp_path / "other/methods.csv")} == {"z"}


def image_beside(folder, layout="cases"):
    rng = numpy.random.default_rng(1)
    for case in range(2):
        ct = rng.normal(0, 300, (10, 9, 5)).astype(numpy.float32)
        save(folder / (f"case{case:02}/ct.nii.gz" if layout == "cases" else f"images/case{case:02}.nii.gz"), ct)


@pytest.mark.parametrize("layout, pattern", [("cases", "ct.nii.gz"), ("raters", "images/*")])
def test_an_image_among_the_masks_is_no_rater(crema, tmp_path, layout, pattern):
    make_cohort(tmp_path / "data", layout, cases=2)
    assert crema("cohort", "run", "data", "-o", "plain", "--layout", layout).code == 0
    image_beside(tmp_path / "data", layout)
    words = ("data", "--layout", layout)
    refused = crema("cohort", "run", *words, "-o", "refused")
    lines = refused.out[refused.out.index("Failed:") :].splitlines()
    assert refused.code == 5 and lines[1].startswith("  case00, case01 (input): "), refused
    assert "looks like an image, not a mask; leave it out, or give it with --image" in lines[1]
    assert lines[2].startswith("this run"), lines
    assert crema("cohort", "run", *words, "-o", "except", "--except", f"x*,{pattern}").code == 0
    assert crema("cohort", "run", *words, "-o", "image", "--image", pattern).code == 0
    for run in ("except", "image"):
        for table in ("cases.csv", "methods.csv", "raters.csv"):
            assert (tmp_path / run / table).read_bytes() == (tmp_path / "plain" / table).read_bytes()
    record = (tmp_path / "image/cases/case01/result.json").read_text()
    named = "case01/ct.nii.gz" if layout == "cases" else "images/case01.nii.gz"
    assert f'"image": "{named}"' in record
    assert named in (tmp_path / "image/manifest.tsv").read_text()
    unused = crema("cohort", "list", *words, "--except", "nothing*")
    assert "No file matches --except" in unused.err
    assert crema("cohort", "list", *words, "--image", pattern).code == 0
