# SPDX-License-Identifier: Apache-2.0
"""The k-th write, fsync, close, rename or open of an output fails, for every k: the output is absent, the older
one, or complete; nothing else is left, and what went wrong is said."""

import pytest
from conftest import FORMATS, SANITIZED, content, raw, refill, temporaries

# Some calls come once per file, others twice or more; no format has more of one than this.
MOST = 40
RIDDEN_OUT = ("EINTR", "SHORT")
FAULTS = [
    ("write", "ENOSPC"),
    ("write", "EIO"),
    ("write", "EINTR"),
    ("write", "SHORT"),
    ("fsync", "ENOSPC"),
    ("fsync", "EIO"),
    ("fsync", "EINTR"),
    ("close", "EIO"),
    ("close", "EINTR"),
    ("rename", "ENOSPC"),
    ("rename", "EIO"),
    ("rename", "EINTR"),
    ("open", "ENOSPC"),
    ("open", "EINTR"),
]
FEW = [fault for fault in FAULTS if fault[1] in ("EIO", "SHORT")]
TOGETHER = ("hdr", "nhdr", "mhd")  # several files that make one image


def check_files(kind, folder, old, new):
    found = content(folder)
    assert temporaries(folder) == []
    if kind in TOGETHER:
        assert found in (old, new)
        return
    for name in set(old) | set(new) | set(found):
        assert found.get(name) in (old.get(name), new.get(name)), name


def check_run(kind, call, error, result, folder, old, new):
    if error in RIDDEN_OUT:
        assert result.code == 0
    if result.code == 0:
        # A folder that cannot be opened or closed to be made lasting is no reason to fail.
        assert error in RIDDEN_OUT or call in ("open", "close")
        assert content(folder) == new and temporaries(folder) == []
        return
    assert result.code == 4
    last = result.err.splitlines()[-1]
    assert last.startswith("crema: ") and str(folder) in last
    check_files(kind, folder, old, new)


def strike_all(fuse, kind, call, error, folder, before, states, words):
    """Fails each call in turn until there are no more; returns how many there were."""
    for k in range(1, MOST):
        refill(folder, before)
        result, struck = fuse(kind, folder, f"{call}:{k}:{error}", words)
        if not struck:
            assert result.code == 0 and content(folder) == states[1], result
            return k - 1
        try:
            check_run(kind, call, error, result, folder, *states)
        except AssertionError as wrong:
            raise AssertionError(f"{call} {k} {error}: {result}\n{sorted(content(folder))}") from wrong
    raise AssertionError("the program never came to an end of its calls")


def undisturbed(fuse, kind, folder, words=(), inputs=None):
    result, _ = fuse(kind, folder, None, words, inputs)
    assert result.code == 0, result
    return content(folder)


@pytest.mark.parametrize("kind", FORMATS)
def test_a_failing_call_leaves_nothing_or_everything(fuse, out, kind):
    new = undisturbed(fuse, kind, out)
    for call, error in FEW if SANITIZED else FAULTS:
        assert strike_all(fuse, kind, call, error, out, {}, ({}, new), ()) > 0, (call, error)


@pytest.mark.parametrize("kind", FORMATS)
def test_a_failing_call_leaves_the_older_output_or_the_new_one(fuse, raters, out, kind):
    old = undisturbed(fuse, kind, out, inputs=raters[kind == "png"][1:2])
    before = raw(out)
    new = undisturbed(fuse, kind, out, ["--force"])
    assert all(old[name] != new[name] for name in old if not name.endswith((".hdr", ".nhdr", ".mhd")))
    for call, error in FEW:
        assert strike_all(fuse, kind, call, error, out, before, (old, new), ["--force"]) > 0, (call, error)


@pytest.mark.parametrize("kind", ["nii.gz", "mhd", "folder"])
def test_a_disk_that_stays_full_leaves_nothing(fuse, out, kind):
    refill(out, {})
    result, struck = fuse(kind, out, "write:1+:ENOSPC")
    assert struck and result.code == 4 and "the disk is full" in result.err, result
    assert list(out.iterdir()) == []


def test_a_file_system_without_a_rename_that_spares_is_no_obstacle(fuse, out):
    new = undisturbed(fuse, "nii", out)
    refill(out, {})
    result, struck = fuse("nii", out, "rename:1:EINVAL")
    assert struck and result.code == 0, result
    assert content(out) == new and temporaries(out) == []


def test_a_folder_that_cannot_be_made_is_named(fuse, out):
    result, struck = fuse("folder", out, "mkdir:1:ENOSPC")
    assert struck and result.code == 4 and str(out / "results") in result.err, result
    assert list(out.iterdir()) == []


def test_the_library_strikes_where_it_is_told(fuse, out):
    """The suite means something only if a fault is felt."""
    result, struck = fuse("nii", out, "write:1:EIO")
    assert struck and result.code == 4 and "Input/output error" in result.err, result
    result, struck = fuse("nii", out, "write:1000:EIO")
    assert not struck and result.code == 0, result
