# SPDX-License-Identifier: Apache-2.0
"""NIfTI files that were cut, changed or lengthened after they were written, plain and behind gzip."""

import struct
import zlib

import numpy
from kit import MASK, flipped_bit, packed, patched
from nifti_bytes import about, nifti, partners

WHOLE = nifti()
ZIPPED = packed(WHOLE)
NEEDED, AGAIN = str(MASK.size), "again"


def cut_plain():
    for version, sizes in ((1, (1, 4, 100, 347, 348, 351)), (2, (300, 539, 543))):
        for size in sizes:
            yield about(
                f"damage/header-cut-{version}-{size}",
                "damage",
                "a.nii",
                nifti(version=version)[:size],
                says=("cut short|not NIfTI",),
            )
    for left in (0, 1, MASK.size // 2, MASK.size - 1):
        yield about(
            f"damage/data-cut-{left}",
            "damage",
            "a.nii",
            WHOLE[: 352 + left],
            says=("cut short", str(len(WHOLE)), str(352 + left), AGAIN),
        )
    yield about("damage/data-too-long", "damage", "a.nii", WHOLE + b"more", says=("more data|too long|after",))
    yield about("damage/data-padded-with-zeros", "damage", "a.nii", WHOLE + bytes(160), "warning", ("160 zero",))


def cut_zipped():
    pieces = {
        "half": len(ZIPPED) // 2,
        "12": len(ZIPPED) - 12,
        "8": len(ZIPPED) - 8,
        "4": len(ZIPPED) - 4,
        "1": len(ZIPPED) - 1,
        "all-but-header": 10,
        "all-but-magic": 2,
    }
    for name, size in pieces.items():
        yield about(f"damage/gzip-cut-{name}", "damage", "a.nii.gz", ZIPPED[:size], says=("cut short", AGAIN))
    yield about("damage/zipped-header-cut", "damage", "a.nii.gz", packed(WHOLE[:200]), says=("cut short",))
    yield about("damage/zipped-data-cut", "damage", "a.nii.gz", packed(WHOLE[:-1]), says=("cut short",))
    yield about("damage/zipped-data-too-long", "damage", "a.nii.gz", packed(WHOLE + b"\1"), says=("more data",))


def large():
    """Large enough for the header to survive what is lost."""
    size = (48, 40, 20)
    cells = numpy.random.default_rng(3).random(tuple(reversed(size))) < 0.4
    whole = packed(nifti(cells.astype("u1")))
    middle = len(whole) // 2
    damaged = {"cut-half": whole[:middle], "cut-last-12": whole[:-12], "flip": flipped_bit(whole, middle, 3)}
    damaged |= {
        "zeros-inside": whole[:middle] + bytes(512) + whole[middle + 512 :],
        "wrong-crc": flipped_bit(whole, -8),
    }
    for name, content in damaged.items():
        yield about(
            f"damage/large-{name}",
            "damage",
            "a.nii.gz",
            content,
            says=("cut short|damaged|checksum|more data",),
            want=cells.astype("u1"),
            beside=partners(size),
        )


def changed():
    for name, where in (("early", 11), ("20", 20), ("40", 40), ("60", 60), ("middle", len(ZIPPED) // 2), ("late", -20)):
        for bit in range(0, 8, 2):
            yield about(
                f"damage/flip-{name}-{bit}",
                "damage",
                "a.nii.gz",
                flipped_bit(ZIPPED, where, bit),
                says=("damaged|cut short|checksum|more data|vox_offset|magic|not NIfTI",),
            )
    # What is packed may end within a byte; the rest of that byte means nothing, so that nothing is lost.
    yield about("damage/flip-of-padding", "damage", "a.nii.gz", flipped_bit(ZIPPED, -9, 7), "fine")
    yield about("damage/flip-of-date", "damage", "a.nii.gz", flipped_bit(ZIPPED, 4, 2), "fine")
    yield about(
        "damage/stored-flip", "damage", "a.nii.gz", flipped_bit(packed(WHOLE, 0), 500), says=("damaged|checksum",)
    )
    # The grid differs from the partners' then, but the damage is what has to be told.
    for name, where in (("origin", 280 + 12 + 2), ("spacing", 280 + 2)):
        damaged = flipped_bit(packed(WHOLE, 0), 15 + where, 6)
        yield about(f"damage/stored-flip-of-{name}", "damage", "a.nii.gz", damaged, says=("damaged|checksum",))
    yield about("damage/wrong-crc", "damage", "a.nii.gz", flipped_bit(ZIPPED, -8, 3), says=("checksum|CRC", AGAIN))
    yield about("damage/wrong-isize", "damage", "a.nii.gz", flipped_bit(ZIPPED, -4, 3), says=("size|length|checksum",))
    yield about(
        "damage/isize-zero", "damage", "a.nii.gz", patched(ZIPPED, -4, bytes(4)), says=("size|length|checksum",)
    )
    yield about("damage/gzip-method-9", "damage", "a.nii.gz", patched(ZIPPED, 2, b"\x09"), says=("gzip|damaged",))
    yield about("damage/gzip-reserved-flag", "damage", "a.nii.gz", patched(ZIPPED, 3, b"\x80"), says=("gzip|damaged",))


def lengthened():
    yield about("damage/gzip-garbage", "damage", "a.nii.gz", ZIPPED + b"garbage", says=("after|more data|trailing",))
    yield about(
        "damage/gzip-garbage-after-zeros",
        "damage",
        "a.nii.gz",
        ZIPPED + bytes(600) + b"x",
        says=("after|more data|trailing",),
    )
    yield about("damage/gzip-zeros", "damage", "a.nii.gz", ZIPPED + bytes(512), "warning", ("512 zero",))
    yield about("damage/two-members", "damage", "a.nii.gz", packed(WHOLE[:400]) + packed(WHOLE[400:]), "fine")
    yield about(
        "damage/member-per-byte",
        "damage",
        "a.nii.gz",
        b"".join(packed(WHOLE[i : i + 1]) for i in range(len(WHOLE))),
        "fine",
    )
    yield about("damage/empty-member-last", "damage", "a.nii.gz", ZIPPED + packed(b""), "fine")
    yield about("damage/image-twice", "damage", "a.nii.gz", ZIPPED + ZIPPED, says=("more data|after",))


def members():
    second = packed(WHOLE[400:])
    yield about(
        "damage/second-member-cut", "damage", "a.nii.gz", packed(WHOLE[:400]) + second[:-4], says=("cut short",)
    )
    yield about(
        "damage/second-member-crc",
        "damage",
        "a.nii.gz",
        packed(WHOLE[:400]) + flipped_bit(second, -7),
        says=("checksum|CRC",),
    )
    named = ZIPPED[:3] + b"\x1e" + ZIPPED[4:10] + struct.pack("<H", 4) + b"ABCD" + b"mask.nii\0" + b"a note\0"
    crc = zlib.crc32(named) & 0xFFFF
    yield about(
        "damage/gzip-wrong-header-crc",
        "damage",
        "a.nii.gz",
        named + struct.pack("<H", crc ^ 4) + ZIPPED[10:],
        says=("damaged|checksum",),
    )
    yield about("damage/gzip-all-fields", "damage", "a.nii.gz", named + struct.pack("<H", crc) + ZIPPED[10:], "fine")


def wrongly_named():
    yield about("names-of-gzip/gzip-named-nii", "names-of-gzip", "a.nii", ZIPPED, "warning", ("gzip|compressed", "nii"))
    yield about(
        "names-of-gzip/plain-named-gz", "names-of-gzip", "a.nii.gz", WHOLE, "warning", ("not.*(gzip|compressed)",)
    )


def cases():
    yield from cut_plain()
    yield from cut_zipped()
    yield from large()
    yield from changed()
    yield from lengthened()
    yield from members()
    yield from wrongly_named()
