# SPDX-License-Identifier: Apache-2.0
"""NRRD and MetaImage headers, line by line, on the grid that the NIfTI partners have."""

from kit import MASK, SIZE, raw
from nifti_bytes import ORIGIN, SPACING, about

WRONG = object()  # drops a line


def numbers(values):
    return " ".join(str(value) for value in values)


def nrrd_lines(**changes):
    """The fields of a NRRD header. A change sets a field (_ stands for a space) or drops it."""
    vectors = [f"({','.join(str(SPACING[a] if a == b else 0) for b in range(3))})" for a in range(3)]
    fields = {
        "type": "uchar",
        "dimension": "3",
        "space": "right-anterior-superior",
        "sizes": numbers(SIZE),
        "space_directions": " ".join(vectors),
        "kinds": "domain domain domain",
        "endian": "little",
        "encoding": "raw",
        "space_origin": f"({','.join(map(str, ORIGIN))})",
    }
    fields |= changes
    return [f"{name.replace('_', ' ')}: {text}" for name, text in fields.items() if text is not WRONG]


def nrrd(data=None, end="\n", first="NRRD0004", more=(), **changes):
    lines = [first, *nrrd_lines(**changes), *more, "", ""]
    return end.join(lines).encode() + (raw(MASK) if data is None else data)


def meta_lines(**changes):
    fields = {
        "ObjectType": "Image",
        "NDims": "3",
        "BinaryData": "True",
        "BinaryDataByteOrderMSB": "False",
        "CompressedData": "False",
        "TransformMatrix": "-1 0 0 0 -1 0 0 0 1",
        "Offset": numbers((-ORIGIN[0], -ORIGIN[1], ORIGIN[2])),
        "CenterOfRotation": "0 0 0",
        "ElementSpacing": numbers(SPACING),
        "DimSize": numbers(SIZE),
        "ElementType": "MET_UCHAR",
    }
    fields |= changes
    fields["ElementDataFile"] = fields.pop("ElementDataFile", "LOCAL")
    return [f"{name} = {text}" for name, text in fields.items() if text is not WRONG]


def meta(data=None, end="\n", **changes):
    return end.join([*meta_lines(**changes), ""]).encode() + (raw(MASK) if data is None else data)


def about_nrrd(id, content, *verdict, row="nrrd", name="a.nrrd", **more):
    return about(f"{row}/{id}", row, name, content, *verdict, **more)


def about_meta(id, content, *verdict, row="meta", name="a.mha", **more):
    return about(f"{row}/{id}", row, name, content, *verdict, **more)
