#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""The soft consensus as the paper computed it, with SciPy's SLSQP, against crema's.

    bench/slsqp.py PROGRAM [--kind lesions|organ|cord] [--size small]

Needs python3-scipy and python3-nibabel. Makes a phantom with `crema demo` and runs the sweeps of
bench/scipy_macchiato.py on counts. crema runs with --no-empty-test, as Alg. 2 is printed. crema's time is that of the
whole run, files included; SLSQP's is that of the sweeps alone.

Exits 1 when crema's LMSD is above that of SLSQP by more than 1e-9 for some distance.
"""

import argparse
import json
import pathlib
import subprocess
import sys
import tempfile
import time

import nibabel
import numpy
import scipy_macchiato

SLACK = 1e-9


class Part:
    """A component, and one voxel of each of its rows, to read its level from an image."""

    def __init__(self, box, inside, component):
        self.component = component
        _, first = numpy.unique(component.row_of_voxel, return_index=True)
        self.places = tuple((numpy.argwhere(inside)[first] + [side.start for side in box]).T)

    def criterion_of(self, image, distance):
        return self.component.criterion(image[self.places], distance)


def by_crema(program, raters, parts, distance, folder):
    """LMSD and seconds of a run of the program, once its record is seen to measure what is measured here."""
    record, image = folder / f"{distance}.json", folder / f"{distance}.nii.gz"
    command = [
        program,
        "fuse",
        *raters,
        "-o",
        image,
        "--json",
        record,
        "--method",
        distance,
        "--no-empty-test",
        "--quiet",
    ]
    done = subprocess.run(command, stderr=subprocess.PIPE)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}: exit {done.returncode}\n{done.stderr.decode(errors='replace')}")
    recorded = json.loads(record.read_text())
    levels = numpy.asanyarray(nibabel.load(image).dataobj).astype(float)
    measured = sum(part.criterion_of(levels, distance) for part in parts)
    # The image holds 32-bit levels.
    if recorded["components"] != len(parts) or abs(measured - recorded["lmsd"]) > 1e-6:
        sys.exit(
            f"{distance}: crema's record says {recorded['components']} components and LMSD {recorded['lmsd']}, "
            f"its image has {len(parts)} and {measured}"
        )
    return recorded["lmsd"], recorded["run"]["seconds"]


def compare(program, raters, parts, distance, folder):
    """Prints one line; says whether crema is as low as SLSQP."""
    ours, our_seconds = by_crema(program, raters, parts, distance, folder)
    start = time.perf_counter()
    theirs = sum(scipy_macchiato.soft(part.component, distance)[0] for part in parts)
    seconds = time.perf_counter() - start
    met = ours <= theirs + SLACK
    print(
        f"{distance:9} {theirs:15.10f} {ours:15.10f} {ours - theirs:+13.3e} {seconds:9.2f} s {our_seconds:9.3f} s"
        f"{'' if met else '  crema is above SLSQP'}",
        flush=True,
    )
    return met


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("--kind", default="lesions", choices=("lesions", "organ", "cord"))
    parser.add_argument("--size", default="small")
    options = parser.parse_args()
    program = options.program.resolve()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        subprocess.run(
            [program, "demo", "-o", folder / "masks", "--kind", options.kind, "--size", options.size],
            check=True,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        raters = sorted((folder / "masks").glob("rater-*.nii.gz"))
        masks, _ = scipy_macchiato.load(raters)
        parts = [Part(*found) for found in scipy_macchiato.components(masks, on="counts")]
        rows = sum(len(part.component.distances) for part in parts)
        print(f"{options.kind} {options.size}: {len(raters)} raters, {len(parts)} components, {rows} subcrowns")
        print(f"{'distance':9} {'LMSD SLSQP':>15} {'LMSD crema':>15} {'difference':>13} {'SLSQP':>11} {'crema':>11}")
        met = [compare(program, raters, parts, distance, folder) for distance in scipy_macchiato.SOFT]
    sys.exit(0 if all(met) else 1)


if __name__ == "__main__":
    main()
