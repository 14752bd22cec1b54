# SPDX-License-Identifier: Apache-2.0
"""TIFF files made entry by entry."""

import struct

import numpy
from kit import FLAT, PLANE, Case, halves, solid

STACK = (11, 9, 4)
VOLUME = solid(STACK)
WIDTHS = {1: 1, 2: 1, 3: 2, 4: 4, 16: 8}


def lzw(data):
    """The codes of TIFF's LZW, highest bit first, without ever filling the table beyond 9 bits."""
    codes = []
    for begin in range(0, len(data), 200):
        codes += [256, *data[begin : begin + 200]]
    bits = "".join(f"{code:09b}" for code in [*codes, 257])
    return int(bits.ljust(-(-len(bits) // 8) * 8, "0"), 2).to_bytes(-(-len(bits) // 8), "big")


def page(array, dtype="u1", pack=lambda data: data, **tags):
    """Tags and strips of a plane [y, x]. Tags are named by their number: t259=5."""
    height, width = array.shape
    kind = {"u": 1, "i": 2, "f": 3}[numpy.dtype(dtype).kind]
    result = {
        256: width,
        257: height,
        258: (3, 8 * numpy.dtype(dtype).itemsize),
        259: (3, 1),
        262: (3, 1),
        277: (3, 1),
        278: height,
        339: (3, kind),
    }
    result |= {int(name[1:]): value for name, value in tags.items()}
    return {tag: value for tag, value in result.items() if value is not None}, [pack(array.astype(dtype).tobytes())]


def tiles(array, side=16):
    """A page cut into square tiles."""
    height, width = array.shape
    down, across = -(-height // side), -(-width // side)
    whole = numpy.zeros((down * side, across * side), "u1")
    whole[:height, :width] = array
    pieces = [
        whole[y * side : (y + 1) * side, x * side : (x + 1) * side].tobytes()
        for y in range(down)
        for x in range(across)
    ]
    tags, _ = page(array, t278=None, t322=side, t323=side)
    return tags, pieces


def strips(array, height):
    tags, _ = page(array, t278=height)
    return tags, [array[y : y + height].tobytes() for y in range(0, len(array), height)]


def tiff(pages, order="<", wide=False, loop=None):
    """A file of pages; `loop` is the page that the last one leads back to."""
    slot, letter = (8, "Q") if wide else (4, "I")
    out = bytearray((b"II" if order == "<" else b"MM") + struct.pack(order + "H", 43 if wide else 42))
    if wide:
        out += struct.pack(order + "HH", 8, 0)
    link, places = len(out), []
    out += bytes(slot)
    for tags, pieces in pages:
        tags = {tag: value if isinstance(value, tuple) else (4, value) for tag, value in tags.items()}
        at = []
        for piece in pieces:
            at.append(len(out))
            out += piece
        keys = (324, 325) if 322 in tags else (273, 279)
        for key, value in zip(keys, (at, [len(piece) for piece in pieces])):
            if pieces:
                tags.setdefault(key, (4, *value))
        entries = b""
        for tag, (kind, *values) in sorted(tags.items()):
            data = b"".join(value.to_bytes(WIDTHS[kind], "little" if order == "<" else "big") for value in values)
            if len(data) > slot:
                out += data
                data = struct.pack(order + letter, len(out) - len(data))
            entries += struct.pack(f"{order}HH{letter}", tag, kind, len(values)) + data.ljust(slot, b"\0")
        out += bytes(len(out) % 2)
        places.append(len(out))
        struct.pack_into(order + letter, out, link, len(out))
        out += struct.pack(order + ("Q" if wide else "H"), len(tags)) + entries
        link = len(out)
        out += bytes(slot)
    if loop is not None:
        struct.pack_into(order + letter, out, link, places[loop])
    return bytes(out)


def about(id, content, verdict="refused", says=(), want=None, name="a.tif", **more):
    """A case with partners that are one page, or a stack where a stack is wanted."""
    stack = want is VOLUME
    one, other = halves(STACK if stack else FLAT)
    if stack:
        beside = {"half.tif": tiff([page(plane) for plane in one]), "rest.tif": tiff([page(plane) for plane in other])}
    else:
        beside = {"half.tif": tiff([page(one)]), "rest.tif": tiff([page(other)])}
    files = {name: content, **beside}
    want = PLANE[None] if want is None and verdict != "refused" else want
    return Case(f"tiff/{id}", "tiff", files, list(files), verdict, says, want=want, **more)
