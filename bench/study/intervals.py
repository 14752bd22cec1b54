# SPDX-License-Identifier: Apache-2.0
"""Numbers over cases with 95 % intervals, and what they say of a claim."""

import functools
import math
import random
from dataclasses import dataclass

REPLICATES = 2000
ROUNDING = 1e-9  # what differs by less is the same


@dataclass
class Number:
    value: float | None
    low: float | None = None
    high: float | None = None
    cases: int = 0


@functools.cache
def draws(cases):
    """Cases drawn with replacement, as often as there are; the same for all numbers of a cohort."""
    draw = random.Random(1)
    return [draw.choices(range(cases), k=cases) for _ in range(REPLICATES)]


def percentiles(found):
    found = sorted(found)
    return found[int(0.025 * len(found))], found[math.ceil(0.975 * len(found)) - 1]


def whole(value):
    """Without what rounding left."""
    return 0.0 if abs(value) < ROUNDING else value


def mean(values):
    """The mean over cases of what is defined."""
    values = [value for value in values if value is not None]
    if not values:
        return Number(None)
    value = sum(values) / len(values)
    if len(values) == 1:
        return Number(whole(value), cases=1)
    if min(values) == max(values):
        return Number(whole(value), whole(value), whole(value), len(values))
    take = values.__getitem__
    low, high = percentiles([sum(map(take, drawn)) / len(values) for drawn in draws(len(values))])
    return Number(whole(value), whole(low), whole(high), len(values))


def ratio(tops, bottoms, finish=lambda value: value):
    """Sums over cases divided by each other."""
    return of_sums(lambda top, bottom: finish(top / bottom) if bottom else None, tops, bottoms)


def of_sums(number, *columns):
    """A number made of the sums of columns over cases, such as the difference of two ratios."""
    cases = len(columns[0])
    value = number(*map(sum, columns)) if cases else None
    if value is None or cases == 1:
        return Number(value if value is None else whole(value), cases=cases)
    take = [column.__getitem__ for column in columns]
    found = [number(*(sum(map(one, drawn)) for one in take)) for drawn in draws(cases)]
    low, high = percentiles([one for one in found if one is not None])
    return Number(whole(value), whole(low), whole(high), cases)


def point(row, name, column=None):
    """A mean of a table of crema study with the interval that stands in the row."""
    ends = (row[f"{name}_low"], row[f"{name}_high"])
    low, high = (float(end) if end else None for end in ends)
    return Number(float(row[column or name]), low, high, int(row["cases"]))


def share(truths):
    """In percent, with Wilson's interval."""
    truths = list(truths)
    return share_of(sum(truths), len(truths))


def share_of(seen, n):
    """So many of n, in percent, with Wilson's interval."""
    z = 1.959964
    if not n:
        return Number(None)
    p = seen / n
    middle = (p + z * z / (2 * n)) / (1 + z * z / n)
    half = z / (1 + z * z / n) * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n))
    return Number(100 * p, 100 * max(0, middle - half), 100 * min(1, middle + half), n)


def shown(value, digits=3):
    """With so many digits, never with an exponent."""
    if value is None:
        return "–"
    if abs(value) < ROUNDING:
        return "0"
    places = digits - 1 - math.floor(math.log10(abs(value)))
    return f"{value:.{max(0, places)}f}"


def change(value):
    """In percent, with three digits, so that both ends of an interval have as many as its middle."""
    if value is None:
        return "–"
    if abs(value) < ROUNDING:
        return "0"
    if abs(value) < 0.005:
        return f"{value:+.1g}" if abs(value) >= 1e-4 else f"{value:+.0e}"
    return f"{value:+.{2 if abs(value) < 9.995 else 1 if abs(value) < 99.95 else 0}f}"


def spread(number, show=shown, unit=""):
    """0.93 [0.91 to 0.95]"""
    if number.value is None:
        return "–"
    if number.low is None:
        return show(number.value) + unit
    return f"{show(number.value)}{unit} [{show(number.low)} to {show(number.high)}]"


def percent(number):
    return spread(number, change, " %")


def part(number):
    return spread(number, lambda value: f"{value:.1f}".removesuffix(".0"), " %")


# What an interval says of a claim, and what a count says of one without a direction.
HOLDS, OPPOSITE, OPEN, FAILS = "holds", "the opposite", "open", "does not hold"
FEW = 5  # of fewer cases an interval misses the mean too often for a verdict


def above_zero(*numbers):
    """All of them; a few cases say nothing."""
    numbers = [number for number in numbers if number.low is not None]
    if not numbers or any(number.cases < FEW for number in numbers):
        return None
    if all(number.low > 0 for number in numbers):
        return HOLDS
    return OPPOSITE if any(number.high < 0 for number in numbers) else OPEN


def below_zero(*numbers):
    return above_zero(*(Number(n.value, -n.high, -n.low, n.cases) for n in numbers if n.low is not None))


def ranks(values):
    """Equal ones share theirs."""
    return [sum(v < value for v in values) + (sum(v == value for v in values) + 1) / 2 for value in values]


def spearman(a, b):
    a, b = ranks(a), ranks(b)
    middle = (len(a) + 1) / 2
    alike = sum((x - middle) * (y - middle) for x, y in zip(a, b))
    scale = math.sqrt(sum((x - middle) ** 2 for x in a) * sum((y - middle) ** 2 for y in b))
    return alike / scale if scale else None


def chance(a, b, rounds=20000):
    """How often an order at random gives as large a correlation or a larger one."""
    draw, found, order = random.Random(1), spearman(a, b), list(b)
    larger = 0
    for _ in range(rounds):
        draw.shuffle(order)
        larger += spearman(a, order) >= found - ROUNDING
    return (larger + 1) / (rounds + 1)


def table(head, rows):
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    return "\n".join(lines + ["| " + " | ".join(map(str, row)) + " |" for row in rows]) + "\n"
