# SPDX-License-Identifier: Apache-2.0
"""What several suites need: masks, and the program to compare with (environment variable CREMA_PROGRAM)."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import numpy as np
import pytest
from hypothesis import settings

import crema

settings.register_profile("crema", deadline=None, max_examples=60, print_blob=True)
settings.load_profile("crema")

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="session")
def masks():
    """Five raters of lesions; read-only, so that nobody can write into them."""
    stack = crema.phantom("lesions", size=(7, 41, 45), raters=5, seed=3).masks
    stack.setflags(write=False)
    return stack


@pytest.fixture(scope="session")
def program_path():
    path = os.environ.get("CREMA_PROGRAM")
    if not path:
        pytest.skip("NOT COMPARED WITH THE PROGRAM: set CREMA_PROGRAM to it")
    return path


@pytest.fixture(scope="session")
def program(program_path):
    def run(*arguments):
        """Runs the program and returns the record it wrote."""
        done = subprocess.run([program_path, *map(str, arguments)], capture_output=True, text=True, timeout=300)
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    return run


def same(a, b):
    """Equal in shape, type and every voxel."""
    a, b = np.asarray(a), np.asarray(b)
    return a.shape == b.shape and a.dtype == b.dtype and bool((a == b).all())
