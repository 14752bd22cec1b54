# SPDX-License-Identifier: Apache-2.0
"""PNG files made chunk by chunk."""

import struct
import zlib

import numpy
from kit import FLAT, PLANE, Case, halves

MAGIC = b"\x89PNG\r\n\x1a\n"
GREY, RGB, PALETTE, GREY_ALPHA, RGB_ALPHA = 0, 2, 3, 4, 6
PASSES = ((0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2))


def chunk(name, data):
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))


def start(size=FLAT, bits=8, colour=GREY, interlaced=0):
    return chunk(b"IHDR", struct.pack(">IIBBBBB", *size, bits, colour, 0, 0, interlaced))


def rows(samples, bits):
    """Filtered rows of samples indexed [y, x] or [y, x, channel]."""
    flat = samples.reshape(len(samples), -1)
    if bits == 16:
        lines = [row.astype(">u2").tobytes() for row in flat]
    else:
        spread = (flat[:, :, None].astype("u1") >> numpy.arange(bits - 1, -1, -1)) & 1
        lines = [row.tobytes() for row in numpy.packbits(spread.reshape(len(flat), -1), axis=1)]
    return b"".join(b"\0" + line for line in lines)


def png(samples=None, bits=8, colour=GREY, interlaced=0, extra=b""):
    samples = 255 * PLANE if samples is None else samples
    if interlaced:
        parts = [samples[y::dy, x::dx] for x, y, dx, dy in PASSES]
        data = b"".join(rows(part, bits) for part in parts if part.size)
    else:
        data = rows(samples, bits)
    size = (samples.shape[1], samples.shape[0])
    return (
        MAGIC
        + start(size, bits, colour, interlaced)
        + extra
        + chunk(b"IDAT", zlib.compress(data))
        + chunk(b"IEND", b"")
    )


def about(id, content, verdict="refused", says=(), name="a.png", row="png", **more):
    """A case of one flat image and two partners."""
    one, other = halves(FLAT)
    files = {name: content, "half.png": png(255 * one), "rest.png": png(255 * other)}
    want = PLANE[None] if verdict != "refused" else None
    return Case(f"{row}/{id}", row, files, list(files), verdict, says, want=want, **more)
