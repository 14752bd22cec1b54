# SPDX-License-Identifier: Apache-2.0
"""Runs the built program (environment variable CREMA) on masks that nibabel wrote."""

import json
import os
import subprocess
import sys
from pathlib import Path

import nibabel
import numpy
import pytest
from plain import read_csv

sys.path.insert(0, str(Path(__file__).resolve().parent / "labels"))
sys.path.insert(0, str(Path(__file__).resolve().parent / "cohort"))
sys.path.insert(0, str(Path(__file__).resolve().parent / "methods"))
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from subject import PATIENCE, SLOWDOWN, Result, program  # noqa: F401


@pytest.fixture
def crema(program, tmp_path):
    """crema("fuse", ...) in a folder of the test's own."""

    def run(*arguments, env=None, seconds=PATIENCE, **keywords):
        done = subprocess.run(
            [program, *map(os.fspath, arguments)],
            cwd=tmp_path,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=seconds,
            env={**os.environ, **(env or {})},
            **keywords,
        )
        return Result(done)

    return run


AFFINE = numpy.diag([1.0, 1.0, 3.0, 1.0])


@pytest.fixture
def save(tmp_path):
    """Writes an array as NIfTI in the test's folder and returns its name."""

    def write(name, array, affine=AFFINE):
        # nibabel goes by the ending, and some names have none.
        written = tmp_path / ("written.nii" if name.endswith(".nii") else "written.nii.gz")
        nibabel.Nifti1Image(array, affine).to_filename(written)
        os.rename(written, tmp_path / name)
        return name

    return write


def blob(shift, size=(12, 10, 6)):
    """A box inside the grid, moved by `shift` along x, and a second small one that few raters drew."""
    mask = numpy.zeros(size, numpy.uint8)
    mask[2 + shift : 7 + shift, 2:8, 1:5] = 1
    return mask


@pytest.fixture
def raters(save):
    """Three raters who agree for the most part; one also drew a lesion that nobody else saw."""
    masks = [blob(0), blob(1), blob(1)]
    masks[2][10:12, 0:2, 0] = 1
    return [save(f"rater-{k + 1}.nii.gz", mask) for k, mask in enumerate(masks)]


def leftovers(folder, before):
    return sorted(set(os.listdir(os.fsencode(folder))) - set(before))


@pytest.fixture
def nothing_new(tmp_path):
    """Call at the end: the folder holds what it held when the test started to run the program."""
    before = []

    class Watch:
        def start(self):
            before[:] = os.listdir(os.fsencode(tmp_path))

        def check(self):
            assert leftovers(tmp_path, before) == []

    return Watch()


@pytest.fixture
def agree(crema, tmp_path):
    """Runs the command and returns its record and its tables."""

    def run(*arguments):
        result = crema("agreement", *arguments, "--csv", "tables", "--json", "-", "--force")
        assert result.code == 0, result
        names = ("rater_pairs", "raters", "components", "component_raters")
        tables = {name: read_csv(tmp_path / f"tables/{name}.csv") for name in names}
        return json.loads(result.out), tables

    return run
