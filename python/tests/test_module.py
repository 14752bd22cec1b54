# SPDX-License-Identifier: Apache-2.0
"""`python -m crema` is the program that came with the package."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

import crema
from crema import __main__ as module


def run(*arguments, **environment):
    command = [sys.executable, "-m", "crema", *arguments]
    return subprocess.run(command, capture_output=True, text=True, env=dict(os.environ, **environment))


@pytest.fixture
def another(tmp_path):
    """A PATH on which somebody else's program comes first."""
    (tmp_path / "crema").write_text("#!/bin/sh\necho another\n")
    (tmp_path / "crema").chmod(0o755)
    return f"{tmp_path}:{os.environ['PATH']}"


def test_it_says_the_version_of_the_package(another):
    done = run("--version", PATH=another)
    assert (done.returncode, done.stdout, done.stderr) == (0, f"crema {crema.__version__}\n", "")


def test_it_gives_the_exit_code_of_the_program():
    done = run("fuse", "no-such-file.nii.gz", "-o", "never.nii.gz")
    assert done.returncode not in (0, 1) and "no-such-file.nii.gz" in done.stderr


def test_without_a_program_it_says_where_it_looked(monkeypatch, tmp_path, capsys):
    monkeypatch.setattr(module, "candidates", lambda: [tmp_path / "bin/crema"])
    assert module.main() == 1
    assert capsys.readouterr().err == (
        f"crema: the program is not in {tmp_path / 'bin/crema'}; install the package again, from its wheel.\n"
    )
