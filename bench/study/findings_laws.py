# SPDX-License-Identifier: Apache-2.0
"""What the paper says of single voxels and of components."""

from claims import claim
from intervals import FAILS, HOLDS, part, ratio, share, shown, spread
from tables import HEURISTIC, number, read


def outside(one, run, inner, outer):
    """Voxels of the one that the other lacks, and all of the one, case by case."""
    found = []
    for row in one.pairs(run):
        for mine, theirs in ("ab", "ba"):
            if (row[f"method_{mine}"], row[f"method_{theirs}"]) == (inner, outer):
                size = number(row[f"voxels_{mine}"])
                found.append((size - number(row["common_voxels"]), size))
    return found


def pooled_share(pairs):
    """All cases together, in percent."""
    return spread(ratio(*zip(*pairs), lambda value: 100 * value), lambda value: shown(value, 2), " %")


def minority_voxels(found):
    rows, statuses = [], {}
    for one in found:
        cells, seen = [], 0
        for method in ("jaccard", "dice"):
            pairs = outside(one, "run-ties", method, "majority")
            seen += sum(extra > 0 for extra, _ in pairs)
            cells += [part(share(extra > 0 for extra, _ in pairs)), pooled_share(pairs)]
        lacking = outside(one, "run-votes", "majority", "jaccard")
        rows.append([one.name, *cells, pooled_share(lacking)])
        statuses[one.name] = HOLDS if seen else FAILS
    return claim(
        "MACCHIatO may include voxels that fewer than half of the raters drew",
        "Discussion, figs. 3 and 6: the paper's reason for the larger sizes.",
        "Share of cases with such voxels, and their share of the consensus, all cases together, with ties in: half of "
        "the raters are not fewer than half. Beside them is what goes the other way: the share of the majority vote, "
        "ties out, that `jaccard` leaves out. It holds where any case has such voxels.",
        ["jaccard: cases", "of its voxels", "dice: cases", "of its voxels", "majority without jaccard"],
        rows,
        statuses,
        files=["run-ties/method_pairs", "run-votes/method_pairs"],
    )


def components(one):
    """How many of its raters drew each component, and which methods kept it, case by case."""
    found = {}
    for row in read(one.folder / HEURISTIC / "component_raters.csv"):
        found.setdefault((row["case"], row["component"]), [{}, {}])[0][row["rater"]] = row["present"] == "true"
    for row in read(one.folder / HEURISTIC / "components.csv"):
        found[row["case"], row["component"]][1][row["method"]] = row["kept"] == "true"
    cases = {}
    for (case, _), component in found.items():
        cases.setdefault(case, []).append(component)
    return cases.values()


def how_many(present):
    twice = 2 * sum(present.values())
    return "fewer" if twice < len(present) else "half" if twice == len(present) else "more"


def fewer_than_half(found):
    rows, statuses = [], {}
    for one in found:
        cases, row = components(one), [one.name]
        for which in ("fewer", "half", "more"):
            groups = [[kept for present, kept in case if how_many(present) == which] for case in cases]
            every = [len(group) for group in groups]
            kept = {m: [sum(each[m] for each in group) for group in groups] for m in ("jaccard", "dice", "majority")}
            shares = [ratio(kept[m], every, lambda value: 100 * value) if sum(every) else None for m in kept]
            row += [sum(every), *("–" if number is None else part(number) for number in shares)]
            if which == "fewer" and sum(every):
                statuses[one.name] = FAILS if sum(kept["jaccard"]) + sum(kept["dice"]) else HOLDS
        rows.append(row)
    head = [cell for which in ("fewer than half", "half", "more than half")
            for cell in (f"drawn by {which}", "jaccard", "dice", "majority")]  # fmt: skip
    return claim(
        "A component that fewer than half of the raters drew is left out",
        "Section 3.3.",
        "Components of the union by how many of the raters drew something there, and how many of them each method "
        "keeps; intervals are over cases, as components of one case are not independent. Follows from the criterion; "
        "the verdict needs every one. Where no component is so, there is none.",
        head,
        rows,
        statuses,
        files=["run/components", "run/component_raters"],
    )


ALL = [minority_voxels, fewer_than_half]
