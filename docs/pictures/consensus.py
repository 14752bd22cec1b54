# SPDX-License-Identifier: Apache-2.0
"""The README's picture: votes in shades, every rater's contour, and the consensus over them."""

import outline
import program
import style

CELL = 18
MARGIN = 2  # pixels around the union that are shown
PHANTOM = ["--kind", "lesions", "--size", "58,36,1", "--raters", "5", "--seed", "8"]
LEGEND = 54


def draw(crema, folder):
    masks = program.make_phantom(crema, folder / "phantom", *PHANTOM)
    masks = crop(masks)
    consensus, record = program.fuse(crema, folder / "cropped", masks)
    width, height = len(masks[0][0]) * CELL, len(masks[0]) * CELL
    parts = [
        style.open_svg(
            width,
            height + LEGEND,
            "Five raters' contours of the same lesions, how many raters "
            "marked each pixel, and the consensus that crema finds",
        )
    ]
    parts += shades(masks)
    for k, mask in enumerate(masks):
        parts.append(
            f'<path fill="none" stroke="{style.RATERS[k]}" stroke-width="1.4" '
            f'd="{outline.path(mask, CELL, 0.14 + 0.085 * k)}"/>'
        )
    line = outline.path(consensus, CELL)
    parts.append(f'<path fill="none" stroke="{style.INK}" stroke-width="3.2" stroke-linejoin="round" d="{line}"/>')
    parts += [label(component, len(masks)) for component in record["component_table"]]
    parts.append(legend(width, height, len(masks)))
    return "\n".join(parts) + "\n</svg>\n"


def crop(masks):
    """The masks around their union, with a margin."""
    marked = [(x, y) for mask in masks for y, row in enumerate(mask) for x, value in enumerate(row) if value]
    left, right = (f(x for x, _ in marked) for f in (min, max))
    top, bottom = (f(y for _, y in marked) for f in (min, max))
    height, width = len(masks[0]), len(masks[0][0])
    return [
        [
            [mask[y][x] if 0 <= x < width and 0 <= y < height else 0 for x in range(left - MARGIN, right + MARGIN + 1)]
            for y in range(top - MARGIN, bottom + MARGIN + 1)
        ]
        for mask in masks
    ]


def shades(masks):
    for count in range(1, len(masks) + 1):
        layer = [[int(sum(votes) >= count) for votes in zip(*rows)] for rows in zip(*masks)]
        yield f'<path fill="{style.SHADES[count - 1]}" d="{outline.path(layer, CELL)}"/>'


def label(component, raters):
    low, high = component["box"]["low"], component["box"]["high"]
    words = f"{len(component['raters_present'])} of {raters}" + ("" if component["kept"] else ": left out")
    return style.text((low[0] + high[0]) / 2 * CELL, high[1] * CELL + 17, words, 13, style.SOFT, "middle")


def legend(width, top, raters):
    parts = [f'<path stroke="{style.FAINT}" d="M24 {top + 4}H{width - 24}"/>']
    x, y = 32, top + 34
    for k in range(raters):
        parts.append(f'<rect x="{x + 20 * k}" y="{y - 13}" width="20" height="16" fill="{style.SHADES[k]}"/>')
        parts.append(style.text(x + 20 * k + 10, y - 1, k + 1, 11, style.INK if k < 3 else style.PAPER, "middle"))
    parts.append(style.text(x + 20 * raters + 8, y, "raters marked it", 15))
    x += 20 * raters + 156
    for k in range(raters):
        parts.append(f'<path stroke="{style.RATERS[k]}" stroke-width="2.5" d="M{x + 22 * k} {y - 5}h17"/>')
    parts.append(style.text(x + 22 * raters + 4, y, "their contours", 15))
    x += 22 * raters + 140
    parts.append(f'<path stroke="{style.INK}" stroke-width="4" d="M{x} {y - 5}h30"/>')
    parts.append(style.text(x + 38, y, "the consensus", 15))
    return "\n".join(parts)
