# SPDX-License-Identifier: Apache-2.0
"""NIfTI files made field by field, so that every field can be wrong; and cases about one of them."""

import struct

import numpy
from kit import MASK, Case, halves, packed, raw

SPACING = (1.5, 1.25, 2.0)
ORIGIN = (-10.0, 20.0, 5.0)
CODES = {"u1": 2, "i2": 4, "i4": 8, "f4": 16, "f8": 64, "i1": 256, "u2": 512, "u4": 768, "i8": 1024, "u8": 1280}

# Where a field lies in versions 1 and 2, and how one value of it is stored.
FIELDS = {
    "sizeof_hdr": ("i", 0, 0),
    "dim": ("h q", 40, 16),
    "datatype": ("h", 70, 12),
    "bitpix": ("h", 72, 14),
    "pixdim": ("f d", 76, 104),
    "vox_offset": ("f q", 108, 168),
    "slope": ("f d", 112, 176),
    "inter": ("f d", 116, 184),
    "units": ("b i", 123, 500),
    "qform_code": ("h i", 252, 344),
    "sform_code": ("h i", 254, 348),
    "quatern": ("f d", 256, 352),
    "qoffset": ("f d", 268, 376),
    "srow": ("f d", 280, 400),
}


def field(header, name, values, version=1, order="<"):
    """Sets the values of a field, from its first one on."""
    kind, *places = FIELDS[name]
    kind = kind.split()[-1 if version == 2 else 0]
    values = values if isinstance(values, (tuple, list)) else (values,)
    struct.pack_into(f"{order}{len(values)}{kind}", header, places[version - 1], *values)


def affine_of(spacing=SPACING, origin=ORIGIN, shear=0.0):
    affine = numpy.diag([*spacing, 1.0])
    affine[0, 1] = shear
    affine[:3, 3] = origin
    return affine


def header(shape, dtype="u1", version=1, order="<", affine=None, sform=1, qform=1, **fields):
    """The header and its four bytes of extension. Further fields come last, as they are given."""
    result = bytearray(544 if version == 2 else 352)
    affine = affine_of() if affine is None else affine
    spacing = numpy.sqrt((affine[:3, :3] ** 2).sum(axis=0))
    offset = len(result)
    if version == 2:
        result[4:12] = b"n+2\0\r\n\x1a\n"
    else:
        result[344:348] = b"n+1\0"
    settings = {
        "sizeof_hdr": 540 if version == 2 else 348,
        "dim": (len(shape), *shape, *[1] * (7 - len(shape))),
        "datatype": CODES[dtype],
        "bitpix": 8 * numpy.dtype(dtype).itemsize,
        "pixdim": (1, *map(float, spacing), 1, 1, 1, 1),
        "vox_offset": offset,
        "slope": 1,
        "units": 2,
        "qform_code": qform,
        "sform_code": sform,
        "qoffset": tuple(affine[:3, 3]),
        "srow": tuple(affine[:3].ravel()),
        **fields,
    }
    for name, values in settings.items():
        field(result, name, values, version, order)
    return bytes(result)


def nifti(array=MASK, dtype="u1", version=1, order="<", shape=None, **fields):
    """A whole file of an array indexed [z, y, x]."""
    shape = tuple(reversed(array.shape)) if shape is None else shape
    return header(shape, dtype, version, order, **fields) + raw(array, order + dtype)


def partners(shape=None, **fields):
    """Two plain files of complementary masks on the same grid."""
    one, other = halves(shape or tuple(reversed(MASK.shape)))
    return {"half.nii.gz": packed(nifti(one, **fields)), "rest.nii.gz": packed(nifti(other, **fields))}


def about(id, row, name, content, verdict="refused", says=(), want=None, beside=None, **more):
    """A case of one file and its two partners."""
    beside = partners() if beside is None else beside
    want = MASK if want is None and verdict != "refused" else want
    others = [other for other in beside if other.startswith(("half", "rest"))]
    return Case(id, row, {name: content, **beside}, [name, *others], verdict, says, want=want, **more)
