# SPDX-License-Identifier: Apache-2.0
"""Headers of NRRD and MetaImage that keep their voxels elsewhere, and where they must not lead."""

from kit import MASK, Folder, Link, Pipe, raw
from nifti_bytes import partners
from text_bytes import about_meta, about_nrrd, meta, nrrd

BESIDE = {"in/a.raw": raw(MASK), "out.raw": raw(MASK), **{f"in/{name}": data for name, data in partners().items()}}
SPECIAL = {"in/link.raw": Link("../out.raw"), "in/pipe.raw": Pipe(), "in/folder": Folder()}
LEAD = {
    "missing": ("gone.raw", "gone\\.raw"),
    "parent": ("../out.raw", "\\.\\."),
    "link-out": ("link.raw", "link\\.raw"),
    "device": ("/dev/zero", "/dev/zero"),
    "absolute": ("/etc/passwd", "/etc/passwd"),
    "pipe": ("pipe.raw", "pipe"),
    "folder": ("folder", "folder"),
    "pattern": ("a%03d.raw 1 7 1", "%|pattern"),
    "percent": ("%s%n.raw", "%|pattern"),
}


def nhdr(id, target, *verdict, **more):
    return located(about_nrrd(f"{id}-nhdr", nrrd(b"", data_file=target), *verdict, name="in/a.nhdr", **more))


def mhd(id, target, *verdict, **more):
    return located(about_meta(f"{id}-mhd", meta(b"", ElementDataFile=target), *verdict, name="in/a.mhd", **more))


def located(case):
    """Partners lie in the folder of the header."""
    case.inputs += ["in/half.nii.gz", "in/rest.nii.gz"]
    return case


def cases():
    for kind in (nhdr, mhd):
        for name, (target, says) in LEAD.items():
            # A file that is there but cannot be read is named itself.
            named = f"in/{target}" if name in ("pipe", "folder") else None
            beside = {**BESIDE, **SPECIAL}
            # To follow these is what the formats say; a tool that is handed files of strangers should not.
            general = name in ("parent", "absolute", "link-out", "device")
            yield kind(name, target, "refused", (says,), row="detached", beside=beside, named=named, general=general)
        yield kind("sound", "a.raw", "fine", row="detached", beside=BESIDE)
        yield kind("itself", f"a.{kind.__name__}", "refused", ("cut short|more data",), row="detached", beside=BESIDE)
        cut = {**BESIDE, "in/a.raw": raw(MASK)[:-1]}
        yield kind("cut", "a.raw", "refused", ("cut short",), row="detached", beside=cut, named="in/a.raw")
