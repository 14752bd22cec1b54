# SPDX-License-Identifier: Apache-2.0
"""A disk that is far away: how often it is asked for each case, and what a rerun reads again."""

import os
import re
import shutil
import subprocess
import time

import pytest
from cohort_kit import bytes_of, make_cohort, mask, save
from conftest import SLOWDOWN

# What goes to the server of a network file system by name; reading, writing and closing an open file do not.
BY_NAME = "open,openat,stat,lstat,newfstatat,statx,access,faccessat,faccessat2,readlink,readlinkat,mkdir,mkdirat,"
BY_NAME += "rename,renameat,renameat2,unlink,unlinkat,rmdir,link,linkat,symlink,chmod,utimensat"
DAMAGE = [b"", b"nonsense\n", b'{"case": "case00"}\n', b'{"case": 5, "files": [[1]]}\n', b"\xff\n"]


@pytest.fixture
def traced(program, tmp_path):
    """traced(words..., calls=…) → the calls that name a file, or those, one line each."""
    if SLOWDOWN != 1:
        pytest.skip("a sanitizer makes calls of its own and looks for leaks as strace does")
    if not shutil.which("strace"):
        pytest.skip("strace is not installed: apt-get install strace")
    log = tmp_path / "strace"

    def run(*words, calls=BY_NAME, **env):
        command = ["strace", "-f", "-qq", "-y", "-o", log, f"--trace={calls}", program, *words]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, env={**os.environ, **env})
        if "ptrace" in done.stderr:
            pytest.skip(f"strace may not trace here: {done.stderr.strip()}")
        assert done.returncode == 0, done
        # An empty name is a descriptor; a call that another thread came between has two lines.
        return [line for line in log.read_text().splitlines() if '""' not in line and "resumed>" not in line]

    return run


def settle(folder):
    """As if the masks had been there for a while."""
    for root, _, names in os.walk(folder):
        for name in names:
            os.utime(os.path.join(root, name), (time.time() - 60, time.time() - 60))


def test_a_case_costs_at_most_40_calls_by_name_and_one_opening_of_each_mask(crema, traced, tmp_path):
    few, many = 4, 24
    counts = {}
    for cases in (few, many):
        for case in range(cases):
            for rater in range(4):
                save(tmp_path / f"data{cases}/case{case:02}/r{rater}.nii.gz", mask(case, rater % 3))
        settle(tmp_path / f"data{cases}")
        lines = traced("cohort", "run", f"data{cases}", "-o", f"run{cases}", "--threads", "1", "-q")
        counts[cases] = len(lines)
        opened = [line for line in lines if re.search(r"open(at)?\(.*/r\d\.nii\.gz", line)]
        assert len(opened) == 4 * cases, opened[:20]
    each = (counts[many] - counts[few]) / (many - few)
    print(f"{each} calls by name for a case of 4 raters: found, fused, merged")
    assert each <= 40
    again = traced("cohort", "run", f"data{many}", "-o", f"run{many}", "--threads", "1", "-q")
    assert not [line for line in again if re.search(r"open(at)?\(.*/(r\d|jaccard)\.nii\.gz", line)]


def test_a_shard_costs_the_same_calls_whatever_the_number_of_shards(crema, traced, tmp_path):
    make_cohort(tmp_path / "data", cases=40)
    counts = {}
    for shards in (10, 40):
        reply = crema("cohort", "plan", "data", "-o", f"run{shards}", "--shards", str(shards))
        assert reply.code == 0, reply
        lines = traced("cohort", "run", "--shard", "7", "-o", f"run{shards}", "--threads", "1", "-q")
        counts[shards] = len(lines)
        words = ("--shard", "auto", "--per-task", "2", "-o", f"run{shards}", "-q")
        lines += traced("cohort", "run", *words, SLURM_ARRAY_TASK_ID="2")
        lists = {int(number) for line in lines for number in re.findall(r"plan/(\d+)\.tsv", line)}
        assert lists == {3, 4, 7}
    print(f"{counts} calls by name for a shard, by the number of shards")
    assert counts[40] < counts[10]  # which has four cases, not one


def test_a_rerun_trusts_size_and_time_and_verify_does_not(crema, tmp_path):
    make_cohort(tmp_path / "data", cases=4)
    settle(tmp_path / "data")
    assert crema("cohort", "run", "data", "-o", "run").code == 0
    whole = bytes_of(tmp_path / "run")
    assert "4 already there" in crema("cohort", "run", "data", "-o", "run").out
    # The same size and time, another content: nobody would do that by accident.
    path = tmp_path / "data/case01/anna.nii.gz"
    status, content = path.stat(), bytearray(path.read_bytes())
    content[4] ^= 1  # the time in the head of a gzip file
    path.write_bytes(content)
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))
    assert "0 made, 4 already there" in crema("cohort", "run", "data", "-o", "run").out
    assert "1 made, 3 already there" in crema("cohort", "run", "data", "-o", "run", "--verify").out
    assert bytes_of(tmp_path / "run") != whole


@pytest.mark.parametrize("what", ["touched", "larger", "added", "renamed", "gone", "output", "output-gone", "other"])
def test_what_has_changed_is_seen(crema, tmp_path, what):
    make_cohort(tmp_path / "data", cases=3)
    settle(tmp_path / "data")
    assert crema("cohort", "run", "data", "-o", "run").code == 0
    case, output = tmp_path / "data/case01", tmp_path / "run/cases/case01/jaccard.nii.gz"
    before = bytes_of(tmp_path / "run")
    result = 1
    if what == "touched":
        (case / "anna.nii.gz").touch()
        result = 0  # the same bytes
    elif what == "larger":
        save(case / "anna.nii.gz", mask(7, 2))
        settle(case)
    elif what == "added":
        save(case / "dora.nii.gz", mask(1, 1))
        settle(case)
    elif what == "renamed":
        (case / "anna.nii.gz").rename(case / "zoe.nii.gz")
    elif what == "gone":
        (case / "anna.nii.gz").unlink()
    elif what == "output":
        output.write_bytes(output.read_bytes()[::-1])
    elif what == "output-gone":
        output.unlink()
    elif what == "other":
        shutil.copy(tmp_path / "run/cases/case02/result.json", tmp_path / "run/cases/case01/result.json")
    done = crema("cohort", "run", "data", "-o", "run")
    assert done.code == 0 and f"{result} made, {3 - result} already there" in done.out, done
    if what in ("touched", "output", "output-gone", "other"):
        assert bytes_of(tmp_path / "run") == before


def test_masks_that_are_still_written_are_read_again(crema, tmp_path):
    make_cohort(tmp_path / "data", cases=1)
    path = tmp_path / "data/case00/anna.nii.gz"
    # However long the run takes, the mask was written when it had begun.
    os.utime(path, (time.time() + 3600, time.time() + 3600))
    assert crema("cohort", "run", "data", "-o", "run").code == 0
    status, content = path.stat(), bytearray(path.read_bytes())
    content[4] ^= 1
    path.write_bytes(content)
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))
    assert "1 made" in crema("cohort", "run", "data", "-o", "run").out


@pytest.mark.parametrize("damage", DAMAGE)
def test_damaged_stamps_are_no_stamps(crema, tmp_path, damage):
    make_cohort(tmp_path / "data", cases=2)
    settle(tmp_path / "data")
    assert crema("cohort", "run", "data", "-o", "run").code == 0
    (tmp_path / "run/.stamps/00000.jsonl").write_bytes(damage)
    done = crema("cohort", "run", "data", "-o", "run")
    assert done.code == 0 and "0 made, 2 already there" in done.out, done
