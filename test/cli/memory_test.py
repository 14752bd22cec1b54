# SPDX-License-Identifier: Apache-2.0
"""How much memory a fusion takes, and that taking less does not change it."""

import os
import subprocess

import pytest

SANITIZED = os.environ.get("CREMA_SLOWDOWN", "1") != "1"
VOXELS = 100 * 300 * 300


def peak(program, *arguments):
    """Bytes that were resident at most."""
    process = subprocess.Popen([program, *map(str, arguments)], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    errors = process.stderr.read()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0, errors
    return usage.ru_maxrss * 1024


@pytest.fixture(scope="module")
def raters(program, tmp_path_factory):
    folder = tmp_path_factory.mktemp("memory")
    subprocess.run(
        [program, "demo", "-o", folder / "masks", "--kind", "organ", "--size", "100,300,300", "--raters", "5"],
        check=True,
        stdout=subprocess.DEVNULL,
    )
    return sorted((folder / "masks").glob("rater-*.nii.gz"))


def test_low_memory_gives_the_same_bytes(program, raters, tmp_path):
    for name, options in (("usual", []), ("low", ["--low-memory"])):
        peak(program, "fuse", *raters, "-o", tmp_path / f"{name}.nii.gz", *options)
    assert (tmp_path / "usual.nii.gz").read_bytes() == (tmp_path / "low.nii.gz").read_bytes()


@pytest.mark.skipif(SANITIZED, reason="a sanitizer keeps memory of its own")
@pytest.mark.parametrize("options, most", [(["--threads", "2"], 4), (["--threads", "2", "--low-memory"], 1.5)])
def test_a_voxel_takes_few_bytes(program, raters, tmp_path, options, most):
    taken = peak(program, "fuse", *raters, "-o", tmp_path / "out.nii.gz", *options) - peak(program, "--version")
    assert taken <= most * VOXELS
