# SPDX-License-Identifier: Apache-2.0
"""What the paper says of soft volumes and entropy, and whether it is seen here."""

from claims import claim
from findings_sizes import CONTROL, GROUPS, SOFT, less, usually, without_sign
from intervals import (
    FAILS,
    HOLDS,
    OPEN,
    OPPOSITE,
    above_zero,
    mean,
    part,
    percent,
    ratio,
    share,
    shown,
    within,
)
from tables import HEURISTIC, MINIMISER
from votes import Votes


def volumes(one):
    """Changes of soft volumes against the average, case by case."""
    return {m: one.changes(m, HEURISTIC, "soft_volume", "average") for m in (*SOFT, "staple")}


def soft_order(found):
    rows, statuses = [], {}
    for one in found:
        changes = volumes(one)
        beyond = [None if None in case else case[-1] - max(case[:-1]) for case in zip(*changes.values())]
        for name, parity, raters in one.parities():
            numbers = [mean(one.of_parity(values, parity)) for values in changes.values()]
            gaps = [gap for gap in one.of_parity(beyond, parity) if gap is not None]
            rows.append([name, raters, *map(percent, numbers), percent(mean(gaps)),
                         part(share(gap > 0 for gap in gaps))])  # fmt: skip
            statuses[name] = above_zero(mean(gaps))
    return claim(
        "STAPLE has the largest soft volume",
        'tab:6 and its text: "in general".',
        "Mean change of the soft volume against the average; how far STAPLE lies beyond the largest of the four in "
        "each case, of which the verdict is; and the share of cases in which it is the largest.",
        ["K", *changes, "staple beyond", "staple largest"],
        rows,
        statuses,
        files=["run/methods"],
        unit=GROUPS,
    )


def in_general(numbers):
    """Most of them above 0, or most below."""
    signs = [above_zero(number) for number in numbers]
    if None in signs:
        return None
    if signs.count(OPPOSITE) == len(signs):
        return OPPOSITE
    above, below = (2 * signs.count(sign) > len(signs) for sign in (HOLDS, OPPOSITE))
    return HOLDS if above else FAILS if below else OPEN


def average_smallest(found):
    rows, statuses = [], {}
    for one in found:
        changes = volumes(one)
        for name, parity, raters in one.parities():
            means = {m: mean(one.of_parity(values, parity)) for m, values in changes.items()}
            signs = [above_zero(number) for number in means.values()]
            least = min(means, key=lambda m: means[m].value)
            cases = [min(case) for case in one.of_parity(list(zip(*changes.values())), parity) if None not in case]
            rows.append([name, raters, signs.count(HOLDS), signs.count(OPPOSITE), f"{least}: {percent(means[least])}",
                         part(share(value > 0 for value in cases))])  # fmt: skip
            statuses[name] = in_general(means.values())
    return claim(
        "The average has the smallest soft volume",
        'tab:6 and its text: "in general"; there 3 of 20 changes are below 0.',
        "Of the four soft methods and `staple`, how many have a mean change against the average whose interval lies "
        "above 0, and below; they are in the table before. In general is taken as most of the five: the claim holds "
        "where three lie above 0, and does not where three lie below. Beside them are the smallest of the five, and "
        "the share of cases in which all five are larger than the average.",
        ["K", "above", "below", "smallest of five", "all five larger"],
        rows,
        statuses,
        files=["run/methods"],
        unit=GROUPS,
    )


def intermediate(found):
    rows, statuses = [], {}
    for one in found:
        changes = volumes(one)
        for name, parity, raters in one.parities():
            cases = one.of_parity(list(zip(*changes.values())), parity)
            between = [share(0 < case[i] < case[-1] for case in cases if None not in case) for i in range(len(SOFT))]
            rows.append([name, raters, *map(part, between)])
            statuses[name] = usually(*between)
    return claim(
        "Soft MACCHIatO is of intermediate volume between the average and STAPLE",
        'Conclusion: "usually larger than" mask averaging, "but smaller than those issued by STAPLE".',
        "Share of cases in which the soft volume is larger than that of the average and smaller than that of STAPLE. "
        "Usually is taken as more than half of the cases; the verdict needs all four methods.",
        ["K", *SOFT],
        rows,
        statuses,
        files=["run/methods"],
        unit=GROUPS,
    )


PAIRS = [("jaccard", "tanimoto"), ("jaccard", "soergel"), ("dice", "dice2"), ("dice", "dice1")]


def soft_less(found):
    rows, statuses = [], {}
    for one in found:
        soft = {m: without_sign(one.changes(m, HEURISTIC, "soft_volume", "average")) for m in SOFT}
        gaps = [less(without_sign(one.changes(hard)), soft[m]) for hard, m in PAIRS]
        control = less(without_sign(Votes(one.folder).changes(one.cases, CONTROL)), soft["tanimoto"])
        for name, parity, raters in one.parities():
            *numbers, beside = (mean(one.of_parity(values, parity)) for values in (*gaps, control))
            rows.append([name, raters, *map(percent, numbers), percent(beside)])
            statuses[name] = above_zero(*numbers)
    return claim(
        "Soft sizes vary less than hard ones",
        'Text of tab:6: "The variation of volumes is smaller for soft consensus than for hard consensus".',
        "|change of the hard size against the majority vote| less |change of the soft volume against the average|, "
        "mean over cases, in percentage points; the verdict needs all four. The control is the first of them with "
        "`local-majority`, ties in, in place of the majority vote.",
        ["K", *(f"{hard} less {soft}" for hard, soft in PAIRS), "control"],
        rows,
        statuses,
        files=["run/methods", "run-ties/methods"],
        unit=GROUPS,
    )


HIGH, LOW = ("tanimoto", "dice2"), ("soergel", "dice1")


def entropies(one, method, run=HEURISTIC):
    """In percent of the average's, case by case."""
    pairs = zip(one.column("entropy", method, run), one.column("entropy", "average"))
    return [100 * mine / theirs if theirs else None for mine, theirs in pairs]


def reach(one, method, parity):
    """From which to which entropy maps with the same LMSD go, all cases together."""
    average = one.of_parity(one.column("entropy", "average"), parity)
    ends = (one.of_parity(one.column(f"entropy_{end}", method, MINIMISER), parity) for end in ("low", "high"))
    return "{} to {} %".format(*(shown(100 * ratio(values, average).value, 2) for values in ends))


def entropy(found):
    rows, statuses = [], {}
    for one in found:
        of = {m: entropies(one, m) for m in (*HIGH, *LOW)}
        gaps = [None if None in case else min(case[:2]) - max(case[2:]) for case in zip(*of.values())]
        for name, parity, raters in one.parities():
            cells = [part(mean(one.of_parity(values, parity))) for values in of.values()]
            gap = mean(one.of_parity(gaps, parity))
            rows.append([name, raters, *cells, part(gap), *(reach(one, m, parity) for m in LOW)])
            statuses[name] = above_zero(gap)
    return claim(
        "Soft methods fall into two families by entropy",
        "tab:8: TJ and 2SD have 91 to 103 % of the average's, SJ and 1SD 9 to 30 %.",
        "In percent of the average's entropy. The minimum of SJ and 1SD is not unique: maps with the same LMSD reach "
        "from the first to the second number of the last two columns, so the entropy of these methods is a choice of "
        "the algorithm. The verdict asks whether the lower of TJ and 2SD lies above the higher of SJ and 1SD.",
        ["K", *HIGH, *LOW, "gap", *(f"{m}, all minimisers" for m in LOW)],
        rows,
        statuses,
        files=["run/methods", "run-group/methods"],
        unit=GROUPS,
    )


def similar_spread(found):
    rows, statuses = [], {}
    for one in found:
        of = [entropies(one, m, run) for m in HIGH for run in (HEURISTIC, MINIMISER)]
        for name, parity, raters in one.parities():
            numbers = [mean(one.of_parity(values, parity)) for values in of]
            rows.append([name, raters, *map(part, numbers)])
            statuses[name] = within(90, 110, numbers[0], numbers[2])
    return claim(
        "TJ and 2SD have a spread similar to the average's",
        "Text of tab:8, where they have 91 to 103 % of the average's entropy.",
        "In percent of the average's entropy. Similar is taken as within a tenth of it, about the paper's own range.",
        ["K", *(f"{m}{ending}" for m in HIGH for ending in ("", ", minimiser"))],
        rows,
        statuses,
        files=["run/methods", "run-group/methods"],
        unit=GROUPS,
    )


ALL = [soft_order, average_smallest, intermediate, soft_less, entropy, similar_spread]
