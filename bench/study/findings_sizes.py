# SPDX-License-Identifier: Apache-2.0
"""What the paper says of sizes of hard consensuses, and whether it is seen here."""

import itertools

from claims import claim
from intervals import (
    FAILS,
    FEW,
    HOLDS,
    OPEN,
    OPPOSITE,
    above_zero,
    correlated,
    mean,
    part,
    percent,
    share,
    shown,
    spearman,
    spread,
    within,
)
from tables import HEURISTIC, MINIMISER
from votes import Votes

CONTROL = ("local-majority", "run-ties")  # the vote of those present, ties in
GROUPS = "groups of cases"
SOFT = ["tanimoto", "soergel", "dice2", "dice1"]


def less(a, b):
    """Case by case, where both are defined."""
    return [None if x is None or y is None else x - y for x, y in zip(a, b)]


def without_sign(values):
    return [None if value is None else abs(value) for value in values]


def usually(*shares):
    """In more than half of the cases."""
    return within(50, 100, *shares)


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
            statuses[name] = within(95, 100, every[0])
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


SIMILAR = 5  # percentage points


def no_order(found):
    rows, gaps, statuses = [], [], {}
    for one in found:
        all_gaps = less(*map(one.changes, ("jaccard", "dice")))
        gaps.append(mean(all_gaps))
        pairs = list(zip(*(one.column("voxels", m) for m in ("jaccard", "dice"))))
        for name, parity, raters in one.parities():
            gap, sizes = mean(one.of_parity(all_gaps, parity)), one.of_parity(pairs, parity)
            rows.append([name, raters, percent(gap), part(share(j > d for j, d in sizes)),
                         part(share(j < d for j, d in sizes))])  # fmt: skip
            statuses[name] = within(-SIMILAR, SIMILAR, gap)
    signs = {above_zero(gap) for gap in gaps} - {None}
    order = HOLDS if {HOLDS, OPPOSITE} <= signs else FAILS if len(signs) == 1 and OPEN not in signs else OPEN
    statuses["order of cohorts"] = order
    return claim(
        "MACCHIatO-J and -D have similar sizes without a clear order",
        "Text of tab:5; J is larger in three of its four rows, by 3 percentage points at most.",
        "Size of `jaccard` less that of `dice` in percent of the majority vote, mean over cases, and in how many "
        f"cases one is larger. Two verdicts: sizes are similar where the interval lies within {SIMILAR} percentage "
        "points, a limit of ours. And of whole cohorts, in the last row: there is no clear order where some "
        "intervals lie above 0 and others below, and there is one where all lie on one side.",
        ["K", "jaccard less dice", "jaccard larger", "dice larger"],
        [*rows, ["order of cohorts", "", "", "", ""]],
        statuses,
        files=["run/methods"],
        unit="rows",
    )


def staple_largest(found):
    rows, statuses = [], {}
    others = ("majority", "jaccard", "dice")
    for one in found:
        sizes = list(zip(*(one.column("voxels", m) for m in ("ml-staple", *others))))
        theirs = one.changes("ml-staple")
        for name, parity, raters in one.parities():
            cases = one.of_parity(sizes, parity)
            larger = [share(case[0] > case[i] for case in cases) for i in (1, 2, 3)]
            smaller = [share(case[0] < case[i] for case in cases) for i in (1, 2, 3)]
            every = share(case[0] > max(case[1:]) for case in cases)
            cells = [f"{part(a)}; {part(b)}" for a, b in zip(larger, smaller)]
            rows.append([name, raters, percent(mean(one.of_parity(theirs, parity))), *cells, part(every), len(cases)])
            statuses[name] = None if len(cases) < FEW else HOLDS if every.value == 100 else FAILS
    return claim(
        "ML STAPLE is larger than the majority vote and MACCHIatO",
        'Discussion: "always have a larger size than both"; tab:5: +11 to +151 %, larger than the vote in 100 % of '
        "cases.",
        "Mean change against the majority vote; shares of cases in which ML STAPLE is larger; smaller than each of the "
        "others, and larger than all three. Always is every case: the claim does not hold where it is not larger than "
        "all three in one of them. Where it holds, the interval says how rare exceptions can be.",
        ["K", "against majority", *(f"than {m}: larger; smaller" for m in others), "larger than all", "cases"],
        rows,
        statuses,
        files=["run/methods"],
        unit=GROUPS,
    )


def intermediate(found):
    rows, statuses = [], {}
    for one in found:
        low, high = one.column("voxels", "majority"), one.column("voxels", "ml-staple")
        middle = {(m, r): list(zip(low, one.column("voxels", m, r), high))
                  for m in ("jaccard", "dice") for r in (HEURISTIC, MINIMISER)}  # fmt: skip
        for name, parity, raters in one.parities():
            parts = {key: one.of_parity(values, parity) for key, values in middle.items()}
            strict = {key: share(a < b < c for a, b, c in cases) for key, cases in parts.items()}
            at_least = [share(a <= b <= c for a, b, c in parts[m, HEURISTIC]) for m in ("jaccard", "dice")]
            rows.append([name, raters, *map(part, strict.values()), *map(part, at_least)])
            statuses[name] = usually(strict["jaccard", HEURISTIC], strict["dice", HEURISTIC])
    return claim(
        "Hard MACCHIatO is of intermediate size between the majority vote and ML STAPLE",
        'Abstract, introduction; conclusion: "usually larger than those generated by the majority voting" and "smaller '
        'than those issued by STAPLE".',
        "Share of cases in which a consensus is larger than the majority vote and smaller than ML STAPLE, and in which "
        "it is neither smaller than the one nor larger than the other. Usually is taken as more than half of the "
        "cases: the claim holds where both shares of larger and smaller lie above 50 %, intervals and all, and does "
        "not where one lies below. With an even number of raters the vote leaves out its ties.",
        [
            "K",
            *(f"{m}{', minimiser' if r == MINIMISER else ''}" for m, r in middle),
            "jaccard, or equal",
            "dice, or equal",
        ],
        rows,
        statuses,
        files=["run/methods", "run-group/methods"],
        unit=GROUPS,
    )


def disagreement(found):
    rows, overall = [], []
    for one in found:
        values = one.disagreement()
        changes = [without_sign(one.changes("jaccard")), without_sign(Votes(one.folder).changes(one.cases, CONTROL))]
        overall.append([mean(several).value for several in (values, *changes)])
        for name, parity, raters in one.parities():
            parts = [one.of_parity(several, parity) for several in (values, *changes)]
            inside = [correlated([pair for pair in zip(parts[0], some) if None not in pair]) for some in parts[1:]]
            rows.append([name, raters, spread(mean(parts[0])), *(percent(mean(some)) for some in parts[1:]),
                         *(spread(rho, lambda value: f"{value:+.2f}") for rho in inside)])  # fmt: skip
    apart, *moved = zip(*overall)
    rhos = [f"ρ = {shown(spearman(apart, several), 2)}" for several in moved]
    rows.append(["over cohorts", "", "", *rhos, "", ""])
    return claim(
        "Sizes change more where raters disagree more",
        'Discussion: the size variation on a dataset "seems to be correlated with its inter-rater variability".',
        "The claim is about datasets. Here five of them are phantoms, whose disagreement is chosen, and three real "
        "cohorts are too few for a correlation: there is no verdict. Disagreement is one less the positive agreement, "
        "the change that of `jaccard` against the majority vote, without sign; the control is its change against "
        "`local-majority` with ties in. The last row is Spearman's ρ over all cohorts; the last columns are ρ over "
        "the cases of one, of the change and of the control, which is another question.",
        ["K", "disagreement", "change", "control", "ρ inside", "ρ inside, control"],
        rows,
        files=["run/cases", "run/methods", "run-ties/methods"],
    )


def largest_differences(found):
    rows = []
    for one in found:
        kinds = {"hard": [one.changes(m) for m in ("jaccard", "dice", "ml-staple")],
                 "soft": [one.changes(m, HEURISTIC, "soft_volume", "average") for m in (*SOFT, "staple")]}  # fmt: skip
        row = [one.name, one.dataset or ""]
        for several in kinds.values():
            cases = [None if None in case else sum(map(abs, case)) / len(case) for case in zip(*several)]
            row.append(percent(mean(cases)))
        rows.append(row)
    return claim(
        "The largest differences are seen on MSSEG, followed by SCGM-GM",
        "Text of tab:6, of both hard and soft consensuses.",
        "A statement about these datasets. Phantoms in their place have a disagreement that is chosen, so there is no "
        "verdict. Change of size without sign, mean over methods and cases: `jaccard`, `dice` and `ml-staple` against "
        "the majority vote, and the soft volume of the four soft methods and `staple` against the average.",
        ["in place of", "hard", "soft"],
        rows,
        files=["run/methods"],
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


ALL = [intermediate, larger_than_majority, never_smaller, no_order, staple_largest, disagreement, largest_differences,
       slices]  # fmt: skip
