#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Peak memory of `crema fuse` on files, against its goal of (threads + 2) bytes per voxel.

    bench/memory.py PROGRAM [--kind organ,lesions] [--size full] [--threads 1,2]

The program's own size (that of `crema --version`) is taken off first. Exits 1 when a run needs over a tenth more.
"""
import argparse
import os
import pathlib
import subprocess
import sys
import tempfile


def peak_bytes(command):
    """Runs the command and returns its peak resident memory."""
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    errors = process.stderr.read()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}: exit {process.returncode}\n{errors.decode(errors='replace')}")
    return usage.ru_maxrss * 1024


def voxels_of(path):
    """Reads the size from a gzip-compressed NIfTI-1 header."""
    import gzip
    import struct
    with gzip.open(path) as file:
        sizes = struct.unpack("<8h", file.read(56)[40:56])
    product = 1
    for n in sizes[1:1 + sizes[0]]:
        product *= n
    return product


def measure(program, kind, size, threads, folder):
    raters = sorted(folder.glob("rater-*.nii.gz"))
    voxels = voxels_of(raters[0])
    base = peak_bytes([program, "--version"])
    peak = peak_bytes([program, "fuse", *raters, "-o", folder / "consensus.nii.gz", "--force", "--quiet",
                       "--threads", str(threads)])
    per_voxel = (peak - base) / voxels
    goal = threads + 2
    met = per_voxel <= 1.1 * goal
    print(f"{kind:8} {size:6} {voxels / 1e6:6.1f} Mvoxel  {len(raters)} raters  {threads} threads  "
          f"peak {peak / 1e6:7.1f} MB  {per_voxel:5.2f} bytes per voxel  "
          f"goal {goal}: {'met' if met else 'missed'}")
    return met


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("--kind", default="organ,lesions")
    parser.add_argument("--size", default="full")
    parser.add_argument("--threads", default="1,2")
    options = parser.parse_args()
    program = options.program.resolve()
    met = True
    for kind in options.kind.split(","):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name) / "masks"
            peak_bytes([program, "demo", "-o", folder, "--kind", kind, "--size", options.size])
            for threads in map(int, options.threads.split(",")):
                met = measure(program, kind, options.size, threads, folder) and met
    sys.exit(0 if met else 1)


if __name__ == "__main__":
    main()
