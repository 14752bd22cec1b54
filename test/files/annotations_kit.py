# SPDX-License-Identifier: Apache-2.0
"""Annotators, what they draw, and the way of it: import, cohort run, export."""

import importlib.util
import os
import subprocess
import sys
from pathlib import Path

import numpy
import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from subject import PATIENCE, Result, program  # noqa: F401

SEED = int(os.environ.get("CREMA_SEED", "1"))
NAMES = ("anna", "ben", "carl")


@pytest.fixture
def crema(program, tmp_path):
    def run(*arguments):
        done = subprocess.run(
            [program, *map(str, arguments)], cwd=tmp_path, capture_output=True, timeout=PATIENCE, check=False
        )
        return Result(done)

    return run


@pytest.fixture
def random():
    print("seed", SEED)
    return numpy.random.default_rng(SEED)


def blob(random, height, width):
    """A disc somewhere, with ragged edges."""
    y, x = numpy.mgrid[:height, :width]
    centre = random.uniform(0.25, 0.75, 2) * (height, width)
    radius = random.uniform(0.12, 0.3) * min(height, width)
    return (numpy.hypot(y - centre[0], x - centre[1]) + random.uniform(-1, 1, (height, width)) < radius).astype(
        numpy.uint8
    )


def moved(random, mask):
    return numpy.roll(mask, random.integers(-2, 3, 2), (0, 1))


def brush_of_label_studio():
    """The one file of label-studio-sdk that packs brushes, loaded by itself: the rest wants many packages more."""
    found = importlib.util.find_spec("label_studio_sdk")
    if found is None:
        pytest.skip("label-studio-sdk is not installed")
    path = Path(found.submodule_search_locations[0]) / "converter/brush.py"
    spec = importlib.util.spec_from_file_location("label_studio_brush", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def plain_runs(mask):
    flat = mask.flatten(order="F")
    edges = numpy.flatnonzero(numpy.diff(flat)) + 1
    lengths = numpy.diff(numpy.concatenate([[0], edges, [flat.size]])).tolist()
    return {"size": list(mask.shape), "counts": lengths if flat[0] == 0 else [0, *lengths]}


def read_png(path):
    from PIL import Image

    return (numpy.asarray(Image.open(path)) != 0).astype(numpy.uint8)


def consensus_of(crema, tmp_path, *, files, run=(), export=(), imported=()):
    """import, cohort run, export: the file that comes out."""
    for step in (
        ("import", *files, "-o", "data", *imported),
        ("cohort", "run", "data", "-o", "results", *run),
        ("export", "results", "-o", "consensus", *export),
    ):
        done = crema(*step)
        assert done.code == 0, done.err
    return tmp_path / "consensus"
