# SPDX-License-Identifier: Apache-2.0
"""Time and memory of several labels against the binary run with the same voxels drawn.

python bench/labels.py CREMA [FOLDER]"""

import gzip
import os
import struct
import subprocess
import sys
import tempfile
from typing import NamedTuple

import numpy

SIZE = (160, 480, 480)  # z, y, x
RATERS = 5


class Cost(NamedTuple):
    wall: float
    processor: float
    peak: float


def write(path, labels):
    """A NIfTI file without any library."""
    header = bytearray(352)
    struct.pack_into("<i", header, 0, 348)
    struct.pack_into("<8h", header, 40, 3, *labels.shape[::-1], 1, 1, 1, 1)
    struct.pack_into("<2h", header, 70, *((2, 8) if labels.itemsize == 1 else (512, 16)))
    struct.pack_into("<8f", header, 76, 1, 1, 1, 1, 0, 0, 0, 0)
    struct.pack_into("<3f", header, 108, 352, 1, 0)
    header[344:348] = b"n+1\0"
    with gzip.open(path, "wb", compresslevel=1) as file:
        file.write(header)
        file.write(labels.tobytes())


def phantom(folder, count):
    """Balls on a lattice, one per label, that raters move and stretch; and the same as one mask."""
    random = numpy.random.default_rng(count)
    side = int(numpy.ceil(count ** (1 / 3)))
    cell = numpy.array(SIZE) / side
    radius = min(cell) * 0.55
    names = []
    for rater in range(RATERS):
        labels = numpy.zeros(SIZE, numpy.uint8)
        for label in range(count):
            place = numpy.array(numpy.unravel_index(label, (side, side, side)))
            centre = (place + 0.5) * cell + random.uniform(-2, 2, 3)
            own = radius * random.uniform(0.92, 1.08)
            low = numpy.maximum(0, (centre - own).astype(int))
            high = numpy.minimum(SIZE, (centre + own + 2).astype(int))
            grid = numpy.ogrid[tuple(slice(a, b) for a, b in zip(low, high, strict=True))]
            inside = sum((g - c) ** 2 for g, c in zip(grid, centre, strict=True)) < own**2
            labels[tuple(slice(a, b) for a, b in zip(low, high, strict=True))][inside] = label + 1
        for kind, voxels in (("labels", labels), ("mask", (labels > 0).astype(numpy.uint8))):
            path = os.path.join(folder, f"{kind}-{count}-{rater}.nii.gz")
            write(path, voxels)
            names.append((kind, path))
    return [[path for kind, path in names if kind == wanted] for wanted in ("labels", "mask")]


def many_labels(folder, count):
    """As many labels as may be on half a million voxels; raters move them along a row."""
    os.makedirs(folder, exist_ok=True)
    voxels = numpy.arange(64 * 64 * 128).reshape(64, 64, 128)
    labels = (voxels * count // voxels.size + 1).astype(numpy.uint16)
    names = [os.path.join(folder, f"many-{count}-{rater}.nii.gz") for rater in range(3)]
    for rater, name in enumerate(names):
        write(name, numpy.roll(labels, rater - 1, axis=2))
    return names


# A small process starts the program: what it takes at its peak would count what this one takes, too.
MEASURE = """import os, subprocess, sys, time
start = time.perf_counter()
_, status, usage = os.wait4(subprocess.Popen(sys.argv[1:]).pid, 0)
print(status, time.perf_counter() - start, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024)"""


def seconds(program, *words):
    """Processor time of any command."""
    command = [sys.executable, "-S", "-c", MEASURE, program, *words]
    done = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()[-1].split()
    if done[0] != "0":
        sys.exit("the program failed")
    return float(done[2])


def run(program, paths, out, *more):
    """The best wall and processor time of three in seconds, and the peak of memory in MB."""
    command = [sys.executable, "-S", "-c", MEASURE, program, "fuse", *paths, "-o", out, "--force", "-q", *more]
    runs = [subprocess.run(command, capture_output=True, text=True, check=True).stdout.split() for _ in range(3)]
    if any(status != "0" for status, *_ in runs):
        sys.exit("the program failed")
    wall, processor, peak = zip(*(map(float, numbers) for _, *numbers in runs), strict=True)
    return Cost(min(wall), min(processor), max(peak))


def main():
    program = sys.argv[1]
    with tempfile.TemporaryDirectory(dir=sys.argv[2] if len(sys.argv) > 2 else None) as folder:
        for count in (3, 117):
            labels, masks = phantom(folder, count)
            out = os.path.join(folder, "out.nii.gz")
            plain, joint = run(program, masks, out), run(program, labels, out, "--labels", "all")
            print(
                f"{count} labels: {joint.wall:.2f} s, {joint.peak:.0f} MB; "
                f"binary: {plain.wall:.2f} s, {plain.peak:.0f} MB; "
                f"ratios {joint.wall / plain.wall:.2f} and {joint.peak / plain.peak:.2f}",
                flush=True,
            )
        for count in (8000, 16000, 65534):
            cost = run(program, many_labels(folder, count), os.path.join(folder, "out.nii.gz"), "--labels", "all")
            print(f"{count} labels: {cost.wall:.2f} s, {cost.peak:.0f} MB", flush=True)


if __name__ == "__main__":
    main()
