# SPDX-License-Identifier: Apache-2.0
"""Places where a result cannot or must not be written."""

from kit import Folder, packed
from nifti_bytes import about, nifti, partners

OUTPUT = {"row": "output", "name": "a.nii.gz", "content": packed(nifti()), "check": None}


def case(id, output, code, says=(), files=None, **more):
    return about(
        f"output/{id}",
        output=output,
        code=code,
        says=says,
        named=output,
        beside={**partners(), **(files or {})},
        alone=False,
        **OUTPUT,
        **more,
    )


def cases():
    yield case("exists", "out.nii.gz", 2, ("exists", "--force"), {"out.nii.gz": b"precious"})
    yield case("is-an-input", "a.nii.gz", 2, ("input",))
    yield case("is-an-input-by-force", "a.nii.gz", 2, ("input",), options=["--force"])
    yield case("is-an-input-by-another-name", "./a.nii.gz", 2, ("input",), options=["--force"])
    yield case("is-a-folder", "results.nii.gz", 2, ("folder",), {"results.nii.gz": Folder()})
    yield case("folder-missing", "no/where/out.nii.gz", 4, ("no/where", "folder"))
    yield case("folder-is-a-file", "half.nii.gz/out.nii.gz", 4, ("folder",))
    yield case(
        "read-only", "closed/out.nii.gz", 4, ("[Pp]ermission|may not",), {"closed": Folder(0o555)}, unprivileged=True
    )
    yield case("ending-unknown", "out.xyz", 2, ("\\.nii\\.gz",))
    yield case("name-too-long", "x" * 300 + ".nii.gz", 4, ("long",))
