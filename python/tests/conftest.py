# SPDX-License-Identifier: Apache-2.0
"""What several suites need: masks, and the program to compare with (environment variable CREMA_PROGRAM)."""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
from pathlib import Path

import numpy as np
import pytest
import tensors
from hypothesis import settings

import crema

settings.register_profile("crema", deadline=None, max_examples=60, print_blob=True)
settings.load_profile("crema")

ROOT = Path(__file__).resolve().parents[2]
# Methods that take probability maps alone.
FOR_MAPS = {"median", "logit-average", "robust"}


@pytest.fixture(scope="session")
def masks():
    """Five raters of lesions; read-only, so that nobody can write into them."""
    stack = crema.phantom("lesions", size=(7, 41, 45), raters=5, seed=3).masks
    stack.setflags(write=False)
    return stack


@pytest.fixture
def packages(monkeypatch):
    """Stand-ins for torch and MONAI."""
    tensors.install(monkeypatch)


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
        done = subprocess.run([program_path, *map(str, arguments)], capture_output=True, text=True, timeout=600)
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    return run


def same(a, b):
    """Equal in shape, type and every voxel."""
    a, b = np.asarray(a), np.asarray(b)
    return a.shape == b.shape and a.dtype == b.dtype and bool((a == b).all())


def needs(*names):
    missing = [name for name in names if not importlib.util.find_spec(name)]
    return pytest.mark.skipif(bool(missing), reason=f"NOT TRIED WITH THE REAL {' AND '.join(missing)}: not installed")
