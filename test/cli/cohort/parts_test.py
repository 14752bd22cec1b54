# SPDX-License-Identifier: Apache-2.0
"""Shards bring their own tables; merging joins them, and trusts none that is torn or of something else."""

import csv
import json
import os
import shutil
import signal
import subprocess
import time

import numpy
import pytest
from cohort_kit import (
    RATERS,
    bytes_of,
    case_folder,
    make_cohort,
    mask,
    read_table,
    save,
    sealed,
    unsealed,
    write_manifest,
)
from conftest import PATIENCE, SLOWDOWN

TABLES = ["cases", "methods", "raters", "components", "component_raters", "rater_pairs", "method_pairs", "review"]
TABLES += ["failures", "times"]


def shards(crema, folder, count, *words):
    """A run in so many shards, not yet merged."""
    assert crema("cohort", "plan", "data", "-o", folder, "--shards", str(count), *words).code == 0
    for shard in range(1, count + 1):
        done = crema("cohort", "run", "--shard", str(shard), "-o", folder, "-q")
        assert done.code in (0, 5), done


@pytest.fixture
def cohort(crema, tmp_path):
    """Seven cases; one fails, one lacks a rater whom the others have."""
    make_cohort(tmp_path / "data", cases=7)
    save(tmp_path / "data/case05/carl.nii.gz", numpy.ones((3, 3, 3), numpy.uint8), numpy.diag([7, 7, 7, 1]))
    (tmp_path / "data/case02/carl.nii.gz").unlink()
    return tmp_path


def merged(folder):
    return {name: digest for name, digest in bytes_of(folder).items() if "/" not in name and name != "run.json"}


def test_any_number_of_shards_gives_the_same_tables_and_page(crema, cohort):
    assert crema("cohort", "run", "data", "-o", "whole", "-m", "jaccard,staple").code == 5
    for count in (1, 3, 7):
        shards(crema, f"run{count}", count, "-m", "jaccard,staple")
        reply = crema("cohort", "merge", f"run{count}")
        assert reply.code == 5 and "6 done, 1 failed" in reply.out
        assert merged(cohort / f"run{count}") == merged(cohort / "whole")


def test_labels_too(crema, tmp_path):
    for case in range(5):
        for rater, name in enumerate(RATERS):
            array = mask(case, rater)
            array[array > 0] = 1 + (case + rater) % 2
            save(tmp_path / f"data/case{case:02}/{name}.nii.gz", array)
    assert crema("cohort", "run", "data", "-o", "whole", "--labels", "all").code == 0
    shards(crema, "run", 3, "--labels", "all")
    assert crema("cohort", "merge", "run").code == 0
    assert merged(tmp_path / "run") == merged(tmp_path / "whole")
    assert (tmp_path / "run/parts/00001/joint.csv").exists()


def test_parts_are_the_rows_of_the_tables(crema, cohort):
    shards(crema, "run", 3)
    assert crema("cohort", "merge", "run").code == 5
    for table in TABLES:
        rows = []
        for part in sorted(cohort.glob(f"run/parts/*/{table}.csv")):
            own = read_table(part)
            assert [row["case"] for row in own] == sorted(row["case"] for row in own)
            rows += own
        # A stable sort by case: each case is in one part.
        assert sorted(rows, key=lambda row: row["case"]) == read_table(cohort / f"run/{table}.csv"), table
    missing = {row["case"]: row["missing_raters"] for row in read_table(cohort / "run/cases.csv")}
    assert missing["case02"] == "carl"


def test_a_part_is_taken_without_looking_at_its_cases(crema, cohort):
    shards(crema, "run", 3)
    shutil.rmtree(cohort / "run/cases")
    reply = crema("cohort", "merge", "run")
    assert reply.code == 5 and "6 done, 1 failed" in reply.out
    reply = crema("cohort", "merge", "run", "--verify")
    assert reply.code == 5 and "0 done, 0 failed, 7 still to be done" in reply.out


def torn(part):
    path = part / "raters.csv"
    path.write_bytes(path.read_bytes()[:-30])


def changed(part):
    path = part / "methods.csv"
    path.write_bytes(path.read_bytes().replace(b"jaccard", b"jaccord", 1))


def without_a_table(part):
    (part / "cases.csv").unlink()


def without_its_record(part):
    (part / "part.json").unlink()


def with_half_a_record(part):
    path = part / "part.json"
    path.write_bytes(path.read_bytes()[:100])


def of_other_settings(part):
    record = json.loads((part / "part.json").read_text())
    record["run"] = "0" * 64
    del record["sha256"]
    (part / "part.json").write_bytes(sealed(json.dumps(record, indent=2)[:-2].encode()))


def that_names_another_file(part):
    record = json.loads((part / "part.json").read_text())
    record["files"][0]["name"] = "../../run.json"
    del record["sha256"]
    (part / "part.json").write_bytes(sealed(json.dumps(record, indent=2)[:-2].encode()))


def gone(part):
    shutil.rmtree(part)


DAMAGES = [
    torn,
    changed,
    without_a_table,
    without_its_record,
    with_half_a_record,
    of_other_settings,
    that_names_another_file,
    gone,
]


def test_a_part_that_cannot_be_trusted_is_made_again(crema, cohort):
    shards(crema, "run", 3)
    assert crema("cohort", "merge", "run").code == 5
    whole, parts = merged(cohort / "run"), {p: p.read_bytes() for p in (cohort / "run/parts").glob("*/*")}
    for damage in DAMAGES:
        damage(cohort / "run/parts/00002")
        reply = crema("cohort", "merge", "run")
        assert reply.code == 5 and "6 done, 1 failed" in reply.out, damage
        assert merged(cohort / "run") == whole, damage
        assert {p: p.read_bytes() for p in (cohort / "run/parts").glob("*/*")} == parts, damage


def test_a_shard_that_was_killed_leaves_no_part_behind(crema, program, tmp_path):
    make_cohort(tmp_path / "data", cases=4)
    shards(crema, "run", 2)
    assert crema("cohort", "merge", "run").code == 0
    # Other masks: the results change while the old part would still say what they were.
    for case in range(4):
        save(tmp_path / f"data/case{case:02}/anna.nii.gz", mask(case + 1, 1))
    for wait in (0.0, 0.02, 0.05):
        child = subprocess.Popen([program, "cohort", "run", "--shard", "1", "-o", "run", "-q"], cwd=tmp_path)
        time.sleep(wait * SLOWDOWN)
        child.send_signal(signal.SIGKILL)
        child.wait()
        # A case whose result was just being replaced is still to be done: then all of them say so.
        first = crema("cohort", "merge", "run").code
        assert first in (0, 5)
        tables = merged(tmp_path / "run")
        for words in (["--verify"], []):
            assert crema("cohort", "merge", "run", *words).code == first
            assert merged(tmp_path / "run") == tables


def test_a_shard_with_nothing_to_do_keeps_its_part(crema, tmp_path):
    make_cohort(tmp_path / "data", cases=4)
    shards(crema, "run", 2)
    before = {path: path.stat().st_ino for path in (tmp_path / "run/parts").glob("*/*")}
    for shard in "12":
        assert crema("cohort", "run", "--shard", shard, "-o", "run", "-q").code == 0
    assert {path: path.stat().st_ino for path in (tmp_path / "run/parts").glob("*/*")} == before


def test_a_run_without_shards_forgets_the_plan(crema, tmp_path):
    make_cohort(tmp_path / "data", cases=4)
    shards(crema, "run", 2)
    make_cohort(tmp_path / "data", cases=5)
    assert crema("cohort", "run", "data", "-o", "run").code == 0
    assert not (tmp_path / "run/parts").exists()
    reply = crema("cohort", "merge", "run")
    assert reply.code == 0 and "5 done" in reply.out


def test_another_plan_makes_its_own_parts(crema, tmp_path):
    make_cohort(tmp_path / "data", cases=5)
    shards(crema, "run", 4)
    assert crema("cohort", "plan", "data", "-o", "run", "--shards", "2").code == 0
    assert sorted(os.listdir(tmp_path / "run/parts")) == ["00001", "00002"]
    reply = crema("cohort", "merge", "run")
    assert reply.code == 0 and "5 done" in reply.out
    # A list of cases that was not planned: which of the two is true nobody can say.
    (tmp_path / "run/plan/00001.tsv").write_text("case\trater\tpath\nx\ta\tb.nii\n")
    (tmp_path / "run/parts/00001/part.json").unlink()
    reply = crema("cohort", "merge", "run")
    assert reply.code == 2 and "plan/00001.tsv: is not the list of cases that was planned" in reply.err
    assert crema("cohort", "run", "--shard", "1", "-o", "run").code == 2


def test_two_merges_at_once_do_not_mix(crema, program, tmp_path):
    make_cohort(tmp_path / "data", cases=12)
    shards(crema, "run", 4)
    assert crema("cohort", "merge", "run").code == 0
    whole = merged(tmp_path / "run")
    shutil.rmtree(tmp_path / "run/parts")
    command = [program, "cohort", "merge", "run", "-q"]
    both = [subprocess.Popen(command, cwd=tmp_path, stderr=subprocess.DEVNULL) for _ in range(2)]
    assert sorted(child.wait(PATIENCE) for child in both) in ([0, 0], [0, 2])
    assert merged(tmp_path / "run") == whole
    # Killed at any time, the next merge makes the same.
    for wait in (0.0, 0.01, 0.03):
        shutil.rmtree(tmp_path / "run/parts")
        child = subprocess.Popen(command, cwd=tmp_path)
        time.sleep(wait * SLOWDOWN)
        child.kill()
        child.wait()
        assert crema("cohort", "merge", "run").code == 0
        assert merged(tmp_path / "run") == whole
        assert not (tmp_path / "run/.work").exists()


def test_tables_can_be_left_out(crema, tmp_path):
    make_cohort(tmp_path / "data", cases=3)
    shards(crema, "run", 2)
    for choice, names in (("full", TABLES), ("summary", ["cases", "methods", "failures"]), ("none", [])):
        reply = crema("cohort", "merge", "run", "--tables", choice)
        assert reply.code == 0
        assert sorted(path.stem for path in (tmp_path / "run").glob("*.csv")) == sorted(names)
        page = (tmp_path / "run/cohort.html").read_text()
        assert all((f'href="{table}.csv"' in page) == (table in names) for table in TABLES)
        assert ("--tables full" in reply.out) == (choice != "full")
    assert crema("cohort", "run", "data", "-o", "whole", "--tables", "summary").code == 0
    assert sorted(path.stem for path in (tmp_path / "whole").glob("*.csv")) == ["cases", "failures", "methods"]
    reply = crema("cohort", "run", "--shard", "1", "-o", "run", "--tables", "none")
    assert reply.code == 2 and "--tables" in reply.err and "cohort merge" in reply.err
    reply = crema("study", "whole", "-o", "study")
    assert reply.code == 3 and "has no raters.csv; crema cohort merge --tables full" in reply.err


def test_many_cases_get_a_summary_and_no_more_memory(crema, program, tmp_path):
    """Results that are copies of one, in parts that are made by hand, as shards would have made them."""
    peaks = {}
    for count in (1000, 10001):
        run = copies(crema, tmp_path, count)
        child = subprocess.Popen([program, "cohort", "merge", run], cwd=tmp_path, stdout=subprocess.PIPE, text=True)
        out = child.stdout.read()
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        assert child.returncode == 0 and f"{count} done" in out
        assert ("because there are more than 10000 cases" in out) == (count > 10000)
        peaks[count] = usage.ru_maxrss / 1024
        names = [row["case"] for row in read_table(tmp_path / run / "cases.csv")]
        assert names == [f"case{case:06}" for case in range(count)]
    if SLOWDOWN == 1:  # a sanitizer keeps what was freed
        assert peaks[10001] - peaks[1000] < 12, peaks


def copies(crema, folder, count, shard_count=10):
    """A run whose parts say that every case is done, with the numbers of one that is."""
    for rater in "ab":
        save(folder / f"{rater}.nii.gz", mask(0, 0))
    rows = [(f"case{case:06}", rater, f"{rater}.nii.gz") for case in range(count) for rater in "ab"]
    write_manifest(folder / f"all{count}.tsv", rows)
    run = folder / f"run{count}"
    assert crema("cohort", "plan", f"all{count}.tsv", "-o", run.name, "--shards", str(shard_count)).code == 0
    write_manifest(folder / "one.tsv", rows[:2])
    assert crema("cohort", "run", "one.tsv", "-o", f"one{count}").code == 0
    done = folder / f"one{count}/cases/case000000/result.json"
    result = unsealed(done.read_bytes())
    for case in range(count):
        folder = case_folder(run, f"case{case:06}")
        folder.mkdir(parents=True)
        text = result.replace(b"cases/case000000", os.fsencode(folder.relative_to(run)))
        (folder / "result.json").write_bytes(sealed(text.replace(b"case000000", b"case%06d" % case)))
    assert crema("cohort", "merge", run.name, "--tables", "none").code == 0
    return run.name


def test_rows_with_line_breaks_stay_whole(crema, tmp_path):
    rows = []
    for case in range(4):
        for rater in range(2):
            save(tmp_path / f"{case}-{rater}.nii.gz", mask(case, rater))
            rows.append((f'"line\nbreak {case}"', f'"a ""{rater}"""', f"{case}-{rater}.nii.gz"))
    write_manifest(tmp_path / "data.tsv", rows)
    (tmp_path / "data").symlink_to("data.tsv")
    assert crema("cohort", "run", "data.tsv", "-o", "whole").code == 0
    assert crema("cohort", "plan", "data.tsv", "-o", "run", "--shards", "3").code == 0
    for shard in "123":
        assert crema("cohort", "run", "--shard", shard, "-o", "run", "-q").code == 0
    assert crema("cohort", "merge", "run").code == 0
    assert merged(tmp_path / "run") == merged(tmp_path / "whole")
    with open(tmp_path / "run/cases.csv", newline="", encoding="utf-8") as file:
        assert [row["case"] for row in csv.DictReader(file)] == [f"line\nbreak {case}" for case in range(4)]
