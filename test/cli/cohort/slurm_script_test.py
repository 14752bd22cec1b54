# SPDX-License-Identifier: Apache-2.0
"""What goes to Slurm: whatever a folder is called, nothing in its name is read by a shell or as a directive."""

import os
import shutil
import subprocess

import pytest
from cohort_kit import bytes_of, make_cohort

# Each would leave a file named "struck" somewhere if a shell read it.
NAMES = [
    "it's",
    'a"b',
    'a"; touch struck; "',
    "$(touch struck)",
    "`touch struck`",
    "a;touch struck",
    "a&touch struck&",
    "|touch struck",
    ">struck",
    "a b  c",
    "-o",
    "--wrap=touch struck",
    "#SBATCH --wrap=x",
    "5%A_%a%%",
    "*?[x]{a,b}",
    "~",
    "!touch",
    "é…𝄞",
    os.fsdecode(b"\xff\xfe"),
]
ODD = ["a\ntouch struck", "a\n#SBATCH --wrap=x", "a\rb", "a\tb", "a\x1b[2J", "a\x7f", "back\\slash"]

# Puts what it is given into a file and runs nothing.
SBATCH = """#!/bin/bash
printf '%s\\0' "$@" >> "$LOG"
echo 17
"""


@pytest.fixture
def planned(crema, tmp_path):
    """planned(name) → what submitting a run in a folder of that name says, and what sbatch was given."""
    make_cohort(tmp_path / "data", cases=2)
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin/sbatch").write_text(SBATCH)
    (tmp_path / "bin/sbatch").chmod(0o755)
    log = tmp_path / "log"
    env = {"PATH": f"{tmp_path}/bin:{os.environ['PATH']}", "LOG": str(log)}

    def submit(name, *words):
        folder = tmp_path / "runs" / name
        folder.parent.mkdir(exist_ok=True)
        assert crema("cohort", "plan", "data", "-o", folder, "--shards", "2").code == 0
        reply = crema("cohort", "submit", folder, *words, env=env)
        given = os.fsdecode(log.read_bytes()).split("\0")[:-1] if log.exists() else []
        return folder, reply, given

    return submit


def check_script(script):
    assert subprocess.run(["bash", "-n", script], capture_output=True).returncode == 0
    # A reader of UTF-8 is no judge of names in other bytes; they are written as numbers.
    if shutil.which("shellcheck"):
        checked = subprocess.run(["shellcheck", "--shell=bash", script], capture_output=True, text=True)
        assert checked.returncode == 0, checked.stdout


@pytest.mark.parametrize("name", NAMES)
def test_a_hostile_name_is_a_name(planned, program, tmp_path, name):
    folder, reply, given = planned(name)
    assert reply.code == 0, reply
    logs = str(folder / "logs").replace("%", "%%")
    assert given.count(f"--output={logs}/%A_%a.txt") == 1 and given.count(f"--output={logs}/%j_merge.txt") == 1
    assert [word for word in given if not word.startswith("--")] == [
        str(folder / "submit-run.sh"),
        str(folder / "submit-merge.sh"),
    ]
    for script, env in (("submit-run.sh", "1"), ("submit-run.sh", "2"), ("submit-merge.sh", "")):
        check_script(folder / script)
        lines = (folder / script).read_bytes().splitlines()
        assert not [line for line in lines if line.lstrip().startswith(b"#SBATCH")]
        os.makedirs(tmp_path / "empty", exist_ok=True)
        done = subprocess.run(
            ["bash", folder / script],
            cwd=tmp_path / "empty",
            env={**os.environ, "SLURM_ARRAY_TASK_ID": env},
            capture_output=True,
        )
        assert done.returncode == 0, done
    assert os.listdir(tmp_path / "empty") == [] and not list(tmp_path.rglob("struck"))
    assert (folder / "cases.csv").exists()


@pytest.mark.parametrize("name", ODD)
def test_a_name_with_a_control_character_is_refused(planned, name):
    before = None
    for words in ((), ("--dry-run",)):
        folder, reply, given = planned(name, *words)
        assert reply.code == 2 and "give it another name" in reply.err and given == [], reply
        assert not (folder / "submit-run.sh").exists()
        before = before or bytes_of(folder)
        assert bytes_of(folder) == before


def test_a_program_of_a_hostile_name_is_quoted_too(planned, program, tmp_path):
    shown = tmp_path / "$(touch struck)"
    os.symlink(program, shown)
    folder, reply, _ = planned("run", "--program", shown)
    assert reply.code == 0
    done = subprocess.run(["bash", folder / "submit-merge.sh"], cwd=tmp_path, capture_output=True)
    assert done.returncode == 5 and not (tmp_path / "struck").exists()


def test_a_dry_run_shows_commands_that_can_be_typed(planned, tmp_path):
    folder, reply, given = planned("it's 5%", "--dry-run")
    assert reply.code == 0 and given == []
    lines = [line[2:] for line in reply.out.splitlines() if line.startswith("# sbatch ")]
    assert len(lines) == 2
    words = subprocess.run(["bash", "-c", f"printf '%s\\n' {lines[0]}"], capture_output=True, text=True).stdout
    assert words.splitlines()[-1] == str(folder / "submit-run.sh")
