# SPDX-License-Identifier: Apache-2.0
"""Outlines of masks along pixel edges, as SVG path data."""

import itertools


def trace(mask):
    """Closed loops of corners around the pixels of a mask, which lie to the right of the way."""
    height, width = len(mask), len(mask[0])

    def inside(x, y):
        return 0 <= x < width and 0 <= y < height and mask[y][x]

    ways = {}
    for y in range(height):
        for x in range(width):
            if not inside(x, y):
                continue
            for there, start, end in (
                ((x, y - 1), (x, y), (x + 1, y)),
                ((x + 1, y), (x + 1, y), (x + 1, y + 1)),
                ((x, y + 1), (x + 1, y + 1), (x, y + 1)),
                ((x - 1, y), (x, y + 1), (x, y)),
            ):
                if not inside(*there):
                    ways.setdefault(start, []).append(end)
    loops = []
    while ways:
        loops.append(follow(ways))
    return loops


def follow(ways):
    """Takes one loop out of the ways. Where two pixels touch at a corner it stays with its own pixel."""
    start = min(ways)
    here, before, loop = start, None, []
    while True:
        ends = ways[here]
        if before is None or len(ends) == 1:
            end = ends[0]
        else:
            dx, dy = here[0] - before[0], here[1] - before[1]
            end = next(e for e in ends if (e[0] - here[0], e[1] - here[1]) == (-dy, dx))
        ends.remove(end)
        if not ends:
            del ways[here]
        loop.append(here)
        before, here = here, end
        if here == start:
            return loop


def inset(loop, by):
    """The loop moved inwards, with corners in the middle of straight edges left out."""
    corners = []
    for n, here in enumerate(loop):
        before, after = loop[n - 1], loop[(n + 1) % len(loop)]
        come = (here[0] - before[0], here[1] - before[1])
        go = (after[0] - here[0], after[1] - here[1])
        if come != go:
            corners.append((here[0] + by * (-come[1] - go[1]), here[1] + by * (come[0] + go[0])))
    return corners


def number(value):
    return f"{value:.2f}".rstrip("0").rstrip(".").replace("-0.", "-.").removeprefix("0") or "0"


def path(mask, cell, by=0.0):
    """Path data of a mask's outline, `cell` units per pixel, moved inwards by a share of a pixel."""
    parts = []
    for loop in trace(mask):
        points = [(round(x * cell, 2), round(y * cell, 2)) for x, y in inset(loop, by)]
        text = f"M{number(points[0][0])} {number(points[0][1])}"
        for (x0, y0), (x1, y1) in itertools.pairwise(points):
            text += f"h{number(x1 - x0)}" if abs(y1 - y0) < 1e-6 else f"v{number(y1 - y0)}"
        parts.append(text + "z")
    return "".join(parts)
