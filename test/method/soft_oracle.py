# SPDX-License-Identifier: Apache-2.0
"""A plain reading of the soft consensus (Alg. 2 of the paper as pinned in docs/method.md) on the rows of oracle.py.

Levels are floating-point numbers here; what differs by rounding alone is a tie.
"""

import numpy

METHODS = ("tanimoto", "soergel", "dice1", "dice2")
TIE = 1e-11
SAME_LEVEL = 1e-6


class Sums:
    """A component as counts: voxels of each row, and which raters present drew it."""

    def __init__(self, component, method):
        self.present = [k for k, size in enumerate(component.sizes) if size > 0]
        self.absent = component.raters - len(self.present)
        self.n = numpy.array([len(row.voxels) for row in component.rows], float)
        self.drew = numpy.array([[k in row.group for k in self.present] for row in component.rows], float)
        self.size = numpy.array([component.sizes[k] for k in self.present], float)
        self.td = [row.td for row in component.rows]
        self.squared = method in ("tanimoto", "dice2")
        self.dice = method in ("dice1", "dice2")

    def squares(self, extent, common):
        jaccard = 1 - common / (extent + self.size - common)
        distance = 1 - 2 * common / (extent + self.size) if self.dice else jaccard
        return (distance**2).sum(axis=-1)

    def of(self, x):
        """What levels add to the extent and to the overlap with each rater."""
        return self.n @ (x * x if self.squared else x), (self.n * x) @ self.drew

    def value(self, levels):
        """Sum of the squared distances to the raters present."""
        return float(self.squares(*self.of(levels)))

    def best(self, levels, rows):
        """The level of these rows that is best with all others fixed, and the value reached: by ever finer grids."""
        rest = levels.copy()
        rest[rows] = 0
        extent, common = self.of(rest)
        n, drew = self.n[rows].sum(), self.n[rows] @ self.drew[rows]

        def at(y):
            grown = extent + n * (y * y if self.squared else y)
            return self.squares(grown[:, None], common + y[:, None] * drew)

        def least(points):
            values = at(points)
            i = int(numpy.argmin(values))
            return float(points[i]), float(values[i])

        found = least(numpy.linspace(0, 1, 201))
        width = 1 / 200
        for _ in range(8):
            found = least(numpy.clip(found[0] + numpy.linspace(-width, width, 41), 0, 1))
            width /= 18
        end = least(numpy.array([0.0, 1.0]))
        return end if end[1] <= found[1] * (1 + 1e-14) else found


def description(sums, row):
    """What can be said of a row without numbering the raters; those with more come first."""
    sizes = sorted((size for size, drew in zip(sums.size, sums.drew[row]) if drew), reverse=True)
    return (-len(sizes), -sums.n[row], [-size for size in sizes])


def parted(group, key, same):
    """A list in the order of a key, cut where neighbours differ."""
    parts = []
    last = None
    for item in sorted(group, key=key):
        if last is None or not same(last, key(item)):
            parts.append([])
        parts[-1].append(item)
        last = key(item)
    return parts


def visits(sums, levels, rows):
    """The rows of a crown in the order of being set; those that only the raters' order tells apart go together."""
    reached = {row: sums.best(levels, [row]) for row in rows}
    scale = {row: sums.n[row] / sums.size.sum() for row in rows}
    groups = parted(rows, lambda r: reached[r][1], lambda a, b: abs(a - b) <= TIE * max(scale.values()))
    groups = [g for part in groups for g in parted(part, lambda r: description(sums, r), lambda a, b: a == b)]
    for key in (lambda r: levels[r], lambda r: reached[r][0]):
        groups = [g for part in groups for g in parted(part, key, lambda a, b: abs(a - b) <= SAME_LEVEL)]
    return groups


def soft_levels(component, method, tie="background", max_sweeps=400):
    """One level per row."""
    sums = Sums(component, method)
    levels = sums.drew.sum(axis=1) / len(sums.present)
    last = numpy.inf
    for _ in range(max_sweeps):
        for td in sorted(set(sums.td)):
            for rows in visits(sums, levels, [r for r, own in enumerate(sums.td) if own == td]):
                levels[rows] = sums.best(levels, rows)[0]
        now = sums.value(levels)
        if last - now < 1e-12 * now:
            break
        last = now
    kept, empty = now + sums.absent, len(sums.present)
    rounding = 1e-12 * empty
    dropped = empty <= kept + rounding if tie == "background" else empty < kept - rounding
    return numpy.zeros(len(levels)) if dropped else levels


def criterion(component, levels, method):
    sums = Sums(component, method)
    if not numpy.any(levels > 0):
        return len(sums.present) / component.raters
    return (sums.value(numpy.asarray(levels, float)) + sums.absent) / component.raters
