# SPDX-License-Identifier: Apache-2.0
"""What a case of the corpus is, and the masks that all cases are made of.

A case has files and a verdict. Its subject is fused together with two partners, one of which is the complement of
the other: the majority of the three is the subject, voxel for voxel, so that a voxel misread is a voxel wrong.
"""

import gzip
import os
import zlib
from dataclasses import dataclass, field
from pathlib import Path

import numpy

SIZE = (9, 8, 7)  # x, y, z
FLAT = (11, 8)

# The rows of the table of bad inputs, in its order.
ROWS = {
    "places": "0 bytes; directory; missing; unreadable; broken annex link; pointer text; HTML error page",
    "damage": "header, data or gzip cut; bit flip; wrong CRC or ISIZE; trailing bytes; two members",
    "names-of-gzip": "gz named .nii; plain named .nii.gz",
    "sizes": "sizes that are huge, overflow, are 0 or negative; impossible numbers of dimensions",
    "bomb": "gzip bomb within the ratio but above --max-memory",
    "types-refused": "bitpix and datatype disagree; datatype 0, 9999, complex, RGB(A)",
    "types": "int8 … int64, unsigned, float32/64, big-endian",
    "offset": "vox_offset, sizeof_hdr and magic that are wrong; Analyze 7.5",
    "pair": ".hdr/.img pair; missing .img",
    "slope": "slope 0; 1/255 on 0/255; 0.5",
    "values": "0.9999; probabilities; {0,255}; {0,7}; {-1024,10000}; {1}; {0,1,2}; NaN",
    "raters": "empty and full raters; K = 0, 1, even, 33, 64, 65; the same file twice",
    "grids": "shapes differ; crops; flipped or permuted axes; origins off",
    "orientation": "qform and sform disagree; shear; sform not usable; codes 0; spacing not usable",
    "dimensions": "4-D singleton; 4-D with 3 volumes; 2-D against one slice",
    "nrrd": "NRRD headers and data that are wrong; CRLF",
    "detached": "detached data missing, absolute, ../, symlink out, /dev/zero, FIFO",
    "meta": "MetaImage headers and data that are wrong",
    "segments": "seg.nrrd: layers, overlaps, duplicate ids, LabelValue 0, no data",
    "png": "PNG of all kinds; JPEG; huge header; bad chunk; truncated",
    "tiff": "TIFF multipage, tiled, BigTIFF, float, LZW, loop of pages, no strips",
    "dicom": "DICOM segmentations (beyond the table)",
    "names": "names with space, newline, quote, <script>, leading -, 255 bytes, not UTF-8",
    "output": "output exists, is an input, folder missing, read-only, disk full",
    "locale": "LC_ALL=de_DE.UTF-8 and odd TZ",
    "arrays": "NumPy arrays and archives (beyond the table)",
}


@dataclass(frozen=True)
class Folder:
    mode: int = 0o755


@dataclass(frozen=True)
class Link:
    target: str


@dataclass(frozen=True)
class Pipe:
    pass


@dataclass(frozen=True)
class Closed:
    """A file that its owner may not read."""

    content: bytes


@dataclass(frozen=True)
class Sparse:
    """A file that starts with `content` and is `size` bytes long, the rest a hole."""

    content: bytes
    size: int


@dataclass
class Case:
    id: str
    row: str
    files: dict  # name (str or bytes) -> bytes, or one of the kinds above
    inputs: list  # of names; the first is what the case is about
    verdict: str = "refused"  # or "warning", "fine"
    says: tuple = ()  # patterns, each of which a refusal or a warning must match
    code: int = 3  # of fuse, for refusals
    check: int = 3  # of check, for refusals; None: check is not asked
    want: numpy.ndarray = None  # the consensus, indexed [z, y, x]
    options: list = field(default_factory=list)  # of fuse
    reading: list = field(default_factory=list)  # of both commands
    output: str = "out.nii.gz"
    method: str = "majority"
    named: object = None  # the file that the sentence must name; the first input unless said
    general: bool = False  # a reader of images at large may well take what a mask tool refuses
    unprivileged: bool = False  # means nothing to root, who may read and write everything
    alone: bool = True  # the first input alone shows what the case is about

    @property
    def subject(self):
        return self.inputs[0] if self.inputs else None


def solid(shape):
    """A mask without symmetry, indexed like shape reversed: [z, y, x] or [y, x]."""
    grids = numpy.meshgrid(*[numpy.arange(n) for n in reversed(shape)], indexing="ij")
    x, y = grids[-1], grids[-2]
    z = grids[0] if len(grids) == 3 else 0 * x
    return ((7 * x + 13 * y + 29 * z + 5 * x * y + 3 * y * z * z) % 11 < 4).astype("u1")


def halves(shape):
    """A mask and its complement; both are the same from every side, so that neither looks mirrored."""
    size = tuple(reversed(shape))
    steps = [numpy.minimum(at, n - 1 - at) for at, n in zip(numpy.indices(size), size, strict=True)]
    one = (sum(steps) % 2 == 0).astype("u1")
    return one, 1 - one


MASK = solid(SIZE)
PLANE = solid(FLAT)


def raw(array, dtype="u1"):
    """The bytes of an array indexed [z, y, x]: x runs fastest."""
    return numpy.ascontiguousarray(array).astype(dtype).tobytes()


def packed(data, level=6):
    """As gzip writes it, without a name or a date."""
    return gzip.compress(data, level, mtime=0)


def deflated(data):
    return zlib.compress(data, 6)


def patched(data, offset, piece):
    """The same bytes with `piece` at `offset`, counted from the end where negative."""
    offset = offset if offset >= 0 else len(data) + offset
    return data[:offset] + piece + data[offset + len(piece) :]


def flipped_bit(data, offset, bit=0):
    offset = offset if offset >= 0 else len(data) + offset
    return patched(data, offset, bytes([data[offset] ^ (1 << bit)]))


def put(folder, name, content):
    """Makes one file of a case."""
    path = os.path.join(os.fsencode(folder), os.fsencode(name))
    os.makedirs(os.path.dirname(path), exist_ok=True)
    if isinstance(content, Folder):
        os.makedirs(path, exist_ok=True)
        os.chmod(path, content.mode)
    elif isinstance(content, Link):
        os.symlink(content.target, path)
    elif isinstance(content, Pipe):
        os.mkfifo(path)
    elif isinstance(content, Sparse):
        with open(path, "wb") as file:
            file.write(content.content)
            file.truncate(content.size)
    elif isinstance(content, Closed):
        Path(os.fsdecode(path)).write_bytes(content.content)
        os.chmod(path, 0)
    else:
        with open(path, "wb") as file:
            file.write(content)


def put_all(folder, case):
    for name, content in case.files.items():
        put(folder, name, content)
