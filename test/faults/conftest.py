# SPDX-License-Identifier: Apache-2.0
"""Runs the built program (environment variable CREMA) with the fault library (FAULT_LIBRARY) preloaded."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import nibabel
import numpy
import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "corpus"))
from dicom_bytes import ct_series
from subject import PATIENCE, SLOWDOWN, Result, from_environment, program  # noqa: F401

SANITIZED = SLOWDOWN > 1
TEMPORARY = re.compile(r"^\.crema-[0-9a-f]{16}\.tmp$")

# What a run is asked to write: the output, and more words. Detached formats have several files.
FORMATS = {
    "nii": ("c.nii", []),
    "nii.gz": ("c.nii.gz", []),
    "hdr": ("c.hdr", []),
    "nrrd": ("c.nrrd", []),
    "nhdr": ("c.nhdr", []),
    "seg.nrrd": ("c.seg.nrrd", []),
    "mha": ("c.mha", []),
    "mhd": ("c.mhd", []),
    "dcm": ("c.dcm", ["--like", "{series}"]),
    "png": ("c.png", []),
    "tif": ("c.tif", []),
    "record": ("c.nii", ["--json", "{out}/c.json"]),
    "folder": ("results", ["--method", "majority,average"]),
}


@pytest.fixture(scope="session")
def library():
    return from_environment("FAULT_LIBRARY", "the library that makes calls fail")


def draw(k, flat=False, size=(12, 10, 6)):
    """Rater k of three who agree for the most part."""
    mask = numpy.zeros(size, numpy.uint8)
    mask[2 + k % 2 : size[0] // 2 + k % 2, 2:-2, 1:-1] = 1
    if k == 2:
        mask[-2:, 0:2, 0] = 1
    return mask[:, :, 2:3] if flat else mask


def save(folder, masks):
    """Writes masks as NIfTI files and returns their paths."""
    folder.mkdir(exist_ok=True)
    paths = []
    for k, mask in enumerate(masks):
        paths.append(str(folder / f"rater-{k + 1}.nii"))
        nibabel.Nifti1Image(mask, numpy.diag([1.0, 1.0, 3.0, 1.0])).to_filename(paths[-1])
    return paths


@pytest.fixture(scope="session")
def raters(tmp_path_factory):
    """Two small cases: solid, and flat for what holds 2-D images only."""
    folder = tmp_path_factory.mktemp("raters")
    return {flat: save(folder / str(flat), [draw(k, flat) for k in range(3)]) for flat in (False, True)}


@pytest.fixture(scope="session")
def series(tmp_path_factory):
    """The slices on which the raters drew, for formats that refer to them."""
    folder = tmp_path_factory.mktemp("series")
    for name, content in ct_series((12, 10, 6), (1, 1, 3)).items():
        (folder / name).write_bytes(content)
    return folder


@pytest.fixture
def out(tmp_path):
    folder = tmp_path / "out"
    folder.mkdir()
    return folder


@pytest.fixture
def fuse(program, library, raters, series, tmp_path):
    """fuse("nii", folder, fault="write:1:EIO") → what the run said, and whether the fault struck."""
    hit = tmp_path / "hit"

    def run(kind, folder, fault=None, words=(), inputs=None, **keywords):
        name, more = FORMATS[kind]
        command = [program, "fuse", *(inputs or raters[kind == "png"]), "-o", str(folder / name), "--threads", "1"]
        command += [word.format(out=folder, series=series) for word in more] + list(words)
        env = dict(os.environ)
        if fault:
            env |= {"LD_PRELOAD": library, "FAULT": fault, "FAULT_FOLDER": str(folder), "FAULT_HIT": str(hit)}
            # The library stands before that of the sanitizer, which is as it should be.
            env["ASAN_OPTIONS"] = env.get("ASAN_OPTIONS", "") + ":verify_asan_link_order=0"
        hit.unlink(missing_ok=True)
        done = subprocess.run(
            command, stdin=subprocess.DEVNULL, capture_output=True, timeout=PATIENCE, env=env, **keywords
        )
        return Result(done), hit.exists()

    return run


def content(folder):
    """Every file below the folder with its bytes; a record without what differs from run to run."""
    found = {}
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            data = path.read_bytes()
            found[str(path.relative_to(folder))] = steady(data) if path.suffix == ".json" else data
    return found


def raw(folder):
    return {str(p.relative_to(folder)): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()}


def refill(folder, files):
    """The folder as it was: `files` in it and nothing else."""
    for path in folder.iterdir():
        shutil.rmtree(path) if path.is_dir() else path.unlink()
    for name, data in files.items():
        path = folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(data)


def steady(data):
    """A record without times and command line; bytes that are no record stay as they are."""

    def stripped(value):
        if isinstance(value, dict):
            return {k: stripped(v) for k, v in value.items() if k not in ("command", "run")}
        return [stripped(v) for v in value] if isinstance(value, list) else value

    try:
        return stripped(json.loads(data))
    except ValueError:
        return data


def temporaries(folder):
    return [path.name for path in folder.rglob("*") if TEMPORARY.match(path.name)]
