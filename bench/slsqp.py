#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""The soft consensus as the paper computed it, with SciPy's SLSQP, against crema's.

    bench/slsqp.py PROGRAM [--kind lesions|organ|cord] [--size small]

Needs python3-scipy and python3-nibabel. Makes a phantom with `crema demo` and reads Alg. 2 of the paper plainly: from
the mask average, sweep the subcrowns by increasing distance, set each one's level by SLSQP with its default tolerance
from the level it has, and repeat until the LMSD stops decreasing. crema runs with --no-empty-test, as Alg. 2 is
printed. The criterion is evaluated on counts here too, which makes SLSQP look faster than it was on voxels. crema's
time is that of the whole run, files included; SLSQP's is that of the sweeps alone.

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
from scipy import ndimage, optimize

DISTANCES = ("tanimoto", "soergel", "dice1", "dice2")
SLACK = 1e-9


class Component:
    """The subcrowns of one component: marks[r, k] says whether rater k marked row r, of counts[r] voxels."""

    def __init__(self, masks, box):
        union = masks.any(axis=0)
        far = numpy.zeros(union.shape, int)
        for mask in masks:
            if mask.any():
                far += ndimage.distance_transform_cdt(~mask, metric="chessboard")
        places = numpy.column_stack([far[union], masks[:, union].T])
        rows, first, self.counts = numpy.unique(places, axis=0, return_index=True, return_counts=True)
        self.marks = rows[:, 1:].astype(float)
        self.sizes = self.counts @ self.marks
        # One voxel of each row, to read its level from an image.
        self.places = tuple((numpy.argwhere(union)[first] + [side.start for side in box]).T)


def components(masks):
    labels, _ = ndimage.label(masks.any(axis=0), numpy.ones((3, 3, 3)))
    for number, box in enumerate(ndimage.find_objects(labels), 1):
        yield Component(masks[(slice(None), *box)] & (labels[box] == number), box)


def criterion(component, levels, distance):
    weighted = component.counts * levels
    common = weighted @ component.marks
    total = weighted.sum() if distance in ("soergel", "dice1") else (weighted * levels).sum()
    doubled = distance.startswith("dice")
    above = (2 if doubled else 1) * common
    below = total + component.sizes - (0 if doubled else common)
    # Both empty: at distance 0.
    likeness = numpy.divide(above, below, out=numpy.ones_like(common), where=below > 0)
    return ((1 - likeness) ** 2).mean()


def set_level(component, levels, row, distance):
    """One subcrown's level, by SLSQP from where it stands."""

    def at(x):
        levels[row] = x[0]
        return criterion(component, levels, distance)

    start = levels[row]
    found = optimize.minimize(at, [start], method="SLSQP", bounds=[(0, 1)])
    levels[row] = min(max(found.x[0], 0.0), 1.0)


def descend(component, distance):
    """The levels' criterion after the last sweep that lowered it."""
    levels = component.marks.mean(axis=1)
    best = criterion(component, levels, distance)
    while True:
        for row in range(len(levels)):
            set_level(component, levels, row, distance)
        now = criterion(component, levels, distance)
        if not now < best:
            return best
        best = now


def by_crema(program, raters, parts, distance, folder):
    """LMSD and seconds of a run of the program, once its record is seen to measure what is measured here."""
    record, image = folder / f"{distance}.json", folder / f"{distance}.nii.gz"
    command = [program, "fuse", *raters, "-o", image, "--json", record, "--method", distance, "--no-empty-test",
               "--quiet"]
    done = subprocess.run(command, stderr=subprocess.PIPE)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}: exit {done.returncode}\n{done.stderr.decode(errors='replace')}")
    told = json.loads(record.read_text())
    levels = numpy.asanyarray(nibabel.load(image).dataobj).astype(float)
    measured = sum(criterion(part, levels[part.places], distance) for part in parts)
    # The image holds 32-bit levels.
    if told["components"] != len(parts) or abs(measured - told["lmsd"]) > 1e-6:
        sys.exit(f"{distance}: crema's record says {told['components']} components and LMSD {told['lmsd']}, "
                 f"its image has {len(parts)} and {measured}")
    return told["lmsd"], told["seconds"]


def compare(program, raters, parts, distance, folder):
    """Prints one line; says whether crema is as low as SLSQP."""
    ours, our_seconds = by_crema(program, raters, parts, distance, folder)
    start = time.perf_counter()
    theirs = sum(descend(part, distance) for part in parts)
    seconds = time.perf_counter() - start
    met = ours <= theirs + SLACK
    print(f"{distance:9} {theirs:15.10f} {ours:15.10f} {ours - theirs:+13.3e} {seconds:9.2f} s {our_seconds:9.3f} s"
          f"{'' if met else '  crema is above SLSQP'}", flush=True)
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
        subprocess.run([program, "demo", "-o", folder / "masks", "--kind", options.kind, "--size", options.size],
                       check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        raters = sorted((folder / "masks").glob("rater-*.nii.gz"))
        masks = numpy.stack([numpy.asanyarray(nibabel.load(path).dataobj) != 0 for path in raters])
        parts = list(components(masks))
        rows = sum(len(part.counts) for part in parts)
        print(f"{options.kind} {options.size}: {len(raters)} raters, {len(parts)} components, {rows} subcrowns")
        print(f"{'distance':9} {'LMSD SLSQP':>15} {'LMSD crema':>15} {'difference':>13} {'SLSQP':>11} {'crema':>11}")
        met = [compare(program, raters, parts, distance, folder) for distance in DISTANCES]
    sys.exit(0 if all(met) else 1)


if __name__ == "__main__":
    main()
