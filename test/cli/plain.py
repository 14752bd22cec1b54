# SPDX-License-Identifier: Apache-2.0
"""The criterion as METHOD's formulas read, voxel by voxel, for comparison with the program."""

import csv
import io
import itertools

import nibabel
import numpy

HARD = ["jaccard", "dice", "hamming", "tversky"]
SOFT = ["soergel", "tanimoto", "dice1", "dice2", "hamming1", "tversky1"]
DISTANCES = HARD + SOFT


def voxels(path):
    return numpy.asanyarray(nibabel.load(path).dataobj)


def components(union):
    """Boolean images, one per component of 26 neighbours, found by flooding."""
    left = {tuple(p) for p in numpy.argwhere(union)}
    steps = [s for s in itertools.product((-1, 0, 1), repeat=3) if any(s)]
    while left:
        todo = [left.pop()]
        part = numpy.zeros(union.shape, bool)
        while todo:
            p = todo.pop()
            part[p] = True
            near = {tuple(a + b for a, b in zip(p, s)) for s in steps} & left
            left -= near
            todo.extend(near)
        yield part


def distance_to(level, mask, distance):
    """Of one rater's mask to the levels, inside one component."""
    common, total, size = level[mask].sum(), level.sum(), mask.sum()
    if distance in ("tanimoto", "dice2"):
        total = (level**2).sum()
    if total + size == 0:
        return 0.0
    if distance.startswith("hamming"):
        return numpy.sqrt(total + size - 2 * common)
    if distance in ("jaccard", "soergel", "tanimoto"):
        return 1 - common / (total + size - common)
    return 1 - 2 * common / (total + size)


def lmsd(levels, masks, distance, weights=None):
    levels = numpy.asarray(levels, numpy.float64)
    masks = [numpy.asarray(mask) != 0 for mask in masks]
    total = 0.0
    for part in components(numpy.any(masks, axis=0)):
        squares = [distance_to(levels[part], mask[part], distance) ** 2 for mask in masks]
        total += numpy.average(squares, weights=weights)
    return total


def random_raters(save, seed, count=4, size=(14, 12, 7)):
    """Boxes whose faces each rater draws a little elsewhere, and lesions that only some raters saw."""
    random = numpy.random.default_rng(seed)
    masks = []
    for _ in range(count):
        mask = numpy.zeros(size, numpy.uint8)
        for low, high in (((2, 2, 1), (7, 7, 5)), ((10, 1, 1), (13, 4, 3)), ((10, 8, 4), (13, 11, 6))):
            if low[0] == 2 or random.random() < 0.7:
                a = numpy.maximum(numpy.array(low) + random.integers(-1, 2, 3), 0)
                b = numpy.array(high) + random.integers(-1, 2, 3)
                mask[tuple(slice(p, q) for p, q in zip(a, b))] = 1
        mask &= (random.random(size) < 0.95).astype(numpy.uint8)
        masks.append(mask)
    return [save(f"r{k}.nii.gz", mask) for k, mask in enumerate(masks)], masks


def read_csv(path):
    raw = path.read_bytes()
    assert raw.endswith(b"\r\n") and raw.count(b"\n") == raw.count(b"\r\n")
    return list(csv.DictReader(io.StringIO(raw.decode("utf-8"), newline="")))
