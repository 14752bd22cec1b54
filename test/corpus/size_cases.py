# SPDX-License-Identifier: Apache-2.0
"""Headers that declare what the file cannot hold, and files that hold more than the memory allowed."""

import struct
import zlib

from kit import MASK, SIZE, Sparse, packed
from nifti_bytes import about, header, nifti

MORE_THAN_HELD = ("declares", "cut short|beyond|more than|too large")


def dims(shape, version=1, order="<", count=None):
    """A sound file of 2 KB whose header says another size."""
    result = header(SIZE, version=version, order=order, dim=(count or len(shape), *shape))
    return (result + MASK.tobytes()).ljust(2048, b"\1")


def huge():
    shapes = {
        "32767-cubed": (1, (32767, 32767, 32767)),
        "2-62": (2, (2**62, 1, 1)),
        "2-62-cubed": (2, (2**62, 2**62, 2**62)),
        "overflow-to-0": (2, (2**32, 2**32, 1)),
        "overflow-to-504": (2, (2**32 + 1, 504, 2**32)),
        "overflow-2-22-cubed": (2, (2**22, 2**22, 2**22)),
        "2-31": (2, (2**31, 1, 1)),
        "largest-int64": (2, (2**63 - 1, 1, 1)),
    }
    for name, (version, shape) in shapes.items():
        for order in "<>":
            big = "-big-endian" if order == ">" else ""
            content = dims(shape, version, order)
            yield about(f"sizes/{name}{big}", "sizes", "a.nii", content, says=MORE_THAN_HELD)
            yield about(f"sizes/{name}{big}-zipped", "sizes", "a.nii.gz", packed(content), says=MORE_THAN_HELD)
    seven = dims((32767,) * 7)
    yield about("sizes/seven-huge-dimensions", "sizes", "a.nii", seven, says=("dimension|volumes|large|cut short",))


def impossible():
    for count in (0, 8, 9, 200, -1):
        for version in (1, 2):
            content = header(SIZE, version=version, dim=count) + MASK.tobytes()
            yield about(
                f"sizes/{count}-dimensions-{version}", "sizes", "a.nii", content, says=(f"{count}\\b", "dimensions")
            )
            yield about(
                f"sizes/{count}-dimensions-{version}-zipped", "sizes", "a.nii.gz", packed(content), says=("dimensions",)
            )
    for axis in range(3):
        for size in (0, -1, -32768):
            shape = [size if a == axis else n for a, n in enumerate(SIZE)]
            yield about(f"sizes/{size}-along-{'xyz'[axis]}", "sizes", "a.nii", dims(shape), says=(f"{size}\\b", "dim"))


def bomb(voxels):
    """As many zeros as a mask of these dimensions has, packed as tightly as deflate can."""
    total = voxels[0] * voxels[1] * voxels[2]
    start = header(voxels)
    chunk = bytes(1 << 20)
    squeeze = zlib.compressobj(9, zlib.DEFLATED, -15)
    first = squeeze.compress(start) + squeeze.flush(zlib.Z_FULL_FLUSH)
    again = squeeze.compress(chunk) + squeeze.flush(zlib.Z_FULL_FLUSH)
    crc = zlib.crc32(start)
    for _ in range(total >> 20):
        crc = zlib.crc32(chunk, crc)
    body = first + again * (total >> 20) + squeeze.flush(zlib.Z_FINISH)
    return b"\x1f\x8b\x08\0\0\0\0\0\x02\xff" + body + struct.pack("<II", crc, (total + len(start)) & 0xFFFFFFFF)


def too_large():
    limited = {"row": "bomb", "code": 6, "check": None, "beside": {}}
    yield about(
        "bomb/gzip",
        name="a.nii.gz",
        content=bomb((512, 512, 1024)),
        options=["--max-memory", "64M"],
        says=("--max-memory",),
        **limited,
    )
    start = header((2048, 2048, 2048))
    yield about(
        "bomb/sparse",
        name="a.nii",
        content=Sparse(start, len(start) + 2048**3),
        options=["--max-memory", "1G"],
        says=("--max-memory",),
        **limited,
    )
    yield about(
        "bomb/small-limit",
        name="b.nii",
        content=nifti(),
        options=["--max-memory", "200"],
        says=("--max-memory",),
        **limited,
    )


def cases():
    yield from huge()
    yield from impossible()
    yield from too_large()
