# SPDX-License-Identifier: Apache-2.0
"""The small example of how.svg, worked out by a plain reading of docs/method.md (2-D, 8 neighbours)."""

WIDTH, HEIGHT = 11, 7
DRAWN = [
    """
    ...........
    .#####.....
    .######....
    .######....
    ..####.....
    ...........
    ...........
    """,
    """
    ...........
    ..####.....
    ..#####....
    ..#######..
    ..#####....
    ...........
    ...........
    """,
    """
    ...........
    ...##......
    ..####.....
    ..####.....
    ..####.....
    ...##.....#
    .........##
    """,
]
MASKS = [[[int(c == "#") for c in row] for row in drawing.split()] for drawing in DRAWN]


def group(masks, x, y):
    """Who marked the pixel, as a tuple of rater numbers."""
    return tuple(k for k, mask in enumerate(masks) if mask[y][x])


def components(masks):
    """The connected components of the union as lists of pixels, by their first pixel in raster order."""
    left = {(x, y) for y in range(HEIGHT) for x in range(WIDTH) if group(masks, x, y)}
    found = []
    while left:
        reach = [min(left, key=lambda p: (p[1], p[0]))]
        left.discard(reach[0])
        for x, y in reach:
            near = {(x + dx, y + dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1)} & left
            left -= near
            reach += sorted(near)
        found.append(sorted(reach, key=lambda p: (p[1], p[0])))
    return found


def distances(masks, component):
    """Per pixel the sum over the raters present of the steps to the rater's nearest pixel in the component."""
    drawn = [[p for p in component if mask[p[1]][p[0]]] for mask in masks]
    return {
        p: sum(min(max(abs(p[0] - q[0]), abs(p[1] - q[1])) for q in pixels) for pixels in drawn if pixels)
        for p in component
    }


def subcrowns(masks, component):
    """(distance, raters) → its pixels, in the order of the tally."""
    table = {}
    for p, total in distances(masks, component).items():
        table.setdefault((total, group(masks, *p)), []).append(p)
    return dict(sorted(table.items(), key=lambda row: (row[0][0], sum(1 << k for k in row[0][1]))))


def criterion(masks, component, consensus):
    """The mean squared Jaccard distance of the consensus to the raters, inside the component."""
    taken = {p for p in component if consensus[p[1]][p[0]]}
    total = 0
    for mask in masks:
        drawn = {p for p in component if mask[p[1]][p[0]]}
        if taken | drawn:
            total += (1 - len(taken & drawn) / len(taken | drawn)) ** 2
    return total / len(masks)
