# SPDX-License-Identifier: Apache-2.0
"""TIFF images: pages, tiles, packings, and directories that lead nowhere."""

import zlib

from kit import PLANE
from tiff_bytes import VOLUME, about, lzw, page, strips, tiff, tiles

PAGES = [page(plane) for plane in VOLUME]


def sound():
    for dtype in ("u1", "i1", "u2", "i2", "u4", "i4", "u8", "i8", "f4", "f8"):
        for order in "<>":
            name = f"{dtype}-{'big' if order == '>' else 'little'}"
            yield about(name, tiff([page(PLANE, order + dtype)], order), "fine")
    yield about("strips", tiff([strips(PLANE, 2)]), "fine")
    yield about("tiled", tiff([tiles(PLANE)]), "fine")
    yield about("bigtiff", tiff([page(PLANE)], wide=True), "fine")
    yield about("bigtiff-big-endian", tiff([page(PLANE)], ">", wide=True), "fine")
    yield about("lzw", tiff([page(PLANE, pack=lzw, t259=(3, 5))]), "fine")
    yield about("deflate", tiff([page(PLANE, pack=zlib.compress, t259=(3, 8))]), "fine")
    yield about("255", tiff([page(255 * PLANE)]), "fine")
    yield about("zero-is-white", tiff([page(255 - 255 * PLANE, t262=(3, 0))]), "accepted")
    # A stack does not say how far its pages are apart.
    yield about("multipage", tiff(PAGES), "accepted", want=VOLUME)
    yield about("multipage-bigtiff", tiff(PAGES, wide=True), "accepted", want=VOLUME)
    yield about("multipage-tiled", tiff([tiles(plane) for plane in VOLUME]), "accepted", want=VOLUME)


def directories():
    whole = tiff([page(PLANE)])
    loops = {"of-one": ([page(PLANE)], 0), "to-the-first": (PAGES, 0), "to-the-second": (PAGES, 1)}
    for name, (pages, to) in loops.items():
        yield about(f"loop-{name}", tiff(pages, loop=to), "refused", ("loop|again|circle|twice|back",))
    yield about("no-strips", tiff([(page(PLANE)[0], [])]), "refused", ("[Ss]trip",))
    yield about("0-strips", tiff([page(PLANE, t273=(4,), t279=(4,))]), "refused", ("strip|damaged",))
    yield about("too-few-strips", tiff([(strips(PLANE, 2)[0], strips(PLANE, 2)[1][:-1])]), "refused", ("strip",))
    yield about("strip-elsewhere", tiff([page(PLANE, t273=1 << 30)]), "refused", ("strip|cut short|beyond|outside",))
    yield about("no-pages", whole[:4] + bytes(4), "refused", ("page|image|damaged",))
    yield about("pages-elsewhere", whole[:4] + b"\xff\xff\xff\x7f", "refused", ("page|cut short|damaged|beyond",))
    yield about(
        "pages-differ", tiff([page(PLANE), page(PLANE[:-1])]), "refused", ("11 ?× ?8", "11 ?× ?7"), general=True
    )
    for name, tags in (("100000-squared", (100000, 100000)), ("largest", (2**32 - 1, 2**32 - 1)), ("0-wide", (0, 8))):
        yield about(
            name,
            tiff([page(PLANE, t256=tags[0], t257=tags[1], t278=tags[1])]),
            "refused",
            ("cut short|large|strip|size|damaged|0",),
        )
    yield about("0-rows-per-strip", tiff([page(PLANE, t278=0)]), "refused", ("[Ss]trip",))


def damaged():
    whole = tiff([page(PLANE)])
    for name, size in (("magic", 3), ("header", 7), ("half", len(whole) // 2), ("directory", len(whole) - 40)):
        yield about(f"cut-{name}", whole[:size], "refused", ("cut short|damaged|unsupported format",))
    packed = zlib.compress(PLANE.tobytes())
    for name, piece in (
        ("cut", packed[:-8]),
        ("checksum", packed[:-1] + b"\0"),
        ("of-too-little", zlib.compress(b"\1" * 20)),
    ):
        yield about(
            f"deflate-{name}",
            tiff([page(PLANE, pack=lambda _, piece=piece: piece, t259=(3, 8))]),
            "refused",
            ("cut short|damaged|checksum|strip",),
        )
    yield about(
        "lzw-cut",
        tiff([page(PLANE, pack=lambda data: lzw(data)[:40], t259=(3, 5))]),
        "refused",
        ("cut short|damaged|strip|LZW",),
    )
    yield about("jpeg-inside", tiff([page(PLANE, t259=(3, 7))]), "refused", ("JPEG",))
    yield about("unknown-packing", tiff([page(PLANE, t259=(3, 9999))]), "refused", ("9999|pack|compress",))
    yield about("probabilities", tiff([page((PLANE + 0.25) / 2, "f4")]), "refused", ("--threshold",), general=True)
    tags, pieces = page(PLANE)
    yield about("3-bits", tiff([({**tags, 258: (3, 3)}, pieces)]), "refused", ("\\b3\\b|bits",), general=True)


def cases():
    for part in (sound, directories, damaged):
        yield from part()
