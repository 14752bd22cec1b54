# SPDX-License-Identifier: Apache-2.0
"""Runs of a cohort that are killed anywhere, or whose disk fills up: a rerun leaves the same bytes."""

import fcntl
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from conftest import PATIENCE, SANITIZED
from subject import Result

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "cli" / "cohort"))
from cohort_kit import bytes_of, make_cohort


@pytest.fixture
def run(program, library, tmp_path):
    """run("run", fault="rename:2:KILL") in the folder "run" → what was said, and whether the fault struck."""
    hit = tmp_path / "hit"

    def start(folder, fault=None, words=()):
        env = dict(os.environ)
        if fault:
            env |= {"LD_PRELOAD": library, "FAULT": fault, "FAULT_FOLDER": str(folder), "FAULT_HIT": str(hit)}
            env["ASAN_OPTIONS"] = env.get("ASAN_OPTIONS", "") + ":verify_asan_link_order=0"
        hit.unlink(missing_ok=True)
        done = subprocess.run(
            [program, "cohort", "run", tmp_path / "data", "-o", folder, "--threads", "1", *words],
            capture_output=True,
            stdin=subprocess.DEVNULL,
            timeout=PATIENCE,
            env=env,
        )
        return Result(done), hit.exists()

    return start


@pytest.fixture
def whole(run, tmp_path):
    """Two cases, one of which fails, and what a run that nothing disturbs makes of them."""
    make_cohort(tmp_path / "data", cases=2)
    (tmp_path / "data/case01/ben.nii.gz").write_bytes(b"")
    assert run(tmp_path / "whole")[0].code == 5
    return bytes_of(tmp_path / "whole")


def sweep(run, folder, call, what, step=1, words=()):
    """The run with that call failing, the first time, the second …, until it is not made so often."""
    for number in range(1, 200, step):
        shutil.rmtree(folder, ignore_errors=True)
        result, struck = run(folder, f"{call}:{number}:{what}", words)
        if not struck:
            assert number > 1, f"{call} was never made"
            return
        yield number, result


@pytest.mark.parametrize("call", ["open", "write", "fsync", "rename", "mkdir"])
def test_killed_anywhere_a_rerun_leaves_the_same_bytes(run, whole, tmp_path, call):
    for number, result in sweep(run, tmp_path / "run", call, "KILL"):
        assert result.code == -signal.SIGKILL
        again, _ = run(tmp_path / "run")
        assert again.code == 5, (call, number, again)
        assert bytes_of(tmp_path / "run") == whole, (call, number)


def test_killed_anywhere_a_rerun_leaves_the_same_pages(run, whole, tmp_path):
    assert run(tmp_path / "pages", words=["--report"])[0].code == 5
    pages = bytes_of(tmp_path / "pages")
    assert {"cohort.html", "cases/case00/report.html"} <= pages.keys()
    for number, result in sweep(run, tmp_path / "run", "rename", "KILL", words=["--report"]):
        assert result.code == -signal.SIGKILL
        assert run(tmp_path / "run", words=["--report"])[0].code == 5
        assert bytes_of(tmp_path / "run") == pages, number


@pytest.mark.parametrize("call, error", [("write", "ENOSPC"), ("fsync", "EIO"), ("rename", "EIO"), ("open", "ENOSPC")])
def test_a_disk_that_refuses_ends_the_run_and_loses_nothing(run, whole, tmp_path, call, error):
    for number, result in sweep(run, tmp_path / "run", call, error, step=4):
        assert result.code == 4 and result.err.count("crema:") == 1, (number, result)
        if error == "ENOSPC" and call == "write":
            assert "the disk is full" in result.err
        again, _ = run(tmp_path / "run")
        assert again.code == 5 and bytes_of(tmp_path / "run") == whole, (call, number, again)


@pytest.mark.skipif(SANITIZED, reason="a sanitizer keeps allocations to itself")
def test_a_case_without_memory_is_tried_again(run, whole, tmp_path):
    result, _ = run(tmp_path / "run", words=["--max-memory", "1K"])
    assert result.code == 5 and "case00 (memory)" in result.out, result
    again, _ = run(tmp_path / "run")
    assert again.code == 5 and bytes_of(tmp_path / "run") == whole


def test_a_second_run_in_the_folder_is_refused(run, whole, tmp_path):
    with open(tmp_path / "whole/.lock", "rb") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        result, _ = run(tmp_path / "whole")
        assert result.code == 2 and "another run is at work" in result.err
    assert run(tmp_path / "whole")[0].code == 5
    assert bytes_of(tmp_path / "whole") == whole


def test_killed_from_outside_at_any_time_a_rerun_leaves_the_same_bytes(program, tmp_path):
    make_cohort(tmp_path / "data", cases=60)
    command = [program, "cohort", "run", tmp_path / "data", "--quiet", "--methods", "paper", "-o"]
    start = time.monotonic()
    subprocess.run([*command, tmp_path / "whole"], check=True, timeout=PATIENCE)
    seconds = time.monotonic() - start
    for share in (0.1, 0.3, 0.5, 0.7, 0.9):
        process = subprocess.Popen([*command, tmp_path / "run"])
        time.sleep(seconds * share / 2)
        process.kill()
        process.wait()
    subprocess.run([*command, tmp_path / "run"], check=True, timeout=PATIENCE)
    assert bytes_of(tmp_path / "run") == bytes_of(tmp_path / "whole")
