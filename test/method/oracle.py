# SPDX-License-Identifier: Apache-2.0
"""A plain reading of the method, voxel by voxel and in exact fractions, so that a tie is a tie.

Images are arrays indexed [x, y, z]; a 2-D image has one slice. Nothing here is fast or shared with the program.
"""

from dataclasses import dataclass
from fractions import Fraction
from itertools import product

import numpy

HARD = ("jaccard", "dice")
METHODS = HARD + ("majority", "average")
# The distance in which each result's criterion is given; the Soergel distance is Jaccard's formula with soft sums.
FORMULA = {"jaccard": "jaccard", "dice": "dice", "majority": "jaccard", "average": "jaccard"}


@dataclass(frozen=True)
class Setting:
    connectivity: int
    flat_axis: int | None = None  # the axis across which nothing touches: 2-D and slice-wise work
    tie: str = "background"


@dataclass(frozen=True)
class Row:
    """A subcrown."""

    td: int
    group: frozenset
    voxels: tuple

    @property
    def bits(self):
        return sum(1 << k for k in self.group)


@dataclass(frozen=True)
class Component:
    voxels: tuple  # in raster order
    raters: int
    sizes: tuple  # voxels of each rater in the component
    rows: tuple


def raster(voxel):
    return voxel[::-1]


def grid_steps(offsets, connectivity):
    """How many steps between neighbours cover each offset (last axis: x, y, z) on a grid without borders."""
    far = numpy.abs(offsets)
    largest, total = far.max(axis=-1), far.sum(axis=-1)
    if connectivity in (8, 26):
        return largest
    if connectivity in (4, 6):
        return total
    return numpy.maximum(largest, (total + 1) // 2)


def neighbour_offsets(setting):
    for offset in product((-1, 0, 1), repeat=3):
        across = setting.flat_axis is not None and offset[setting.flat_axis] != 0
        if not across and grid_steps(numpy.array(offset), setting.connectivity) == 1:
            yield offset


def connected_parts(voxels, setting):
    """The connected parts of a set of voxels, each in raster order, by their first voxel."""
    offsets = list(neighbour_offsets(setting))
    left = set(voxels)
    parts = []
    for seed in sorted(voxels, key=raster):
        if seed not in left:
            continue
        left.remove(seed)
        part = [seed]
        for voxel in part:
            for offset in offsets:
                near = tuple(a + b for a, b in zip(voxel, offset))
                if near in left:
                    left.remove(near)
                    part.append(near)
        parts.append(tuple(sorted(part, key=raster)))
    return parts


def distances(voxels, mask, connectivity):
    """Of each voxel to the nearest of the mask's, by looking at all of them."""
    targets = numpy.array(mask)
    block = max(1, 2_000_000 // len(mask))
    places = numpy.array(voxels)
    found = []
    for start in range(0, len(places), block):
        offsets = places[start : start + block, None, :] - targets[None, :, :]
        found.extend(grid_steps(offsets, connectivity).min(axis=1).tolist())
    return found


def describe(part, masks, setting):
    """The component made of these voxels, cut into subcrowns."""
    inside = [[v for v in part if mask[v]] for mask in masks]
    td = numpy.zeros(len(part), int)
    for own in inside:
        if own:
            td += distances(part, own, setting.connectivity)
    rows = {}
    for voxel, total in zip(part, td.tolist()):
        group = frozenset(k for k, mask in enumerate(masks) if mask[voxel])
        rows.setdefault((total, group), []).append(voxel)
    rows = [Row(total, group, tuple(voxels)) for (total, group), voxels in rows.items()]
    rows.sort(key=lambda row: (row.td, row.bits))
    return Component(part, len(masks), tuple(map(len, inside)), tuple(rows))


def components(masks, setting):
    union = numpy.argwhere(numpy.any(masks, axis=0))
    parts = connected_parts([tuple(v) for v in union.tolist()], setting)
    return [describe(part, masks, setting) for part in parts]


def distance(formula, total, common, size):
    """Between a consensus of `total` voxels and a mask of `size` voxels that share `common`."""
    if total + size == 0:
        return Fraction(0)
    if formula == "jaccard":
        return 1 - Fraction(common) / (total + size - common)
    return 1 - Fraction(2 * common) / (total + size)


def criterion(component, levels, formula):
    """The mean over all raters of the squared distance; `levels` has one per row."""
    total = sum(len(row.voxels) * x for row, x in zip(component.rows, levels))
    common = [0] * component.raters
    for row, x in zip(component.rows, levels):
        for k in row.group:
            common[k] += len(row.voxels) * x
    squares = (distance(formula, total, a, s) ** 2 for a, s in zip(common, component.sizes))
    return sum(squares, Fraction(0)) / component.raters


def search(component, start, crowns, target, formula):
    """Sets rows to `target`, crown by crown, where that lowers the criterion, until a crown accepts none."""
    rows, levels = component.rows, list(start)
    best = criterion(component, levels, formula)

    def with_change(i):
        return criterion(component, levels[:i] + [target] + levels[i + 1 :], formula)

    def rank(i):
        fewer_or_more_first = len(rows[i].group) if target == 0 else -len(rows[i].group)
        return with_change(i), fewer_or_more_first, i

    for td in crowns:
        accepted = False
        for i in sorted((i for i, row in enumerate(rows) if row.td == td), key=rank):
            changed = with_change(i)
            if changed < best:
                best, levels[i], accepted = changed, target, True
        if not accepted:
            break
    return best, levels


def hard_levels(component, formula, tie):
    """The best of shrinking, growing and the empty set."""
    rows = component.rows
    crowns = sorted({row.td for row in rows})
    shrunk = search(component, [1] * len(rows), crowns[::-1], 0, formula)
    innermost = [int(row.td == crowns[0]) for row in rows]
    grown = search(component, innermost, crowns[1:], 1, formula)
    best, levels = grown if grown[0] < shrunk[0] else shrunk
    empty = [0] * len(rows)
    bare = criterion(component, empty, formula)
    if bare < best or (bare == best and tie == "background"):
        return empty
    return levels


def vote_level(marks, raters, method, tie):
    if method == "average":
        return Fraction(marks, raters)
    if 2 * marks == raters:
        return int(tie == "foreground")
    return int(2 * marks > raters)


def consensus(component, method, tie):
    """One level per row."""
    if method in HARD:
        return hard_levels(component, method, tie)
    return [vote_level(len(row.group), component.raters, method, tie) for row in component.rows]
