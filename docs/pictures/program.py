# SPDX-License-Identifier: Apache-2.0
"""Runs crema and reads and writes its files. A mask is a list of rows of 0 and 1."""

import gzip
import json
import pathlib
import struct
import subprocess


def run(program, *arguments):
    subprocess.run(
        [str(program), *map(str, arguments)], check=True, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL
    )


def write_mask(path, mask):
    """A single-slice uint8 NIfTI-1 file."""
    header = bytearray(352)
    struct.pack_into("<i", header, 0, 348)
    struct.pack_into("<8h", header, 40, 3, len(mask[0]), len(mask), 1, 1, 1, 1, 1)
    struct.pack_into("<2h", header, 70, 2, 8)
    struct.pack_into("<8f", header, 76, 1, 1, 1, 1, 1, 1, 1, 1)
    struct.pack_into("<f", header, 108, 352)
    struct.pack_into("<2h", header, 252, 0, 1)
    struct.pack_into("<12f", header, 280, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0)
    header[344:348] = b"n+1\0"
    data = bytes(value for row in mask for value in row)
    pathlib.Path(path).write_bytes(gzip.compress(bytes(header) + data))


def read_mask(path):
    raw = gzip.decompress(pathlib.Path(path).read_bytes())
    width, height = struct.unpack_from("<2h", raw, 42)
    data = raw[int(struct.unpack_from("<f", raw, 108)[0]) :]
    return [list(data[y * width : (y + 1) * width]) for y in range(height)]


def blurred(raters, path):
    """An image that raters might have drawn so: bright where most of them agree, with soft edges and noise."""
    masks = [read_mask(rater) for rater in raters]
    height, width = len(masks[0]), len(masks[0][0])
    votes = [[sum(mask[y][x] for mask in masks) for x in range(width)] for y in range(height)]
    state = 1
    values = []
    for y in range(height):
        for x in range(width):
            near = sum(
                votes[v][u] / (1 + (u - x) ** 2 + (v - y) ** 2)
                for v in range(max(0, y - 2), min(height, y + 3))
                for u in range(max(0, x - 2), min(width, x + 3))
            )
            state = (state * 1103515245 + 12345) % 2**31
            values.append(round(300 + 40 * near + state % 2**20 / 2**20 * 180))
    # Where the first rater's mask lies.
    header = bytearray(gzip.decompress(pathlib.Path(raters[0]).read_bytes())[:352])
    struct.pack_into("<2h", header, 70, 4, 16)
    pathlib.Path(path).write_bytes(gzip.compress(bytes(header) + struct.pack(f"<{len(values)}h", *values)))
    return path


def fuse(program, folder, masks):
    """The consensus of the masks, and its record."""
    folder.mkdir(exist_ok=True)
    paths = [folder / f"mask-{k}.nii.gz" for k in range(len(masks))]
    for path, mask in zip(paths, masks):
        write_mask(path, mask)
    run(program, "fuse", *paths, "-o", folder / "consensus.nii.gz", "--json", folder / "record.json", "--force")
    return read_mask(folder / "consensus.nii.gz"), json.loads((folder / "record.json").read_text())
