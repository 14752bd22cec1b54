# SPDX-License-Identifier: Apache-2.0
"""Shards and merges that are killed anywhere, or whose disk fills up inside a part: nothing wrong gets into a table."""

import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import PATIENCE
from subject import Result

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "cli" / "cohort"))
from cohort_kit import bytes_of, make_cohort


@pytest.fixture
def crema(program, library, tmp_path):
    """crema("cohort", "merge", "run", fault="rename:2:KILL") → what was said; hit() tells whether the fault struck."""
    hit = tmp_path / "hit"

    def start(*words, fault=None):
        env = dict(os.environ)
        if fault:
            env |= {"LD_PRELOAD": library, "FAULT": fault, "FAULT_FOLDER": str(tmp_path / "run"), "FAULT_HIT": str(hit)}
            env["ASAN_OPTIONS"] = env.get("ASAN_OPTIONS", "") + ":verify_asan_link_order=0"
        hit.unlink(missing_ok=True)
        done = subprocess.run(
            [program, *words],
            cwd=tmp_path,
            capture_output=True,
            stdin=subprocess.DEVNULL,
            timeout=PATIENCE,
            env=env,
        )
        return Result(done)

    start.struck = hit.exists
    return start


@pytest.fixture
def planned(crema, tmp_path):
    """Three cases in two shards, nothing done; and the bytes of a run that nothing disturbed."""
    make_cohort(tmp_path / "data", cases=3)
    (tmp_path / "data/case01/ben.nii.gz").write_bytes(b"")
    assert crema("cohort", "run", tmp_path / "data", "-o", "whole").code == 5
    assert crema("cohort", "plan", tmp_path / "data", "-o", tmp_path / "run", "--shards", "2").code == 0
    shutil.copytree(tmp_path / "run", tmp_path / "plan")
    return bytes_of(tmp_path / "whole")


def without_plan(folder):
    return {name: digest for name, digest in bytes_of(folder).items() if not name.startswith("plan")}


def sweep(crema, words, call, what, again, step=1):
    for number in range(1, 300, step):
        again()
        result = crema(*words, fault=f"{call}:{number}:{what}")
        if not crema.struck():
            assert number > 1, f"{call} was never made"
            return
        yield number, result


def finish(crema, tmp_path, shards="12"):
    for shard in shards:
        assert crema("cohort", "run", "--shard", shard, "-o", tmp_path / "run", "--threads", "1").code in (0, 5)
    assert crema("cohort", "merge", tmp_path / "run").code == 5
    return without_plan(tmp_path / "run")


@pytest.mark.parametrize("call, what", [("rename", "KILL"), ("write", "ENOSPC"), ("fsync", "EIO")])
def test_a_shard_that_ends_anywhere_leaves_nothing_wrong(crema, planned, tmp_path, call, what):
    def again():
        shutil.rmtree(tmp_path / "run")
        shutil.copytree(tmp_path / "plan", tmp_path / "run")

    words = ("cohort", "run", "--shard", "1", "-o", tmp_path / "run", "--threads", "1")
    for number, result in sweep(crema, words, call, what, again, step=2):
        assert result.code == (-signal.SIGKILL if what == "KILL" else 4), (number, result)
        # A merge now tells of what is there, and the shard goes on.
        assert crema("cohort", "merge", tmp_path / "run").code == 5
        assert finish(crema, tmp_path) == planned, (call, number)


@pytest.mark.parametrize("call, what", [("rename", "KILL"), ("open", "KILL"), ("write", "ENOSPC")])
def test_a_merge_that_ends_anywhere_is_made_good_by_the_next(crema, planned, tmp_path, call, what):
    assert finish(crema, tmp_path) == planned
    tables = {path: path.read_bytes() for path in (tmp_path / "run").glob("*.[ch]*")}

    def again():
        shutil.rmtree(tmp_path / "run/parts/00002", ignore_errors=True)

    for number, result in sweep(crema, ("cohort", "merge", tmp_path / "run"), call, what, again, step=3):
        assert result.code == (-signal.SIGKILL if what == "KILL" else 4), (number, result)
        # Tables appear together: those there are as they were, since nothing has changed.
        assert {path: path.read_bytes() for path in (tmp_path / "run").glob("*.[ch]*")} == tables, (call, number)
        assert crema("cohort", "merge", tmp_path / "run").code == 5
        assert without_plan(tmp_path / "run") == planned, (call, number)


@pytest.mark.parametrize("call, what", [("rename", "KILL"), ("open", "KILL"), ("write", "ENOSPC"), ("fsync", "EIO")])
def test_a_shard_that_packs_and_ends_anywhere_loses_nothing(crema, planned, tmp_path, call, what):
    plan = ("cohort", "plan", tmp_path / "data", "-o", tmp_path / "run", "--shards", "2")
    assert crema(*plan, "--pack").code == 0
    words = ("cohort", "run", "--shard", "1", "-o", tmp_path / "run", "--threads", "1")
    assert crema(*words).code in (0, 5)
    assert (tmp_path / "run/packs/00001.tar").exists()
    shutil.copytree(tmp_path / "run", tmp_path / "packed")

    def again():
        shutil.rmtree(tmp_path / "run")
        shutil.copytree(tmp_path / "packed", tmp_path / "run")

    # What is packed is put back, looked at and packed again.
    for number, result in sweep(crema, words, call, what, again, step=2):
        assert result.code == (-signal.SIGKILL if what == "KILL" else 4), (number, result)
        assert crema(*words).code in (0, 5)
        assert (tmp_path / "run/packs/00001.tar").exists()
        assert crema(*plan).code == 0
        assert finish(crema, tmp_path) == planned, (call, number)
