# SPDX-License-Identifier: Apache-2.0
"""PNG images of every kind, and what is named like one."""

import base64
import struct
import zlib

import numpy
from kit import FLAT, PLANE, flipped_bit
from png_bytes import GREY, GREY_ALPHA, MAGIC, PALETTE, RGB, RGB_ALPHA, about, chunk, png, start

JPEG = base64.b64decode(
    "/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAP//////////////////////////////////////////////////////////////////////////////"
    "////////wAALCAABAAEBAREA/8QAFAABAAAAAAAAAAAAAAAAAAAAA//EABQQAQAAAAAAAAAAAAAAAAAAAAD/2gAIAQEAAD8AN//Z"
)


def channels(*planes):
    return numpy.stack(planes, axis=-1)


def sound():
    for bits in (1, 2, 4, 8, 16):
        for interlaced in (0, 1):
            name = f"grey-{bits}{'-interlaced' if interlaced else ''}"
            yield about(name, png((2**bits - 1) * PLANE.astype("u2"), bits, GREY, interlaced), "fine")
    palette = chunk(b"PLTE", bytes([0, 0, 0, 255, 255, 255]))
    for bits in (1, 2, 4, 8):
        yield about(f"palette-{bits}", png(PLANE, bits, PALETTE, extra=palette), "accepted")
    white = 255 * PLANE
    yield about("rgb-equal", png(channels(white, white, white), 8, RGB), "accepted")
    yield about("rgb-equal-16", png(channels(*[257 * white.astype("u2")] * 3), 16, RGB), "accepted")
    opaque = numpy.full_like(white, 255)
    yield about("grey-and-opaque", png(channels(white, opaque), 8, GREY_ALPHA), "accepted")
    yield about("mask-in-alpha", png(channels(0 * white, 0 * white, 0 * white, white), 8, RGB_ALPHA), "accepted")
    yield about("mask-in-alpha-of-grey", png(channels(0 * white, white), 8, GREY_ALPHA), "accepted")
    yield about("0-and-1-in-8-bits", png(PLANE), "fine")


def not_masks():
    soft = png(numpy.where(PLANE, 255, (numpy.arange(PLANE.size) * 37 % 256).reshape(PLANE.shape)))
    yield about("anti-aliased", soft, "refused", ("--threshold|--label",), general=True)
    white = 255 * PLANE
    yield about("colour", png(channels(white, 0 * white, 255 - white), 8, RGB), "refused", ("colour",), general=True)
    yield about("jpeg", JPEG, "refused", ("JPEG", "PNG"), name="a.jpg")
    yield about("jpeg-named-png", JPEG, "refused", ("JPEG", "PNG"))
    yield about(
        "grey-and-alpha-differ",
        png(channels(white, 255 - white[::-1]), 8, GREY_ALPHA),
        "refused",
        ("alpha|transparen",),
        general=True,
    )


def damaged():
    whole = png()
    for name, size in (
        ("magic-cut", 5),
        ("header-cut", 20),
        ("half", len(whole) // 2),
        ("last-4", len(whole) - 4),
        ("without-end", len(whole) - 12),
        ("last-1", len(whole) - 1),
    ):
        yield about(f"truncated-{name}", whole[:size], "refused", ("cut short|damaged|unsupported format",))
    yield about("flip-in-data", flipped_bit(whole, len(whole) - 30, 2), "refused", ("damaged|checksum|CRC",))
    yield about("flip-in-header", flipped_bit(whole, 19, 2), "refused", ("damaged|checksum|CRC",))
    yield about(
        "bad-chunk-length",
        whole[:33] + struct.pack(">I", 2**31 - 1) + whole[37:],
        "refused",
        ("cut short|damaged|chunk",),
    )
    yield about("unknown-critical-chunk", png(extra=chunk(b"NOPE", b"x")), "refused", ("chunk|NOPE|damaged",))
    yield about("no-data", MAGIC + start() + chunk(b"IEND", b""), "refused", ("cut short|damaged|IDAT|data",))
    yield about(
        "too-few-rows",
        MAGIC + start() + chunk(b"IDAT", zlib.compress(bytes(12 * 5))) + chunk(b"IEND", b""),
        "refused",
        ("cut short|damaged|data",),
    )
    yield about("bytes-after-the-end", whole + b"garbage", "refused", ("after",))
    for name, size in (("100000-squared", (100000, 100000)), ("largest", (2**31 - 1, 2**31 - 1)), ("0-wide", (0, 8))):
        head = MAGIC + start(size, 16) + chunk(b"IDAT", zlib.compress(bytes(100))) + chunk(b"IEND", b"")
        yield about(name, head, "refused", ("large|damaged|cut short|cannot hold|0|more",))
    yield about("3-bits", MAGIC + start(FLAT, 3) + whole[33:], "refused", ("\\b3\\b|bits|damaged",))


def cases():
    for part in (sound, not_masks, damaged):
        yield from part()
