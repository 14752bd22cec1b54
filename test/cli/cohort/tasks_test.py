# SPDX-License-Identifier: Apache-2.0
"""Tasks of any scheduler: which shard they do, how they wait for each other, and what they say."""

import os
import subprocess
import time

import pytest
from cohort_kit import bytes_of, make_cohort, read_table, write_manifest
from conftest import PATIENCE, SLOWDOWN

FROM_ONE = ["SLURM_ARRAY_TASK_ID", "SGE_TASK_ID", "PBS_ARRAY_INDEX", "PBS_ARRAYID", "LSB_JOBINDEX"]
FROM_ZERO = ["AWS_BATCH_JOB_ARRAY_INDEX", "JOB_COMPLETION_INDEX"]


def plan(crema, tmp_path, cases=4, shards=4):
    make_cohort(tmp_path / "data", cases=cases)
    assert crema("cohort", "plan", "data", "-o", "run", "--shards", str(shards)).code == 0


def test_every_scheduler_says_which_shard(crema, tmp_path):
    plan(crema, tmp_path, cases=7, shards=7)
    assert crema("cohort", "run", "data", "-o", "alone").code == 0
    for shard, variable in enumerate(FROM_ONE + FROM_ZERO, 1):
        number = shard - 1 if variable in FROM_ZERO else shard
        done = crema("cohort", "run", "--shard", "auto", "-o", "run", env={variable: str(number)})
        assert done.code == 0 and "1 made" in done.out, (variable, done)
    assert crema("cohort", "merge", "run").code == 0
    assert {k: v for k, v in bytes_of(tmp_path / "run").items() if not k.startswith("plan")} == bytes_of(
        tmp_path / "alone"
    )


@pytest.mark.parametrize(
    "env, words, why",
    [
        ({}, ["--shard", "auto"], "no scheduler says which task this is"),
        ({"SGE_TASK_ID": "undefined"}, ["--shard", "auto"], "no scheduler says which task this is"),
        ({"SLURM_ARRAY_TASK_ID": "x"}, ["--shard", "auto"], "not the number of a task"),
        ({"SLURM_ARRAY_TASK_ID": "5"}, ["--shard", "auto"], "has no shard 5"),
        ({"SLURM_ARRAY_TASK_ID": "3"}, ["--shard", "auto", "--per-task", "2"], "has no shard 5"),
        ({"SLURM_ARRAY_TASK_ID": "1", "JOB_COMPLETION_INDEX": "1"}, ["--shard", "auto"], "says task 2"),
        ({}, ["--shard", "1", "--per-task", "2"], "--per-task requires --shard auto"),
        ({}, ["data", "--per-task", "2"], "--per-task requires --shard auto"),
        ({}, ["--shard", "both"], "--shard"),
        ({}, ["--shard", "1", "--wait", "--no-wait"], "--no-wait"),
    ],
)
def test_what_is_no_task_is_refused(crema, tmp_path, env, words, why):
    plan(crema, tmp_path)
    result = crema("cohort", "run", *words, "-o", "run", env=env)
    assert result.code == 2 and why in result.err, result


def test_a_shard_says_why_its_cases_failed(crema, tmp_path):
    plan(crema, tmp_path, cases=30, shards=1)
    for case in (3, 7):
        (tmp_path / f"data/case{case:02}/ben.nii.gz").write_bytes(b"no mask")
    done = crema("cohort", "run", "--shard", "1", "-o", "run")
    assert done.code == 5 and "28 made, 0 already there, 2 failed" in done.out, done
    lines = done.out[done.out.index("Failed:") :].splitlines()
    assert lines[1].startswith("  case03, case07 (input): case03/ben.nii.gz: ") and len(lines) == 2
    (tmp_path / "data/case09/ben.nii.gz").write_bytes(b"")
    done = crema("cohort", "run", "--shard", "1", "-o", "run")
    lines = done.out[done.out.index("Failed:") :].splitlines()
    assert [line.split(" (")[0] for line in lines[1:]] == ["  case03, case07", "  case09"]
    for case in range(30):
        (tmp_path / f"data/case{case:02}/ben.nii.gz").write_bytes(b"no mask")
    done = crema("cohort", "run", "--shard", "1", "-o", "run")
    assert "  case00, case01, case02, case03, case04 and 15 more (input): " in done.out
    assert "  and 10 more, in failure.json of each case" in done.out


def test_a_plan_says_what_a_list_says(crema, tmp_path):
    make_cohort(tmp_path / "data", cases=3)
    rows = [(f"case{c:02}", r, f"data/case{c:02}/{r}.nii.gz") for c in range(3) for r in ("anna", "ben", "carl")]
    write_manifest(tmp_path / "all.tsv", [*rows, ("case02", "dora", "data/case02/dora.nii.gz")])
    listed = crema("cohort", "list", "all.tsv")
    planned = crema("cohort", "plan", "all.tsv", "-o", "run", "--shards", "2")
    assert listed.code == 0 and planned.code == 0
    missing = "1 file is missing, the first is data/case02/dora.nii.gz."
    assert missing in listed.err and missing in planned.err
    assert "2 shards of 1 to 2 cases" in planned.out


@pytest.fixture
def slow_run(program, tmp_path):
    """Holds the lock of shard 1 until it is released: a case of it is a pipe of somebody who writes late."""
    processes = []

    def start(*words):
        # The lock alone, as a run that is at work holds it.
        code = (
            "import fcntl, sys, time, os\n"
            "files = [open(path, 'a+') for path in sys.argv[2:]]\n"
            "for file in files: fcntl.flock(file, fcntl.LOCK_EX)\n"
            "open(sys.argv[1], 'w').close()\n"
            "time.sleep(100000)\n"
        )
        ready = tmp_path / "ready"
        processes.append(subprocess.Popen(["python3", "-c", code, ready, *words]))
        while not ready.exists():
            time.sleep(0.01)
        return processes[-1]

    yield start
    for process in processes:
        process.kill()
        process.wait()


@pytest.mark.parametrize(
    "lock, words",
    [
        ("run/plan/.00001.lock", ["run", "--shard", "1", "-o", "run"]),
        ("run/.lock", ["run", "--shard", "1", "-o", "run"]),
        ("run/.lock", ["merge", "run"]),
        ("run/.lock", ["run", "data", "-o", "run"]),
    ],
)
def test_a_lock_is_waited_for_under_a_scheduler_and_else_refused(crema, program, slow_run, tmp_path, lock, words):
    plan(crema, tmp_path)
    holder = slow_run(tmp_path / lock)
    for more, env in (([], {}), (["--no-wait"], {"SLURM_JOB_ID": "7"})):
        refused = crema("cohort", *words, *more, env=env)
        assert refused.code == 2 and "another run is at work in this folder" in refused.err, refused
    runs = []
    for more, env in ((["--wait"], {}), ([], {"SLURM_JOB_ID": "7"})):
        command = [program, "cohort", *words, *more]
        runs.append(subprocess.Popen(command, cwd=tmp_path, env={**os.environ, **env}, stdout=-1, stderr=-1, text=True))
    replies = []
    for run in runs:
        replies.append("")
        while "waiting for it to end" not in replies[-1]:
            line = run.stderr.readline()
            assert line, (replies, "it did not wait")
            replies[-1] += line
    assert [run.poll() for run in runs] == [None, None] and holder.poll() is None
    holder.kill()
    for run, reply in zip(runs, replies):
        reply += run.communicate(timeout=PATIENCE)[1]
        assert run.returncode == (5 if words[0] == "merge" else 0), reply
        assert reply.count("waiting for it to end") == 1


@pytest.mark.skipif(SLOWDOWN != 1, reason="a sanitizer keeps memory of its own")
def test_memory_of_the_job_makes_a_failure_and_no_dead_process(crema, tmp_path):
    """A job of 12 MB cannot hold such masks; the case fails by name, the others are done."""
    import numpy
    from cohort_kit import save

    plan(crema, tmp_path, cases=3, shards=1)
    for rater in ("anna", "ben", "carl"):
        save(tmp_path / f"data/case01/{rater}.nii.gz", numpy.zeros((220, 220, 220), numpy.uint8))
    done = crema("cohort", "run", "--shard", "1", "-o", "run", env={"SLURM_MEM_PER_NODE": "12"})
    assert done.code == 5 and "case01 (memory): " in done.out and "2 made" in done.out, done
    again = crema("cohort", "run", "--shard", "1", "-o", "run")
    assert again.code == 0 and "1 made" in again.out
    assert crema("cohort", "merge", "run").code == 0
    assert {row["status"] for row in read_table(tmp_path / "run/cases.csv")} == {"done"}
