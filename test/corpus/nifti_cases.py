# SPDX-License-Identifier: Apache-2.0
"""NIfTI headers: types, offsets, magic, pairs, scaling and numbers of dimensions."""

import struct

import numpy
from kit import MASK, SIZE, halves, packed, patched
from nifti_bytes import CODES, about, header, nifti, partners

NAN = float("nan")


def types():
    for dtype in CODES:
        for order in "<>":
            for version in (1, 2):
                name = f"types/{numpy.dtype(dtype).name}-{'big' if order == '>' else 'little'}-{version}"
                content = nifti(MASK, dtype, version, order)
                yield about(name, "types", "a.nii", content, "fine")
                yield about(f"{name}-zipped", "types", "a.nii.gz", packed(content), "fine")
    for code, bits, called in ((0, 0, "0"), (9999, 8, "9999")):
        built = header(SIZE, datatype=code, bitpix=bits) + bytes(MASK.size * max(bits // 8, 1))
        yield about(f"types-refused/{code}", "types-refused", "a.nii", built, says=("datatype|type", called))
    others = {1: (1, "1-bit|binary"), 1536: (128, "float128"), 2048: (256, "complex"), 32: (64, "complex")}
    others |= {1792: (128, "complex"), 128: (24, "RGB"), 2304: (32, "RGBA")}
    for code, (bits, called) in others.items():
        built = header(SIZE, datatype=code, bitpix=bits) + bytes(MASK.size * bits // 8)
        yield about(f"types-refused/{code}", "types-refused", "a.nii", built, says=(called,), general=True)
    for code, dtype, bits in (
        (2, "u1", 16),
        (4, "i2", 8),
        (16, "f4", 64),
        (64, "f8", 32),
        (2, "u1", 0),
        (4, "i2", -16),
    ):
        data = nifti(MASK, dtype, bitpix=bits)
        yield about(f"types-refused/{code}-of-{bits}-bits", "types-refused", "a.nii", data, says=(f"{bits}\\b", "bits"))


def offsets():
    for name, value in (
        ("348", 348),
        ("1e9", 1e9),
        ("minus-352", -352),
        ("nan", NAN),
        ("352.5", 352.5),
        ("1e30", 1e30),
        ("infinite", float("inf")),
        ("100", 100),
    ):
        content = nifti(vox_offset=value)
        yield about(f"offset/{name}", "offset", "a.nii", content, says=("offset|cut short",))
        yield about(f"offset/{name}-zipped", "offset", "a.nii.gz", packed(content), says=("offset|cut short",))
    for value in (-544, 540, 2**62):
        yield about(
            f"offset/{value}-of-2", "offset", "a.nii", nifti(version=2, vox_offset=value), says=("offset|cut short",)
        )
    yield about("offset/0", "offset", "a.nii", nifti(vox_offset=0), "warning", ("vox_offset",))
    extended = nifti(vox_offset=384)
    extended = extended[:348] + b"\1\0\0\0" + struct.pack("<ii", 32, 6) + b"a comment".ljust(24, b"\0") + extended[352:]
    yield about("offset/extension", "offset", "a.nii", extended, "fine")


def magic():
    whole = nifti()
    for size in (0, 347, 349, 540, -348):
        yield about(f"offset/sizeof-{size}", "offset", "a.nii", nifti(sizeof_hdr=size), says=("header|not|no ",))
    for name, text in (("blank", bytes(4)), ("n+3", b"n+3\0"), ("xyz", b"xyz\0"), ("no-end", b"n+1x")):
        changed = patched(whole, 344, text)
        # Without a magic it looks like Analyze, which some read.
        yield about(
            f"offset/magic-{name}", "offset", "a.nii", changed, says=("magic|Analyze",), general=name == "blank"
        )
    damaged = patched(nifti(version=2), 8, b"\n\x1a\n\n")
    yield about(
        "offset/magic-2-changed-by-a-transfer", "offset", "a.nii", damaged, says=("magic|line|transfer|damaged",)
    )
    analyze = bytearray(whole[:348])
    analyze[344:348] = bytes(4)
    struct.pack_into("<i", analyze, 32, 16384)
    analyze[38:39] = b"r"
    files = {"a.img": MASK.tobytes(), **partners()}
    yield about("offset/before-nifti", "offset", "a.hdr", bytes(analyze), says=("Analyze",), beside=files, general=True)


def pairs():
    top = header(SIZE, vox_offset=0)[:348]
    top = patched(top, 344, b"ni1\0")
    data = {"a.img": MASK.tobytes()}
    yield about("pair/both", "pair", "a.hdr", top, "fine", beside={**data, **partners()})
    yield about(
        "pair/named-by-its-voxels", "pair", "a.img", MASK.tobytes(), "fine", beside={"a.hdr": top, **partners()}
    )
    zipped = {"a.img.gz": packed(MASK.tobytes()), **partners()}
    yield about("pair/zipped", "pair", "a.hdr.gz", packed(top), "fine", beside=zipped)
    yield about("pair/no-voxels", "pair", "a.hdr", top, says=("a\\.img",))
    yield about(
        "pair/voxels-cut",
        "pair",
        "a.hdr",
        top,
        says=("cut short",),
        named="a.img",
        beside={"a.img": MASK.tobytes()[:-1], **partners()},
    )
    yield about(
        "pair/voxels-empty",
        "pair",
        "a.hdr",
        top,
        says=("cut short|empty",),
        named="a.img",
        beside={"a.img": b"", **partners()},
    )
    yield about("pair/no-header", "pair", "a.img", MASK.tobytes(), says=("a\\.hdr|not",), general=True)


def slopes():
    yield about("slope/0", "slope", "a.nii", nifti(slope=0, inter=7), "fine")
    yield about("slope/nan", "slope", "a.nii", nifti(slope=NAN), "fine")
    yield about("slope/infinite", "slope", "a.nii", nifti(slope=float("inf")), "fine")
    yield about(
        "slope/1-over-255", "slope", "a.nii", nifti(255 * MASK, slope=1 / 255), "warning", ("scl_slope|slope|round",)
    )
    yield about("slope/half", "slope", "a.nii", nifti(slope=0.5), says=("0\\.5",), general=True)
    yield about("slope/minus-1", "slope", "a.nii", nifti(slope=-1), "warning", ("-1|−1",))
    yield about(
        "slope/inter-nan", "slope", "a.nii", nifti(slope=1, inter=NAN), "warning or refused", ("scl_inter|NaN",)
    )


def dimensions():
    for count in (4, 5, 6, 7):
        shape = (*SIZE, *[1] * (count - 3))
        yield about(f"dimensions/{count}-singleton", "dimensions", "a.nii", nifti(shape=shape), "fine")
    for name, shape in (("volumes", (*SIZE, 3)), ("vectors", (*SIZE, 1, 3))):
        content = header(shape) + MASK.tobytes() * 3
        yield about(
            f"dimensions/3-{name}",
            "dimensions",
            "a.nii",
            content,
            says=("\\b3\\b", "volume|vector|compon|4-D|5-D|dimension"),
            general=True,
        )
    slice_one = MASK[:1]
    beside = partners((*SIZE[:2], 1))
    flat = nifti(slice_one[0], dim=(2, *SIZE[:2], 1, 1))
    yield about("dimensions/2-against-one-slice", "dimensions", "a.nii", flat, "fine", beside=beside, want=slice_one)
    one, other = halves((*SIZE[:2], 1))
    beside = {"half.nii": nifti(one[0], dim=(2, *SIZE[:2])), "rest.nii": nifti(other[0], dim=(2, *SIZE[:2]))}
    yield about(
        "dimensions/one-slice-against-2", "dimensions", "a.nii", nifti(slice_one), "fine", beside=beside, want=slice_one
    )


def cases():
    for part in (types, offsets, magic, pairs, slopes, dimensions):
        yield from part()
