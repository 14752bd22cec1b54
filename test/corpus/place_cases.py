# SPDX-License-Identifier: Apache-2.0
"""Files that are not there, not readable, or something else altogether; and odd names."""

import os

from kit import Closed, Folder, Link, packed
from nifti_bytes import about, nifti

LFS = b"""version https://git-lfs.github.com/spec/v1
oid sha256:4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393
size 412331
"""
KEY = "SHA256E-s412331--4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393.nii.gz"
ANNEX = f"/annex/objects/{KEY}\n".encode()
HTML = b"<!DOCTYPE html>\n<html><head><title>403 Forbidden</title></head><body>Sign in first.</body></html>\n"
EMPTY = ("empty|0 bytes", "again")

NAMES = {
    "space": "rater one.nii.gz",
    "newline": "rater\none.nii.gz",
    "tab-and-escape": "rater\t\x1b[31mone.nii.gz",
    "quote": 'rater\'s "one".nii.gz',
    "markup": "<script>alert(1)<!--.nii.gz",
    "dash": "-o.nii.gz",
    "dashes": "--force",
    "percent": "%s%n%d.nii.gz",
    "dollar": "$(id) `id` & ;.nii.gz",
    "letters": "Bewerter-ä-評価者.nii.gz",
    "right-to-left": "rater\u202ezg.iin",
    "long": "r" * 248 + ".nii.gz",
    "not-utf-8": b"rater-\xff\xfe.nii.gz",
    "cut-utf-8": b"rater-\xe2\x82.nii.gz",
}


def nothing_there():
    for ending in ("nii", "nii.gz", "nrrd", "mha", "png", "tif", "npy", "npz"):
        yield about(f"places/empty-{ending}", "places", f"a.{ending}", b"", says=EMPTY)
    yield about("places/empty-inside-gzip", "places", "a.nii.gz", packed(b""), says=("empty|cut short",))
    yield about("places/directory", "places", "a.nii.gz", Folder(), says=("folder|directory",))
    missing = about("places/missing", "places", "a.nii.gz", b"", says=("not there|not exist|[Nn]o such",))
    del missing.files["a.nii.gz"]
    yield missing
    yield about(
        "places/unreadable",
        "places",
        "a.nii.gz",
        Closed(packed(nifti())),
        says=("[Pp]ermission|may not",),
        unprivileged=True,
    )
    closed = about("places/in-a-closed-folder", "places", "in/a.nii.gz", packed(nifti()), says=("permissions",))
    closed.files["in"] = Folder(0)
    closed.unprivileged = True
    yield closed


def something_else():
    annex = Link(f".git/annex/objects/aa/bb/{KEY}/{KEY}")
    yield about("places/annex-link", "places", "a.nii.gz", annex, says=("link", "annex get"))
    yield about("places/broken-link", "places", "a.nii.gz", Link("gone.nii.gz"), says=("link", "gone.nii.gz"))
    yield about("places/link-to-itself", "places", "a.nii.gz", Link("a.nii.gz"), says=("link|levels",))
    yield about("places/lfs-pointer", "places", "a.nii.gz", LFS, says=("LFS pointer", "git lfs pull"))
    yield about("places/lfs-pointer-nii", "places", "a.nii", LFS, says=("LFS pointer", "git lfs pull"))
    yield about("places/annex-pointer", "places", "a.nii.gz", ANNEX, says=("annex pointer", "git annex get"))
    yield about("places/html", "places", "a.nii.gz", HTML, says=("HTML|web page", "again"))
    yield about("places/html-gzipped", "places", "a.nii.gz", packed(HTML), says=("HTML|web page", "again"))
    yield about("places/text", "places", "a.nii.gz", b"not an image at all\n" * 40, says=("not|no ",))
    yield about("places/zeros", "places", "a.nii", bytes(4096), says=("not|no ",))


def odd_names():
    for key, name in NAMES.items():
        zipped = os.fsencode(name).endswith(b".gz")
        good = packed(nifti()) if zipped else nifti()
        yield about(f"names/{key}", "names", name, good, "fine")
        yield about(f"names/{key}-refused", "names", name, good[:-3], says=("cut short",))
    yield about("names/folder-with-newline", "names", "a\nb/c d.nii.gz", packed(nifti()), "fine")


def cases():
    yield from nothing_there()
    yield from something_else()
    yield from odd_names()
