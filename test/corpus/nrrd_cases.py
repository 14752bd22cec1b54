# SPDX-License-Identifier: Apache-2.0
"""NRRD files."""

import numpy
from kit import MASK, SIZE, flipped_bit, packed, raw
from nifti_bytes import CODES
from text_bytes import WRONG, about_nrrd, nrrd, numbers

ZIPPED = packed(raw(MASK))
TYPES = {
    "i1": "int8",
    "u1": "unsigned char",
    "i2": "short",
    "u2": "uint16_t",
    "i4": "int",
    "u4": "unsigned int",
    "i8": "long long",
    "u8": "uint64",
    "f4": "float",
    "f8": "double",
}
CUT, AGAIN = "cut short", "again"


def sound():
    yield about_nrrd("plain", nrrd(), "fine")
    for dtype in CODES:
        for order, endian in (("<", "little"), (">", "big")):
            data = raw(MASK, order + dtype)
            yield about_nrrd(
                f"{numpy.dtype(dtype).name}-{endian}", nrrd(data, type=TYPES[dtype], endian=endian), "fine"
            )
    yield about_nrrd("crlf", nrrd(end="\r\n"), "fine")
    yield about_nrrd("gzip", nrrd(ZIPPED, encoding="gzip"), "fine")
    yield about_nrrd("text", nrrd(numbers(raw(MASK)).encode(), encoding="ascii"), "fine")
    yield about_nrrd("comments-and-pairs", nrrd(more=("# a comment", "key:=value: more")), "fine")
    yield about_nrrd(
        "one-list",
        nrrd(
            dimension="4",
            sizes="1 " + numbers(SIZE),
            kinds="list domain domain domain",
            space_directions="none (1.5,0,0) (0,1.25,0) (0,0,2.0)",
        ),
        "fine",
    )
    lps = {"space": "left-posterior-superior", "space_origin": "(10,-20,5)"}
    yield about_nrrd("lps", nrrd(space_directions="(-1.5,0,0) (0,-1.25,0) (0,0,2)", **lps), "fine")


def damaged():
    whole, zipped = nrrd(), nrrd(ZIPPED, encoding="gzip")
    yield about_nrrd("data-cut", whole[:-1], "refused", (CUT, AGAIN))
    yield about_nrrd("data-cut-in-half", whole[: -MASK.size // 2], "refused", (CUT, AGAIN))
    yield about_nrrd("no-data", nrrd(b""), "refused", (CUT, AGAIN))
    yield about_nrrd("header-cut", whole[:60], "refused", ("cut short|header|ends",))
    yield about_nrrd("only-magic", b"NRRD0004\n", "refused", ("cut short|header|ends|type",))
    yield about_nrrd("data-too-long", whole + b"more", "refused", ("more data|too long|after",))
    yield about_nrrd("gzip-cut", zipped[:-6], "refused", (CUT, AGAIN))
    yield about_nrrd("gzip-bad-crc", flipped_bit(zipped, -8), "refused", ("checksum|CRC", AGAIN))
    yield about_nrrd("gzip-flip", flipped_bit(zipped, -40, 4), "refused", ("damaged|checksum|cut short|more data",))
    yield about_nrrd("gzip-garbage", zipped + b"garbage", "refused", ("after|more data",))
    yield about_nrrd(
        "gzip-of-too-little", nrrd(packed(raw(MASK)[:-1]), encoding="gzip"), "refused", ("cut short|less",)
    )
    yield about_nrrd("text-with-too-few", nrrd(b"1 0 1", encoding="ascii"), "refused", (CUT + "|3 ",))
    yield about_nrrd("text-with-a-word", nrrd(b"1 0 one " + b"0 " * 600, encoding="ascii"), "refused", ("one",))


def headers():
    sizes = {
        "huge": "99999999 99999999 99999999",
        "overflow": "4294967296 4294967296 16",
        "too-large": "9" * 30 + " 8 7",
        "negative": "-9 8 7",
        "0": "0 8 7",
        "fraction": "9.5 8 7",
        "word": "nine 8 7",
    }
    for name, text in sizes.items():
        yield about_nrrd(f"sizes-{name}", nrrd(sizes=text), "refused", ("size|cut short|damaged",))
    yield about_nrrd("too-many-sizes", nrrd(sizes="9 8 7 1"), "refused", ("sizes", "9 8 7 1", "\\b3\\b"))
    yield about_nrrd("too-few-sizes", nrrd(sizes="9 56"), "refused", ("sizes", "9 56", "\\b3\\b"))
    for count in ("0", "-1", "17", "200", "three"):
        yield about_nrrd(f"dimension-{count}", nrrd(dimension=count), "refused", ("dimension",))
    for field in ("type", "dimension", "sizes", "encoding"):
        yield about_nrrd(f"no-{field}", nrrd(**{field: WRONG}), "refused", (field,))
    yield about_nrrd("no-endian", nrrd(raw(MASK, "<i2"), type="short", endian=WRONG), "refused", ("endian",))
    yield about_nrrd("unknown-type", nrrd(type="quaternion"), "refused", ("quaternion",))
    yield about_nrrd("block-type", nrrd(type="block", more=("block size: 1",)), "refused", ("block",))
    for encoding in ("rot13", "hex", "bzip2"):
        yield about_nrrd(
            f"encoding-{encoding}", nrrd(encoding=encoding), "refused", (encoding,), general=encoding != "rot13"
        )


def vectors_and_lines():
    vectors = {
        "nan": "(nan,0,0) (0,1.25,0) (0,0,2)",
        "infinite": "(1.5,0,0) (0,inf,0) (0,0,2)",
        "0": "(0,0,0) (0,1,0) (0,0,1)",
        "in-a-plane": "(1,0,0) (2,0,0) (0,0,1)",
        "too-few": "(1.5,0,0) (0,1.25,0)",
        "cut": "(1.5,0,0) (0,1.25",
    }
    for name, text in vectors.items():
        yield about_nrrd(f"vectors-{name}", nrrd(space_directions=text), "refused", ("direction",))
    yield about_nrrd("origin-nan", nrrd(space_origin="(nan,0,0)"), "refused", ("origin",))
    yield about_nrrd("origin-of-two", nrrd(space_origin="(1,2)"), "refused", ("origin",))
    yield about_nrrd("long-line", nrrd(more=("# " + "x" * (1 << 20),)), "refused", ("line",), general=True)
    yield about_nrrd("endless-line", b"NRRD0004\n" + b"x" * (1 << 20), "refused", ("line|header",))
    yield about_nrrd("field-twice", nrrd(more=("type: float",)), "refused", ("type", "twice|more than once|again"))
    yield about_nrrd("line-without-meaning", nrrd(more=("nonsense",)), "refused", ("nonsense|line",))
    yield about_nrrd("version-9", nrrd(first="NRRD0009"), "refused", ("NRRD0009|version",))
    yield about_nrrd(
        "three-volumes",
        nrrd(
            raw(MASK) * 3,
            dimension="4",
            sizes=numbers((*SIZE, 3)),
            kinds="domain domain domain list",
            space_directions="(1.5,0,0) (0,1.25,0) (0,0,2) none",
        ),
        "refused",
        ("\\b3\\b",),
        general=True,
    )


def contradictions():
    spacings = {"the-same": "1.5 1.25 2", "of-nan": "nan nan nan"}
    for name, text in spacings.items():
        yield about_nrrd(f"spacings-{name}", nrrd(spacings=text), "fine")
    yield about_nrrd("spacings-differ", nrrd(spacings="1.5 1.25 3"), "refused", ("spacings '1.5 1.25 3'", "directions"))
    yield about_nrrd("axis-mins-of-nan", nrrd(axis_mins="nan nan nan"), "fine")
    for name in ("mins", "maxs"):
        content = nrrd(**{f"axis_{name}": "0 0 0"})
        yield about_nrrd(f"axis-{name}", content, "refused", (f"axis {name} '0 0 0'", "directions"))
    yield about_nrrd("space-dimension-the-same", nrrd(space_dimension="3"), "fine")
    yield about_nrrd("space-dimension-differs", nrrd(space_dimension="2"), "refused", ("space dimension '2'",))
    yield about_nrrd("number-right", nrrd(number=str(MASK.size)), "fine")
    yield about_nrrd("number-wrong", nrrd(number="17"), "refused", ("number '17'", "sizes"))


def cases():
    for part in (sound, damaged, headers, vectors_and_lines, contradictions):
        yield from part()
