# SPDX-License-Identifier: Apache-2.0
"""Numbers over cases with 95 % intervals, and what they say of a claim."""

import bisect
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
    # How far the ends may lie with other draws; without draws they lie where they are.
    least: float | None = None
    most: float | None = None

    def __post_init__(self):
        self.least = self.low if self.least is None else self.least
        self.most = self.high if self.most is None else self.most

    def __sub__(self, limit):
        ends = (None if end is None else end - limit for end in (self.value, self.low, self.high))
        outer = (None if end is None else end - limit for end in (self.least, self.most))
        return Number(*ends, self.cases, *outer)

    def __neg__(self):
        turned = (None if end is None else -end for end in (self.value, self.high, self.low))
        ends = (None if end is None else -end for end in (self.most, self.least))
        return Number(*turned, self.cases, *ends)


@functools.cache
def draws(cases):
    """Cases drawn with replacement, as often as there are; the same for all numbers of a cohort."""
    draw = random.Random(1)
    return [draw.choices(range(cases), k=cases) for _ in range(REPLICATES)]


def drawn_number(value, found, cases):
    """With the percentiles of what was drawn. How many draws lie beyond an end is binomial: ends move by less than
    three of its standard deviations."""
    found = sorted(found)
    end, moved = int(0.025 * len(found)), math.ceil(3 * math.sqrt(0.025 * 0.975 * len(found)))
    least, low = found[max(0, end - moved)], found[end]
    high, most = found[-1 - end], found[-1 - max(0, end - moved)]
    return Number(whole(value), whole(low), whole(high), cases, whole(least), whole(most))


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
    return drawn_number(value, [sum(map(take, drawn)) / len(values) for drawn in draws(len(values))], len(values))


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
    return drawn_number(value, [one for one in found if one is not None], cases)


def total(values):
    """Of all cases."""
    return of_sums(lambda sum_of_cases: sum_of_cases, values)


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


def known(numbers):
    """Those with an interval; nothing where cases are few."""
    numbers = [number for number in numbers if number.low is not None]
    return [] if any(number.cases < FEW for number in numbers) else numbers


def above_zero(*numbers):
    """All of them, whatever the draws; one on the other side is enough against it, all are the opposite."""
    numbers = known(numbers)
    if not numbers:
        return None
    if all(number.least > 0 for number in numbers):
        return HOLDS
    if all(number.most < 0 for number in numbers):
        return OPPOSITE
    return FAILS if any(number.most < 0 for number in numbers) else OPEN


def below_zero(*numbers):
    return above_zero(*(-number for number in numbers))


def within(low, high, *numbers):
    """All of them between these limits; one outside is enough against it."""
    numbers = known(numbers)
    if not numbers:
        return None
    if all(low <= number.least and number.most <= high for number in numbers):
        return HOLDS
    return FAILS if any(number.most < low or number.least > high for number in numbers) else OPEN


def ranks(values):
    """Equal ones share theirs."""
    order = sorted(values)
    return [(bisect.bisect_left(order, value) + bisect.bisect_right(order, value) + 1) / 2 for value in values]


def spearman(a, b):
    a, b = ranks(a), ranks(b)
    middle = (len(a) + 1) / 2
    alike = sum((x - middle) * (y - middle) for x, y in zip(a, b))
    scale = math.sqrt(sum((x - middle) ** 2 for x in a) * sum((y - middle) ** 2 for y in b))
    return alike / scale if scale else None


def correlated(pairs):
    """Spearman's correlation over cases."""
    if len(pairs) < FEW:
        return Number(None)
    found = (spearman(*zip(*(pairs[i] for i in drawn))) for drawn in draws(len(pairs)))
    return drawn_number(spearman(*zip(*pairs)), [one for one in found if one is not None], len(pairs))


def table(head, rows):
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    return "\n".join(lines + ["| " + " | ".join(map(str, row)) + " |" for row in rows]) + "\n"
