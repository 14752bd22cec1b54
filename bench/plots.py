# SPDX-License-Identifier: Apache-2.0
"""Plots as SVG, in the style of the other pictures: both axes logarithmic, the lines named at their ends."""

import math
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "docs/pictures"))
from style import FAINT, INK, RATERS, SOFT, open_svg, text

WIDTH, HEIGHT = 720, 420
LEFT, RIGHT, TOP, BOTTOM = 70, 190, 60, 58
APART = 15  # between the names of two lines


def decades(low, high):
    """Round numbers of an axis: 1, 2 and 5 of each decade where there are few, 1 alone where there are many."""
    steps = (1, 2, 5) if math.log10(high / low) < 2.6 else (1,)
    found = [s * 10.0**e for e in range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1) for s in steps]
    return [tick for tick in found if low * 0.999 <= tick <= high * 1.001]


def plain(number):
    if number >= 1000:
        return f"{number:,.0f}".replace(",", " ")
    return f"{number:g}"


class Axis:
    """Values to places on paper."""

    def __init__(self, values, start, end):
        low, high = min(values), max(values)
        if high / low < 1.5:
            low, high = low / 1.25, high * 1.25
        self.low, self.high = low * 0.93, high * 1.07
        self.start, self.end = start, end

    def at(self, value):
        share = math.log(value / self.low) / math.log(self.high / self.low)
        return round(self.start + share * (self.end - self.start), 1)

    def ticks(self, wanted=()):
        return [tick for tick in wanted or decades(self.low, self.high) if self.low <= tick <= self.high]


def spread_out(places):
    """The same places, moved down where they would touch; name -> place."""
    moved, last = {}, -math.inf
    for name, place in sorted(places.items(), key=lambda item: item[1]):
        last = moved[name] = max(place, last + APART)
    return moved


def grid(across, up, along, xs):
    pieces = []
    for tick in up.ticks():
        y = up.at(tick)
        pieces.append(f'<line x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y}" y2="{y}" stroke="{FAINT}"/>')
        pieces.append(text(LEFT - 8, y + 4, plain(tick), 12, SOFT, "end"))
    for tick in across.ticks(xs if len(xs) <= 6 else ()):
        x = across.at(tick)
        pieces.append(f'<line x1="{x}" x2="{x}" y1="{TOP}" y2="{HEIGHT - BOTTOM}" stroke="{FAINT}"/>')
        pieces.append(text(x, HEIGHT - BOTTOM + 18, plain(round(tick, 2 if tick < 10 else 0)), 12, SOFT, "middle"))
    pieces.append(text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 14, along, 13, INK, "middle"))
    middle = (TOP + HEIGHT - BOTTOM) / 2
    pieces.append(text(20, middle, "milliseconds", 13, INK, "middle", f' transform="rotate(-90 20 {middle})"'))
    return pieces


def curve(line, colour, across, up):
    points = [(across.at(x), up.at(y)) for x, y in line["points"]]
    path = " ".join(f"{x},{y}" for x, y in points)
    dashes = ' stroke-dasharray="5 4"' if "floor" in line["name"] or "in step" in line["name"] else ""
    dots = "".join(f'<circle cx="{x}" cy="{y}" r="3" fill="{colour}"/>' for x, y in points)
    return f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"{dashes}/>{dots}'


def draw(plot):
    """One plot, as results.json holds it, as the text of an SVG file."""
    xs = sorted({point[0] for line in plot["lines"] for point in line["points"]})
    ys = [point[1] for line in plot["lines"] for point in line["points"]]
    across, up = Axis(xs, LEFT, WIDTH - RIGHT), Axis(ys, HEIGHT - BOTTOM, TOP)
    pieces = [
        open_svg(WIDTH, HEIGHT, plot["title"]),
        text(LEFT, 28, plot["title"], 16),
        text(LEFT, 46, plot["note"], 12, SOFT),
    ]
    pieces += grid(across, up, plot["along"], xs)
    names = spread_out({i: up.at(line["points"][-1][1]) + 4 for i, line in enumerate(plot["lines"])})
    colours = [RATERS[i % len(RATERS)] if i < len(RATERS) else INK for i in range(len(plot["lines"]))]
    for i, line in enumerate(plot["lines"]):
        pieces.append(curve(line, colours[i], across, up))
        pieces.append(text(WIDTH - RIGHT + 10, names[i], line["name"], 12, colours[i]))
    return "\n".join(pieces) + "\n</svg>\n"


def write(folder, plots):
    for plot in plots:
        (folder / f"bench-{plot['name']}.svg").write_text(draw(plot))
