#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Alg. 1 and 2 of the paper, read plainly with NumPy and SciPy.

    bench/scipy_macchiato.py RATER... [--method dice] [--on voxels|counts] [--connectivity 26] [-o OUT.nii.gz]

The tools are those the authors name: scipy.ndimage for the components and the distances, and SLSQP with its default
tolerance for the soft steps. What the paper leaves open is chosen as docs/method.md has it, so that the two can be
compared. It works on the box of one component after the other. The criterion is evaluated on the component's voxels,
as the algorithms are printed, or on counts: the number of voxels of each subcrown, which is all that it depends on.
"""

import argparse
import json
import time

import numpy
from scipy import ndimage, optimize

HARD = ("jaccard", "dice")
SOFT = ("soergel", "tanimoto", "dice1", "dice2")
SQUARED = ("tanimoto", "dice2")  # these look at the sum of squares where the others look at the sum
METRIC = {26: "chessboard", 6: "taxicab"}
ENOUGH = 1e-12  # a sweep that lowers the criterion by less than this share of it is the last one


class Component:
    """The subcrowns of a component. Row r holds the voxels at distances[r] that the raters of marks[r] marked."""

    def __init__(self, masks, inside, connectivity, on):
        far = numpy.zeros(inside.shape, numpy.int64)
        for mask in masks:
            if mask.any():
                far += ndimage.distance_transform_cdt(~mask, metric=METRIC[connectivity])
        code = far[inside]
        for mask in masks:
            code = 2 * code + mask[inside]
        rows, self.row_of_voxel, counts = numpy.unique(code, return_inverse=True, return_counts=True)
        raters = len(masks)
        self.distances = rows >> raters
        self.marks = (rows[:, None] >> numpy.arange(raters - 1, -1, -1) & 1).astype(float)
        self.sizes = counts @ self.marks
        # What the criterion sums: its members, how often each counts, who marked it, and the row it has its level of.
        if on == "voxels":
            self.weights, self.who, self.row_of = 1.0, masks[:, inside].astype(float), self.row_of_voxel
        else:
            self.weights, self.who, self.row_of = counts.astype(float), self.marks.T.copy(), slice(None)

    def criterion(self, levels, distance):
        """Mean squared distance to the raters, given the level of each row."""
        each = levels[self.row_of]
        weighted = self.weights * each
        total = weighted @ each if distance in SQUARED else weighted.sum()
        common = self.who @ weighted
        doubled = distance.startswith("dice")
        above = (2 if doubled else 1) * common
        below = total + self.sizes - (0 if doubled else common)
        # Both empty: at distance 0.
        likeness = numpy.divide(above, below, out=numpy.ones_like(below), where=below > 0)
        return float(((1 - likeness) ** 2).mean())

    def criterion_with(self, levels, row, level, distance):
        """The same if one row had that level."""
        kept, levels[row] = levels[row], level
        found = self.criterion(levels, distance)
        levels[row] = kept
        return found


def components(masks, connectivity=26, on="voxels"):
    """Each component with its box and the voxels of the box that are its own. Masks are booleans."""
    structure = ndimage.generate_binary_structure(3, {6: 1, 18: 2, 26: 3}[connectivity])
    labels, _ = ndimage.label(masks.any(axis=0), structure)
    for number, box in enumerate(ndimage.find_objects(labels), 1):
        inside = labels[box] == number
        yield box, inside, Component(masks[(slice(None), *box)] & inside, inside, connectivity, on)


def walk(part, levels, crowns, level, distance):
    """Alg. 1 from one side: subcrown by subcrown is taken in (level 1) or out (0) where that lowers the criterion."""
    best = part.criterion(levels, distance)
    for crown in crowns:
        moved = False
        rows = numpy.flatnonzero(part.distances == crown)
        alone = [part.criterion_with(levels, row, level, distance) for row in rows]
        raters = part.marks[rows].sum(axis=1) * (-1 if level == 1 else 1)
        for row in rows[numpy.lexsort((rows, raters, alone))]:
            tried = part.criterion_with(levels, row, level, distance)
            if tried < best:
                best, levels[row], moved = tried, level, True
        if not moved:
            break
    return best, levels


def hard(part, distance):
    crowns = numpy.unique(part.distances)
    shrunk = walk(part, numpy.ones(len(part.distances)), crowns[::-1], 0, distance)
    grown = walk(part, (part.distances == crowns[0]).astype(float), crowns[1:], 1, distance)
    return min(shrunk, grown, key=lambda found: found[0])


def soft(part, distance):
    """Alg. 2: each subcrown's level by SLSQP from where it stands, again and again."""
    levels = part.marks.mean(axis=1)
    best = part.criterion(levels, distance)
    while True:
        before = levels.copy()
        for row in range(len(levels)):
            found = optimize.minimize(
                lambda x, row=row: part.criterion_with(levels, row, x[0], distance),
                [levels[row]],
                method="SLSQP",
                bounds=[(0, 1)],
            )
            levels[row] = min(max(found.x[0], 0.0), 1.0)
        now = part.criterion(levels, distance)
        if not now < best * (1 - ENOUGH):
            return (now, levels) if now < best else (best, before)
        best = now


def solve(part, distance):
    """The criterion of a component and the levels of its rows, the empty set tested at the end."""
    best, levels = (hard if distance in HARD else soft)(part, distance)
    nothing = numpy.zeros(len(levels))
    empty = part.criterion(nothing, distance)
    return (empty, nothing) if empty <= best else (best, levels)


def fuse(masks, distance, connectivity=26, on="voxels"):
    """The consensus of boolean masks, first axis the raters, and its criterion for each component."""
    image = numpy.zeros(masks.shape[1:], bool if distance in HARD else numpy.float32)
    criteria = []
    for box, inside, part in components(masks, connectivity, on):
        criterion, levels = solve(part, distance)
        image[box][inside] = levels[part.row_of_voxel]
        criteria.append(criterion)
    return image, criteria


def load(paths):
    """Masks as the algorithms take them, and the first file."""
    import nibabel

    files = [nibabel.load(path) for path in paths]
    return numpy.stack([numpy.asanyarray(file.dataobj) != 0 for file in files]), files[0]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("raters", nargs="+")
    parser.add_argument("--method", default="dice", choices=HARD + SOFT)
    parser.add_argument("--on", default="voxels", choices=("voxels", "counts"), help="what the criterion sums over")
    parser.add_argument("--connectivity", type=int, default=26, choices=sorted(METRIC))
    parser.add_argument("-o", "--output")
    options = parser.parse_args()
    masks, first = load(options.raters)
    start = time.perf_counter()
    image, criteria = fuse(masks, options.method, options.connectivity, options.on)
    seconds = time.perf_counter() - start
    if options.output:
        import nibabel

        nibabel.Nifti1Image(image.astype(numpy.uint8) if image.dtype == bool else image, first.affine).to_filename(
            options.output
        )
    print(json.dumps({"components": len(criteria), "lmsd": sum(criteria), "seconds": seconds}))


if __name__ == "__main__":
    main()
