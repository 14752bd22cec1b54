# SPDX-License-Identifier: Apache-2.0
"""Runs the built program (environment variable CREMA) into a folder and reads what it left there.

Fixtures to be imported by name; a second conftest.py would hide the one of the command suites.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from subject import PATIENCE, program  # noqa: F401


@pytest.fixture
def fuse(program, tmp_path):
    """fuse(raters, methods, options) gives the folder of results and, per method, its part of the record."""

    def run(raters, methods, options):
        results = tmp_path / "results"
        what = ["-o", results, "--quiet", "--method", ",".join(methods), *options]
        done = subprocess.run(
            [program, "fuse", *map(os.fspath, raters), *what],
            cwd=tmp_path,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=PATIENCE,
        )
        assert done.returncode == 0, done.stdout.decode(errors="replace")
        record = json.loads((results / "record.json").read_text())
        return results, {part["method"]: part for part in record["results"]}

    return run
