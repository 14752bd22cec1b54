# SPDX-License-Identifier: Apache-2.0
"""What the paper says of sizes, and whether it is seen here."""

import itertools

from claims import claim
from intervals import (
    FAILS,
    HOLDS,
    OPEN,
    OPPOSITE,
    above_zero,
    chance,
    mean,
    part,
    percent,
    share,
    shown,
    spearman,
    spread,
)
from tables import HEURISTIC, MINIMISER
from votes import Votes

SOFT = ["tanimoto", "soergel", "dice2", "dice1"]
CONTROL = ("local-majority", "run-ties")  # the vote of those present, ties in
GROUPS = "groups of cases"


def less(a, b):
    """Case by case, where both are defined."""
    return [None if x is None or y is None else x - y for x, y in zip(a, b)]


def without_sign(values):
    return [None if value is None else abs(value) for value in values]


def larger_than_majority(found):
    rows, statuses = [], {}
    for one in found:
        votes = Votes(one.folder)
        for name, parity, raters in one.parities():
            size = {(m, r): mean(one.of_parity(one.changes(m, r), parity))
                    for m in ("jaccard", "dice") for r in (HEURISTIC, MINIMISER)}  # fmt: skip
            control = mean(one.of_parity(votes.changes(one.cases, CONTROL), parity))
            rows.append([name, raters, *(percent(size[key]) for key in size), percent(control)])
            statuses[name] = above_zero(size["jaccard", HEURISTIC], size["dice", HEURISTIC])
    return claim(
        "Hard MACCHIatO is larger than the majority vote on average",
        'tab:5 and its text: "all methods lead to consensuses of larger size than MV"; +0.4 to +19 % for J.',
        "Mean change of size over cases, those with an odd and with an even number of raters K apart; `minimiser` is "
        "the true minimum of the same criterion. The control is the change of `jaccard` against `local-majority` with "
        "ties in, which asks only raters who drew something in a component: where it lies at or below 0, the vote is "
        'the reason and not the method. "Against which vote" has all controls.',
        ["K", "jaccard", "jaccard, minimiser", "dice", "dice, minimiser", "control"],
        rows,
        statuses,
        files=["run/methods", "run-group/methods", "run-ties/methods"],
        unit=GROUPS,
    )


def never_smaller(found):
    rows, together = [], {1: [], 0: []}
    for one in found:
        votes = Votes(one.folder)
        majority = one.column("voxels", "majority")
        seen = [[a >= b for a, b in zip(one.column("voxels", "jaccard", run), majority)]
                for run in (HEURISTIC, MINIMISER)]  # fmt: skip
        seen.append([change is None or change >= 0 for change in votes.changes(one.cases, CONTROL)])
        for name, parity, raters in one.parities():
            truths = [one.of_parity(values, parity) for values in seen]
            rows.append([name, raters, *(part(share(values)) for values in truths), len(truths[0])])
            together[parity].append(truths)
    statuses = {}
    for parity, groups in together.items():
        name = f"all cases ({'odd' if parity else 'even'} K)"
        every = [share(itertools.chain(*values)) for values in zip(*groups)]
        if every:
            rows.append([name, "", *map(part, every), every[0].cases])
            statuses[name] = HOLDS if every[0].low >= 95 else FAILS if every[0].high < 95 else OPEN
    return claim(
        "MACCHIatO-J is almost never smaller than the majority vote",
        "Discussion; tab:5 has it larger in 87.5 to 100 % of cases.",
        "Share of cases in which it is not smaller. Almost never is taken as at most one case in twenty: the claim "
        "holds where the interval lies above 95 %, and does not where it lies below. Single cohorts are too small for "
        "that, so that verdicts are of all cases together, with an odd and with an even number of raters apart: with "
        "an even one the vote leaves out its ties. The control is the share of cases in which `jaccard` is not smaller "
        "than `local-majority` with ties in.",
        ["K", "jaccard", "jaccard, minimiser", "control", "cases"],
        rows,
        statuses,
        files=["run/methods", "run-group/methods", "run-ties/methods"],
        unit=GROUPS,
    )


def staple_largest(found):
    rows, statuses = [], {}
    for one in found:
        theirs = one.changes("ml-staple")
        more = [less(theirs, one.changes(m)) for m in ("jaccard", "dice")]
        for name, parity, raters in one.parities():
            numbers = [mean(one.of_parity(values, parity)) for values in (theirs, *more)]
            rows.append([name, raters, *map(percent, numbers)])
            statuses[name] = above_zero(*numbers)
    return claim(
        "ML STAPLE is larger than the majority vote and MACCHIatO",
        'Discussion: "always have a larger size than both"; tab:5: +11 to +151 %.',
        "Mean change against the majority vote, and by how many percent of the majority vote it is larger than "
        "`jaccard` and `dice`.",
        ["K", "against majority", "beyond jaccard", "beyond dice"],
        rows,
        statuses,
        files=["run/methods"],
        unit=GROUPS,
    )


def soft_order(found):
    rows, statuses = [], {}
    for one in found:
        soft = [one.changes(m, HEURISTIC, "soft_volume", "average") for m in SOFT]
        staple = one.changes("staple", HEURISTIC, "soft_volume", "average")
        beyond = mean([None if s is None else s - max(others) for s, *others in zip(staple, *soft)])
        rows.append([one.name, *(percent(mean(values)) for values in soft), percent(mean(staple)), percent(beyond)])
        statuses[one.name] = above_zero(beyond)
    return claim(
        "STAPLE has the largest soft volume",
        'tab:6 and its text: "in general".',
        "Mean change of the soft volume against the average, and how far STAPLE lies beyond the largest of the four "
        "in each case.",
        [*SOFT, "staple", "staple beyond"],
        rows,
        statuses,
        files=["run/methods"],
    )


def average_smallest(found):
    rows, statuses = [], {}
    for one in found:
        changes = {m: one.changes(m, HEURISTIC, "soft_volume", "average") for m in [*SOFT, "staple"]}
        means = {m: mean(values) for m, values in changes.items()}
        signs = [above_zero(number) for number in means.values()]
        least = min(means, key=lambda m: means[m].value)
        cases = [min(values) for values in zip(*changes.values()) if None not in values]
        above, below = signs.count(HOLDS), signs.count(OPPOSITE)
        rows.append([one.name, above, below, f"{least}: {percent(means[least])}",
                     part(share(value > 0 for value in cases))])  # fmt: skip
        statuses[one.name] = HOLDS if 2 * above > len(signs) else OPPOSITE if 2 * below > len(signs) else OPEN
    return claim(
        "The average has the smallest soft volume",
        'tab:6 and its text: "in general"; there 3 of 20 changes are below 0.',
        "Of the four soft methods and `staple`, how many have a mean change against the average whose interval lies "
        "above 0, and below; they are in the table before. In general is taken as most of the five. Beside them are "
        "the smallest of the five, and the share of cases in which all five are larger than the average.",
        ["above", "below", "smallest of five", "all five larger"],
        rows,
        statuses,
        files=["run/methods"],
    )


def no_order(found):
    rows, gaps = [], []
    for one in found:
        gap = mean(less(*map(one.changes, ("jaccard", "dice"))))
        gaps.append(gap)
        pairs = list(zip(*(one.column("voxels", m) for m in ("jaccard", "dice"))))
        larger = (share(j > d for j, d in pairs), share(j < d for j, d in pairs))
        rows.append([one.name, percent(gap), *map(part, larger)])
    signs = {above_zero(gap) for gap in gaps}
    status = HOLDS if {HOLDS, OPPOSITE} <= signs else FAILS if len(signs) == 1 and OPEN not in signs else OPEN
    return claim(
        "MACCHIatO-J and -D have similar sizes without a clear order",
        "Text of tab:5; J is larger in three of its four rows.",
        "Size of `jaccard` less that of `dice` in percent of the majority vote, mean over cases, and in how many "
        "cases one is larger. The claim is about datasets, and so is the verdict: it holds where intervals of some "
        "cohorts lie above 0 and those of others below, and does not where all lie on one side.",
        ["jaccard less dice", "jaccard larger", "dice larger"],
        [*rows, ["over cohorts", "", "", ""]],
        {"over cohorts": status},
        files=["run/methods"],
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


def disagreement(found):
    rows, apart, moved = [], [], ([], [])
    for one in found:
        values = one.disagreement()
        sizes = [without_sign(one.changes("jaccard")), without_sign(Votes(one.folder).changes(one.cases, CONTROL))]
        both = [[pair for pair in zip(values, changes) if None not in pair] for changes in sizes]
        apart.append(mean(values).value)
        cells = []
        for pairs, so_far in zip(both, moved):
            so_far.append(mean([s for _, s in pairs]).value)
            cells.append(percent(mean([s for _, s in pairs])))
        within = spearman(*zip(*both[0])) if len(both[0]) > 5 else None
        rows.append([one.name, spread(mean(values)), *cells, shown(within, 2)])
    rhos = [(spearman(apart, changes), chance(apart, changes)) for changes in moved]
    rho, p = rhos[0]
    status = {"over cohorts": HOLDS if rho > 0 and p < 0.05 else OPEN if rho > 0 else OPPOSITE}
    shares = (f"ρ = {rho:.2f}, p {'< 0.001' if p < 0.001 else f'= {p:.3f}'}" for rho, p in rhos)
    rows.append(["over cohorts", "", *shares, ""])
    return claim(
        "Sizes change more where raters disagree more",
        'Discussion: the size variation on a dataset "seems to be correlated with its inter-rater variability".',
        "The claim is about datasets, and so is the verdict (Spearman's ρ over cohorts, one-sided permutation test). "
        "Disagreement is one less the positive agreement, the change that of `jaccard` against the majority vote, "
        "without sign; the control is its change against `local-majority` with ties in. ρ inside cohorts is beside.",
        ["disagreement", "change", "control", "ρ inside"],
        rows,
        status,
        files=["run/cases", "run/methods", "run-ties/methods"],
    )


def slices(found):
    rows = []
    for one in found:
        if one.has("jaccard", "run-slices"):
            rows.append([one.name, *(percent(mean(one.changes("jaccard", r))) for r in (HEURISTIC, "run-slices"))])
    return claim(
        "2.5D and 3-D",
        "tab:10.",
        "The paper shows sizes and claims nothing about them, so there is no verdict. `jaccard` against the majority "
        "vote.",
        ["3-D", "2.5D"],
        rows,
        files=["run/methods", "run-slices/methods"],
    )


ALL = [larger_than_majority, never_smaller, no_order, staple_largest, soft_order, average_smallest, soft_less,
       disagreement, slices]  # fmt: skip
