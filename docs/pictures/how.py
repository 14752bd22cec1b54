# SPDX-License-Identifier: Apache-2.0
"""How it works, in one figure: every stage on one small example, fused by the program itself."""

import example
import outline
import program
import style

WIDTH, HEIGHT = 984, 624
CELL = 20
TOP, LOW = 60, 386  # where the two rows of panels begin
NAMES = "ABC"
TINTS = ["#8a5f36", "#cfa878", "#7fb3d5", "#f2b98a", "#8fd0b8", "#e58e4c", "#c2571a", "#cdbfe8"]


def draw(crema, folder):
    masks = example.MASKS
    consensus, record = program.fuse(crema, folder / "example", masks)
    components = example.components(masks)
    ours = sum(example.criterion(masks, component, consensus) for component in components)
    if record["components"] != len(components) or abs(record["lmsd"] - ours) > 1e-12:
        raise SystemExit(f"how.svg: the program's LMSD is {record['lmsd']}, a plain reading gives {ours}")
    rows = tally(masks, components, consensus)
    parts = [style.open_svg(WIDTH, HEIGHT, "From masks to counts to a consensus: every stage on a small example")]
    parts += [masks_panel(masks), votes_panel(masks), components_panel(components)]
    parts += [distance_panel(masks, components), subcrowns_panel(rows)]
    parts += [counts_panel(rows), painted_panel(masks, consensus, ours), arrows()]
    return "\n".join(parts) + "\n</svg>\n"


def tally(masks, components, consensus):
    """Rows of (component, distance, raters, pixels, level)."""
    rows = []
    for number, component in enumerate(components, 1):
        for (distance, raters), pixels in example.subcrowns(masks, component).items():
            levels = {consensus[y][x] for x, y in pixels}
            if len(levels) != 1:
                raise SystemExit("how.svg: the program cut through a subcrown")
            rows.append((number, distance, raters, pixels, levels.pop()))
    return rows


def panel(x, y, number, title, caption, inner, height=example.HEIGHT * CELL):
    head = (
        f'<text x="0" y="-14" font-size="15" font-weight="600" fill="{style.INK}">'
        f'<tspan fill="{style.SHADES[3]}">{number}</tspan> {title}</text>'
    )
    return (
        f'<g transform="translate({x} {y})">{head}\n{inner}\n{style.text(0, height + 19, caption, 12, style.SOFT)}</g>'
    )


def lattice(cell):
    width, height = example.WIDTH * cell, example.HEIGHT * cell
    lines = "".join(f"M{x * cell} 0v{height}" for x in range(example.WIDTH + 1))
    lines += "".join(f"M0 {y * cell}h{width}" for y in range(example.HEIGHT + 1))
    return f'<path fill="none" stroke="{style.FAINT}" stroke-width=".7" d="{lines}"/>'


def square(x, y, fill, cell=CELL):
    return f'<rect x="{x * cell}" y="{y * cell}" width="{cell}" height="{cell}" fill="{fill}"/>'


def in_cell(x, y, words, fill=style.INK):
    return style.text(x * CELL + CELL / 2, y * CELL + CELL / 2 + 4.5, words, 12, fill, "middle")


def masks_panel(masks):
    inner = []
    for k, mask in enumerate(masks):
        pixels = "".join(
            square(x, y, style.RATERS[k], 9) for y, row in enumerate(mask) for x, value in enumerate(row) if value
        )
        inner.append(
            f'<g transform="translate(0 {k * 71})">{pixels}{lattice(9)}'
            f"{style.text(106, 36, NAMES[k], 13, style.RATERS[k])}</g>"
        )
    return panel(30, TOP, 1, "masks", "K raters, one grid", "".join(inner), 2 * 71 + 63)


def votes_panel(masks):
    inner = []
    for x, y in everywhere():
        raters = example.group(masks, x, y)
        if raters:
            inner.append(square(x, y, style.SHADES[len(raters) - 1]))
        inner += [
            f'<circle cx="{x * CELL + 4.5 + 5.5 * k}" cy="{y * CELL + 10}" r="2.4" fill="{style.RATERS[k]}"/>'
            for k in raters
        ]
    return panel(196, TOP, 2, "votes", "who marked each voxel", "".join(inner) + lattice(CELL))


def components_panel(components):
    inner = []
    for number, component in enumerate(components, 1):
        fill = (style.SHADES[2], "#cdbfe8")[number - 1]
        inner += [square(x, y, fill) + in_cell(x, y, number) for x, y in component]
    return panel(460, TOP, 3, "components", "of the union; each is decided alone", "".join(inner) + lattice(CELL))


def distance_panel(masks, components):
    inner = []
    for component in components:
        for (x, y), total in example.distances(masks, component).items():
            depth = style.SHADES[max(0, 3 - total)]
            inner.append(square(x, y, depth))
            inner.append(in_cell(x, y, total, style.PAPER if total == 0 else style.INK))
    return panel(724, TOP, 4, "distance", "steps to each rater, summed", "".join(inner) + lattice(CELL))


def subcrowns_panel(rows):
    inner = [square(x, y, TINTS[n]) for n, row in enumerate(rows) for x, y in row[3]]
    return panel(30, LOW, 5, "crowns, subcrowns", "same distance, same raters", "".join(inner) + lattice(CELL))


def counts_panel(rows):
    card = f'<rect x="298" y="{LOW - 38}" width="392" height="{len(rows) * 21 + 84}" rx="8" fill="#f4ecdf"/>'
    inner = []
    heads = ((0, "component"), (84, "distance"), (152, "raters"), (214, "voxels"))
    inner += [style.text(x, 12, words, 12, style.SOFT) for x, words in heads]
    inner.append(style.text(322, 12, "level", 12, style.SOFT))
    inner.append(
        f'<text x="278" y="-14" font-size="15" font-weight="600" fill="{style.INK}">'
        f'<tspan fill="{style.SHADES[3]}">7</tspan> solver</text>'
    )
    for n, (number, distance, raters, pixels, level) in enumerate(rows):
        y = 32 + 21 * n
        dots = "".join(f'<circle cx="{158 + 13 * k}" cy="{y - 4}" r="4.6" fill="{style.RATERS[k]}"/>' for k in raters)
        inner.append(f'<rect y="{y - 12}" width="15" height="15" rx="2" fill="{TINTS[n]}"/>{dots}')
        inner.append(style.text(32, y, number, 13) + style.text(106, y, distance, 13, style.INK, "middle"))
        inner.append(style.text(244, y, len(pixels), 13, style.INK, "end"))
        inner.append(
            style.text(
                336, y, level, 14, style.INK if level else style.SOFT, "middle", ' font-weight="600"' if level else ""
            )
        )
        inner.append(f'<path stroke="{style.SOFT}" fill="none" stroke-width="1.2" d="M262 {y - 4}h46m-5 -4l5 4l-5 4"/>')
    return card + panel(
        312,
        LOW,
        6,
        "tally",
        "nothing but these counts crosses from voxels to method",
        "".join(inner),
        len(rows) * 21 + 16,
    )


def painted_panel(masks, consensus, lmsd):
    inner = [square(x, y, style.SHADES[1]) for x, y in everywhere() if consensus[y][x]]
    inner.append(lattice(CELL))
    inner += [
        f'<path fill="none" stroke="{style.RATERS[k]}" stroke-width="1.6" '
        f'd="{outline.path(mask, CELL, 0.12 + 0.11 * k)}"/>'
        for k, mask in enumerate(masks)
    ]
    inner.append(
        f'<path fill="none" stroke="{style.INK}" stroke-width="3.5" stroke-linejoin="round" '
        f'd="{outline.path(consensus, CELL)}"/>'
    )
    return panel(734, LOW, 8, "painted", f"the consensus; its LMSD is {lmsd:.3f}", "".join(inner))


def arrows():
    heads = [
        (146, 166, TOP + 70),
        (424, 452, TOP + 70),
        (688, 716, TOP + 70),
        (258, 290, LOW + 70),
        (698, 726, LOW + 70),
    ]
    ways = "".join(f"M{a} {y}H{b}m-7 -5l7 5l-7 5" for a, b, y in heads)
    ways += f"M834 {TOP + 170}v62q0 8 -8 8H148q-8 0 -8 8v42m-5 -7l5 7l5 -7"
    return f'<path fill="none" stroke="{style.INK}" stroke-width="1.6" stroke-linejoin="round" d="{ways}"/>'


def everywhere():
    return [(x, y) for y in range(example.HEIGHT) for x in range(example.WIDTH)]
