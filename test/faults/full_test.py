# SPDX-License-Identifier: Apache-2.0
"""Disks, limits and streams that are full or closed."""

import os
import resource
import subprocess

import numpy
import pytest
from conftest import FORMATS, PATIENCE, content, save, temporaries

SIZE = 300 * 1024


@pytest.fixture(scope="session")
def noise(tmp_path_factory):
    """One rater who drew at random: more than the small disk holds, also when it is compressed."""
    random = numpy.random.default_rng(6)
    folder = tmp_path_factory.mktemp("noise")
    solid = (random.random((160, 160, 128)) < 0.5).astype(numpy.uint8)
    flat = (random.random((2048, 1600, 1)) < 0.5).astype(numpy.uint8)
    return {False: save(folder / "solid", [solid]), True: save(folder / "flat", [flat])}


@pytest.fixture
def small_disk(out):
    done = subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={SIZE}", "crema-faults", out], capture_output=True)
    if done.returncode != 0:
        pytest.skip(f"a small disk needs the right to mount: {done.stderr.decode().strip()}")
    yield out
    subprocess.run(["umount", "-l", out], check=True)


def leave_free(disk, count):
    """Fills the disk until so many bytes are free."""
    state = os.statvfs(disk)
    (disk / "filler").write_bytes(b"x" * (state.f_bavail * state.f_frsize - count))


# The slices for DICOM are those of the small raters.
@pytest.mark.parametrize("kind", [kind for kind in FORMATS if kind not in ("record", "dcm")])
def test_a_disk_too_small_gets_nothing(fuse, noise, small_disk, kind):
    result, _ = fuse(
        kind, small_disk, words=[] if kind == "folder" else ["--method", "majority"], inputs=noise[kind == "png"]
    )
    assert result.code == 4 and "the disk is full" in result.err and str(small_disk) in result.err, result
    assert list(small_disk.iterdir()) == []


@pytest.mark.parametrize("kind", ["nii.gz", "mhd"])
def test_a_full_disk_keeps_the_older_output(fuse, noise, small_disk, kind):
    assert fuse(kind, small_disk)[0].code == 0
    old = content(small_disk)
    result, _ = fuse(kind, small_disk, words=["--force", "--method", "majority"], inputs=noise[False])
    assert result.code == 4, result
    assert content(small_disk) == old and temporaries(small_disk) == []


def test_where_a_record_does_not_fit_no_image_appears_without_it(fuse, small_disk):
    leave_free(small_disk, 4096)  # enough for the image
    result, _ = fuse("record", small_disk)
    assert result.code == 4 and "c.json: cannot be written: the disk is full" in result.err, result
    assert sorted(content(small_disk)) == ["filler"]


@pytest.mark.parametrize("kind", FORMATS)
def test_a_limit_on_the_size_of_files_is_an_error_like_any_other(fuse, out, kind):
    def limit():
        resource.setrlimit(resource.RLIMIT_FSIZE, (64, 64))

    result, _ = fuse(kind, out, preexec_fn=limit)
    assert result.code == 4 and "File too large" in result.err, result
    assert list(out.iterdir()) == []


PRINTING = {
    "version": ["--version"],
    "help": ["--help"],
    "help of a command": ["fuse", "--help"],
    "methods": ["methods"],
    "check": ["check", "RATERS"],
    "record": ["fuse", "RATERS", "-o", "{out}/c.nii", "--json", "-"],
    "completion": ["completion", "bash"],
    "manual": ["manual", "--markdown"],
}


def words_of(command, raters, out):
    for word in PRINTING[command]:
        yield from raters if word == "RATERS" else [word.format(out=out)]


@pytest.mark.parametrize("command", PRINTING)
@pytest.mark.parametrize("state", ["full", "closed", "read-only"])
def test_what_cannot_be_printed_is_an_error(program, raters, out, command, state):
    redirection = {"full": ">/dev/full", "closed": ">&-", "read-only": "1</dev/null"}[state]
    done = subprocess.run(
        ["bash", "-c", f'"$@" {redirection}', "-", program, *words_of(command, raters[False], out)],
        stdin=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        timeout=PATIENCE,
    )
    assert done.returncode == 4 and b"crema: standard output: cannot be written" in done.stderr, done
    assert temporaries(out) == []


@pytest.mark.parametrize("streams", ["0<&- >&-", ">&- 2>&-", "2>&-", "2>/dev/full", "0<&- >&- 2>&-"])
def test_nothing_is_printed_into_an_output(program, fuse, raters, out, streams):
    """A closed stream gives its number to the next file that is opened."""
    assert fuse("nii", out)[0].code == 0
    new = content(out)
    done = subprocess.run(
        ["bash", "-c", f'"$@" {streams}', "-", program, "fuse", *raters[False], "-o", out / "c.nii", "--force"],
        timeout=PATIENCE,
    )
    assert done.returncode == 0
    assert content(out) == new and temporaries(out) == []
