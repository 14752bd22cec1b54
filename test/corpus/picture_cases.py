# SPDX-License-Identifier: Apache-2.0
"""Pictures whose pixels do not speak for themselves: palettes, orientations, maps of levels with a mark."""

import struct

import numpy
from kit import PLANE, halves
from png_bytes import GREY, PALETTE, chunk, png
from png_bytes import about as about_png
from tiff_bytes import about as about_tiff
from tiff_bytes import page, tiff

BLACK, WHITE, RED, GREEN = (0, 0, 0), (255, 255, 255), (255, 0, 0), (0, 255, 0)


def palette(*colours, alpha=None):
    entries = chunk(b"PLTE", bytes(sum(colours, ())))
    return entries if alpha is None else entries + chunk(b"tRNS", bytes(alpha))


def painted(outside, inside, *colours, bits=8, alpha=None):
    """The mask drawn with two entries of a palette."""
    return png(numpy.where(PLANE, inside, outside), bits, PALETTE, extra=palette(*colours, alpha=alpha))


def palettes():
    for bits in (2, 4, 8):
        content = painted(2, 1, BLACK, WHITE, bits=bits)
        yield about_png(f"palette-index-beyond-{bits}", content, "refused", ("entry 2", "palette of 2"))
    yield about_png("palette-index-255-beyond", painted(255, 0, WHITE, BLACK), "refused", ("entry 255",))
    taken = "background"
    yield about_png("palette-black-first", painted(0, 1, BLACK, RED), "warning", (taken, "entry 0"))
    yield about_png("palette-black-last", painted(1, 0, RED, BLACK), "warning", (taken, "entry 1"))
    yield about_png("palette-black-of-three", painted(2, 0, RED, GREEN, BLACK), "warning", (taken, "entry 2"))
    yield about_png("palette-transparent", painted(1, 0, RED, GREEN, alpha=(255, 0)), "warning", (taken, "transparent"))
    unclear = ("background", "--label 1", "255, 0, 0")
    yield about_png("palette-without-black", painted(0, 1, RED, GREEN), "refused", unclear, general=True)
    content = painted(0, 1, BLACK, RED, alpha=(255, 0))
    yield about_png("palette-black-and-transparent", content, "refused", ("background", "--label"), general=True)
    three = numpy.where(PLANE, 1 + numpy.indices(PLANE.shape)[0] % 2, 0)
    content = png(three, 8, PALETTE, extra=palette(BLACK, RED, GREEN))
    yield about_png("palette-of-labels", content, "refused", ("2 colours", "--label 1"), general=True)
    content = painted(0, 1, RED, GREEN)
    files = {"reading": ["--label", "1"], "alone": False}
    # The partners hold 0 and 255, which are levels: for them the label is another.
    yield labelled("palette-with-label", content, files)


def labelled(id, content, more):
    case = about_png(id, content, "accepted", **more)
    one, other = halves(tuple(reversed(PLANE.shape)))
    case.files["half.png"], case.files["rest.png"] = png(one), png(other)
    return case


def stored(orientation, plane=PLANE):
    """The plane as it lies in a file with that orientation."""
    return {
        1: plane,
        2: plane[:, ::-1],
        3: plane[::-1, ::-1],
        4: plane[::-1],
        5: plane.T,
        6: numpy.rot90(plane),
        7: plane.T[::-1, ::-1],
        8: numpy.rot90(plane, -1),
    }[orientation]


def exif(orientation, order=">"):
    start = b"MM\0*" if order == ">" else b"II*\0"
    return chunk(b"eXIf", start + struct.pack(order + "IHHHIHHI", 8, 1, 274, 3, 1, orientation, 0, 0))


def orientations():
    for number in range(1, 9):
        verdict, says = ("fine", ()) if number == 1 else ("warning", (f"orientation {number}",))
        array = stored(number)
        yield about_tiff(f"orientation-{number}", tiff([page(array, t274=(3, number))]), verdict, says)
        for order in "<>":
            content = png(255 * array, extra=exif(number, order))
            name = f"orientation-{number}-{'big' if order == '>' else 'little'}"
            yield about_png(name, content, verdict, says)
    for number in (0, 9, 65535):
        says = (f"orientation {number}\\b",)
        yield about_tiff(f"orientation-{number}", tiff([page(PLANE, t274=(3, number))]), "warning", says)
        yield about_png(f"orientation-{number}", png(extra=exif(number)), "warning", says)
    yield about_png("exif-cut", png(extra=chunk(b"eXIf", b"MM\0*\0\0")), "warning", ("EXIF",))
    yield about_png("exif-twice", png(extra=exif(6) + exif(1)), "refused", ("eXIf",))


def levels():
    def marked(samples, scale):
        return png(samples, 16, GREY, extra=chunk(b"tEXt", b"crema levels\0" + scale))

    ramp = numpy.where(PLANE, 32768 + numpy.arange(PLANE.size).reshape(PLANE.shape), 32767)
    yield about_png("levels", marked(ramp, b"65534"), "refused", ("--threshold 0\\.5",), general=True)
    case = about_png("levels-cut", marked(ramp, b"65534"), "accepted", reading=["--threshold", "0.5"], alone=False)
    yield case
    yield about_png("levels-of-odd-scale", marked(ramp, b"65535"), "refused", ("65535",), general=True)


def cases():
    for part in (palettes, orientations, levels):
        yield from part()
