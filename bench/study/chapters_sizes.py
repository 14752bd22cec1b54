# SPDX-License-Identifier: Apache-2.0
"""tab:5, tab:6, tab:8 and tab:10: sizes and entropy."""

import paper
from intervals import mean, part, percent, share, shown, spread, table
from rows import BOTH, HARD, SOFT, named, theirs, title
from tables import HEURISTIC, MINIMISER


def hard_sizes(found):
    rows = []
    for one in found:
        for method, run in [*HARD[2:], HARD[0]]:
            if not one.has(method, run):
                continue
            printed = paper.TAB_5.get(one.dataset, {}).get(method) if run == HEURISTIC else None
            size, larger = printed or (None, None)
            values = one.changes(method, run)
            majority = one.column("voxels", "majority")
            pairs = list(zip(one.column("voxels", method, run), majority))
            rows.append(
                [
                    one.name,
                    named(method, run),
                    percent(mean(values)),
                    theirs(size, " %"),
                    percent(one.pooled(method, run)),
                    part(share(a > b for a, b in pairs)),
                    theirs(larger, " %"),
                    part(share(a >= b for a, b in pairs)),
                    mean(values).cases,
                ]
            )
    head = ["cohort", "method", "mean change", "paper", "pooled", "larger", "paper", "not smaller", "cases"]
    return title("tab:5", "sizes of hard consensuses against the majority vote") + table(head, rows)


FAR = (1, 5, 20)  # percent


def from_minimiser(found):
    rows = []
    for one in found:
        for method in ("jaccard", "dice"):
            mine, least = one.column("voxels", method), one.column("voxels", method, MINIMISER)
            off = [100 * abs(a / b - 1) if b else (0 if a == b else 100) for a, b in zip(mine, least)]
            shares = (part(share(value > far for value in off)) for far in FAR)
            rows.append([one.name, method, spread(mean(off), unit=" %"), f"{shown(max(off))} %", *shares, len(off)])
    head = ["cohort", "method", "mean", "largest", *(f"more than {far} %" for far in FAR), "cases"]
    text = "Sizes of its results against those of the minimiser, without sign, and how many cases are far.\n\n"
    return title("minimiser", "how far the heuristic's size is from it") + text + table(head, rows)


def soft_sizes(found):
    rows = []
    for one in found:
        for method in [*SOFT, "staple"]:
            for run in BOTH if method != "staple" else [HEURISTIC]:
                rows.append(soft_row(one, method, run))
    head = ["cohort", "method", "soft volume", "without empty test", "paper", "larger", "paper", "thresholded", "paper",
            "larger", "paper", "range of thresholded", "cases"]  # fmt: skip
    return title("tab:6", "mean changes of soft consensuses against the average, and shares of cases") + table(
        head, rows
    )


def soft_row(one, method, run):
    first = run == HEURISTIC
    sizes = paper.TAB_6.get(one.dataset, {}).get(method, (None, None)) if first else (None, None)
    shares = paper.TAB_6_LARGER.get(one.dataset, {}).get(method, (None, None)) if first else (None, None)
    row = [one.name, named(method, run)]
    for column, size, larger in zip(("soft_volume", "voxels"), sizes, shares):
        values = one.changes(method, run, column, "average")
        row.append(percent(mean(values)))
        if column == "soft_volume":
            without = first and one.has(method, "run-no-empty-test")
            other = one.changes(method, "run-no-empty-test", column, "average") if without else []
            row.append(percent(mean(other)) if without else "")
        pairs = zip(one.column(column, method, run), one.column(column, "average"))
        row += [theirs(size, " %"), part(share(a > b * (1 + 1e-9) for a, b in pairs)), theirs(larger, " %")]
    return [*row, sizes_reach(one, method, run), len(one.cases)]


def sizes_reach(one, method, run):
    """Mean changes of the thresholded size of the smallest and the largest maps with the same LMSD."""
    ends = [mean(one.changes(method, run, f"voxels_{end}", "average", "voxels")) for end in ("low", "high")]
    return "–" if ends[0].value is None else " to ".join(map(percent, ends))


def entropies(found):
    rows = []
    for one in found:
        printed = paper.TAB_8.get(one.dataset, {})
        average = one.column("entropy", "average")
        rows.append([one.name, "average", spread(mean(average)), "", "", theirs(printed.get("average")),
                     spread(mean(one.column("voxels", "average")), lambda v: shown(v, 4)), ""])  # fmt: skip
        for method in SOFT:
            for run in BOTH:
                rows.append(entropy_row(one, method, run, average, printed if run == HEURISTIC else {}))
    head = ["cohort", "method", "entropy, nats", "of the average's", "range of entropy", "paper",
            "thresholded size", "its range"]  # fmt: skip
    return title("tab:8", "mean entropy, and what maps with the same LMSD may have instead") + table(head, rows)


def entropy_row(one, method, run, average, printed):
    values = one.column("entropy", method, run)
    of_average = mean([100 * v / a if a else None for v, a in zip(values, average)])
    reach = [mean(one.column(f"entropy_{end}", method, run)) for end in ("low", "high")]
    size, *ends = (spread(mean(one.column(name, method, run)), lambda v: shown(v, 4))
                   for name in ("voxels", "voxels_low", "voxels_high"))  # fmt: skip
    open_range = reach[0].value is not None
    return [
        one.name,
        named(method, run),
        spread(mean(values)),
        part(of_average),
        " to ".join(map(spread, reach)) if open_range else "–",
        theirs(printed.get(method)),
        size,
        " to ".join(ends) if open_range else "–",
    ]


def slices(found):
    rows = []
    for one in found:
        for method in ("jaccard", "dice"):
            if not one.has(method, "run-slices"):
                continue
            printed = paper.TAB_10.get(one.dataset, {}).get(method, (None,) * 4)
            pairs = list(zip(one.column("voxels", method), one.column("voxels", method, "run-slices")))
            rows.append(
                [
                    one.name,
                    method,
                    percent(mean(one.changes(method))),
                    theirs(printed[0], " %"),
                    percent(mean(one.changes(method, "run-slices"))),
                    theirs(printed[1], " %"),
                    part(share(a > b for a, b in pairs)),
                    theirs(printed[2], " %"),
                    part(share(a < b for a, b in pairs)),
                    theirs(printed[3], " %"),
                    len(pairs),
                ]
            )
    head = ["cohort", "method", "3-D against majority", "paper", "2.5D against majority", "paper", "3-D larger",
            "paper", "3-D smaller", "paper", "cases"]  # fmt: skip
    return title("tab:10", "slice by slice (2.5D) against 3-D") + table(head, rows)
