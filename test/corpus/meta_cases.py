# SPDX-License-Identifier: Apache-2.0
"""MetaImage files."""

import numpy
from kit import MASK, SIZE, deflated, flipped_bit, raw
from nifti_bytes import CODES, affine_of, partners
from text_bytes import WRONG, about_meta, meta, meta_lines, numbers

ZIPPED = deflated(raw(MASK))
TYPES = {
    "i1": "CHAR",
    "u1": "UCHAR",
    "i2": "SHORT",
    "u2": "USHORT",
    "i4": "INT",
    "u4": "UINT",
    "i8": "LONG_LONG",
    "u8": "ULONG_LONG",
    "f4": "FLOAT",
    "f8": "DOUBLE",
}
CUT, AGAIN = "cut short", "again"


def zipped(data=ZIPPED, size=None, **more):
    return meta(data, CompressedData="True", CompressedDataSize=str(len(data)) if size is None else size, **more)


def sound():
    yield about_meta("plain", meta(), "fine")
    for dtype in CODES:
        for order, msb in (("<", "False"), (">", "True")):
            name = f"{numpy.dtype(dtype).name}-{'big' if order == '>' else 'little'}"
            content = meta(raw(MASK, order + dtype), ElementType="MET_" + TYPES[dtype], BinaryDataByteOrderMSB=msb)
            yield about_meta(name, content, "fine")
    yield about_meta("zlib", zipped(), "fine")
    yield about_meta("zlib-without-size", meta(ZIPPED, CompressedData="True"), "accepted")
    yield about_meta("text", meta(numbers(raw(MASK)).encode(), BinaryData="False"), "fine")
    yield about_meta("crlf", meta(end="\r\n"), "fine")


def headers():
    for count in ("-1", "0", "9", "11", "200", "three"):
        yield about_meta(f"dimensions-{count}", meta(NDims=count), "refused", ("NDims",))
    sizes = {
        "too-few": "9 8",
        "negative": "-9 8 7",
        "0": "9 0 7",
        "huge": "2000000000 2000000000 2000000000",
        "overflow": "4294967296 4294967296 16",
        "too-large": "9" * 30 + " 8 7",
        "fraction": "9.5 8 7",
    }
    for name, text in sizes.items():
        yield about_meta(f"sizes-{name}", meta(DimSize=text), "refused", ("DimSize|size|cut short|damaged",))
    yield about_meta(
        "channels-minus-3", meta(ElementNumberOfChannels="-3"), "refused", ("ElementNumberOfChannels|channels",)
    )
    yield about_meta("channels-0", meta(ElementNumberOfChannels="0"), "refused", ("ElementNumberOfChannels|channels",))
    yield about_meta(
        "channels-3", meta(raw(MASK) * 3, ElementNumberOfChannels="3"), "refused", ("channels",), general=True
    )
    yield about_meta("unknown-type", meta(ElementType="MET_QUATERNION"), "refused", ("MET_QUATERNION",))
    yield about_meta("no-type", meta(ElementType=WRONG), "refused", ("ElementType",))
    yield about_meta("no-sizes", meta(DimSize=WRONG), "refused", ("DimSize",))
    yield about_meta("no-dimensions", meta(NDims=WRONG), "refused", ("NDims",))


def geometry():
    bad = {
        "nan": "nan 0 0 0 1 0 0 0 1",
        "0": "0 0 0 0 0 0 0 0 0",
        "in-a-plane": "1 0 0 2 0 0 0 0 1",
        "too-few": "1 0 0 0 1 0",
    }
    for name, text in bad.items():
        yield about_meta(f"matrix-{name}", meta(TransformMatrix=text), "refused", ("TransformMatrix",))
    yield about_meta("spacing-too-few", meta(ElementSpacing="1 1"), "refused", ("ElementSpacing",))
    for name in ("nan", "0", "-1", "inf"):
        yield about_meta(
            f"spacing-{name}",
            meta(ElementSpacing=f"{name} 1.25 2"),
            "warning or refused",
            ("spacing|ElementSpacing",),
            beside=partners(affine=affine_of((1, 1.25, 2))),
        )
    yield about_meta("offset-nan", meta(Offset="nan 0 0"), "refused", ("Offset",))
    yield about_meta("long-line", meta(Comment="x" * (1 << 20)), "refused", ("line",), general=True)
    yield about_meta(
        "three-volumes",
        meta(
            raw(MASK) * 3,
            NDims="4",
            DimSize=numbers((*SIZE, 3)),
            ElementSpacing="1.5 1.25 2 1",
            Offset="10 -20 5 0",
            TransformMatrix=numbers(numpy.eye(4, dtype=int).ravel()),
            CenterOfRotation="0 0 0 0",
        ),
        "refused",
        ("\\b3\\b",),
        general=True,
    )


def contradictions():
    plain = dict(line.split(" = ") for line in meta_lines())
    offset, matrix = plain["Offset"], plain["TransformMatrix"]
    same = numbers(f"{float(word):.2f}" for word in offset.split())
    for name in ("Origin", "Position"):
        yield about_meta(f"{name.lower()}-the-same", meta(**{name: same}), "fine")
        yield about_meta(
            f"{name.lower()}-differs", meta(**{name: "10 -20 6"}), "refused", (f"{name} = 10 -20 6", "Offset")
        )
    for name in ("Rotation", "Orientation"):
        yield about_meta(f"{name.lower()}-the-same", meta(**{name: matrix}), "fine")
        text = "1 0 0 0 1 0 0 0 1"
        yield about_meta(
            f"{name.lower()}-differs", meta(**{name: text}), "refused", (f"{name} = {text}", "TransformMatrix")
        )
    both = meta(Offset=WRONG, Position=offset, Origin="0 0 0")
    yield about_meta("position-and-origin-differ", both, "refused", ("Position = ", "Origin = 0 0 0"))
    yield about_meta("element-size-the-same", meta(ElementSize="1.5 1.25 2.0"), "fine")
    yield about_meta("element-size-differs", meta(ElementSize="1.5 1.25 9"), "warning", ("ElementSize = 1.5 1.25 9",))


def damaged():
    yield about_meta("data-cut", meta()[:-1], "refused", (CUT, AGAIN))
    yield about_meta("data-cut-in-half", meta()[: -MASK.size // 2], "refused", (CUT, AGAIN))
    yield about_meta("no-data", meta(b""), "refused", (CUT, AGAIN))
    yield about_meta("header-cut", meta()[:50], "refused", ("cut short|header|ends|ElementDataFile|DimSize",))
    yield about_meta("data-too-long", meta() + b"more", "refused", ("more data|too long|after",))
    for name, size in {
        "too-small": "5",
        "too-large": str(len(ZIPPED) + 1),
        "huge": "9223372036854775807",
        "negative": "-5",
    }.items():
        yield about_meta(f"packed-size-{name}", zipped(size=size), "refused", ("CompressedDataSize",))
    yield about_meta("zlib-cut", zipped(ZIPPED[:-6]), "refused", (CUT + "|damaged",))
    yield about_meta("zlib-bad-checksum", zipped(flipped_bit(ZIPPED, -1)), "refused", ("checksum|damaged",))
    yield about_meta("zlib-flip", zipped(flipped_bit(ZIPPED, 30, 4)), "refused", ("damaged|checksum|cut short|more",))
    yield about_meta("zlib-header", zipped(b"\0\0" + ZIPPED[2:]), "refused", ("zlib|damaged",))
    yield about_meta("zlib-garbage", zipped(ZIPPED + b"garbage"), "refused", ("after|more data|damaged",))
    yield about_meta("zlib-of-too-little", zipped(deflated(raw(MASK)[:-1])), "refused", ("cut short|less",))
    yield about_meta("zlib-of-too-much", zipped(deflated(raw(MASK) + b"\1")), "refused", ("more data",))
    yield about_meta("text-with-too-few", meta(b"1 0 1", BinaryData="False"), "refused", (CUT + "|3 ",))


def lists():
    slices = "\n".join(["", *[f"s{i}.raw" for i in range(7)], ""])
    some = {f"s{i}.raw": raw(MASK[i]) for i in range(7) if i != 3}
    yield about_meta(
        "list-with-a-slice-missing",
        meta(slices.encode(), ElementDataFile="LIST"),
        "refused",
        ("LIST|list|s3\\.raw",),
        name="a.mhd",
        beside={**some, **partners()},
    )
    yield about_meta(
        "list-cut",
        meta(b"\ns0.raw\n", ElementDataFile="LIST"),
        "refused",
        ("LIST|list",),
        name="a.mhd",
        beside={**some, **partners()},
    )
    yield about_meta("name-with-formats", meta(b"", ElementDataFile="%s%n"), "refused", ("%",), name="a.mhd")
    yield about_meta(
        "name-with-formats-and-range", meta(b"", ElementDataFile="%s%n 1 7 1"), "refused", ("%",), name="a.mhd"
    )
    without = "\n".join(meta_lines()[:-1]).encode()
    yield about_meta("no-data-file", without, "refused", ("ElementDataFile",))
    yield about_meta("no-data-file-but-data", without + b"\n" + raw(MASK), "refused", ("ElementDataFile|header",))


def cases():
    for part in (sound, headers, geometry, contradictions, damaged, lists):
        yield from part()
