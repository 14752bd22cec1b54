# SPDX-License-Identifier: Apache-2.0
"""What the paper says of single voxels, of components, and of the background and STAPLE's prior."""

from claims import claim
from intervals import FAILS, HOLDS, above_zero, change, mean, part, percent, ratio, share, share_of, shown, spread
from tables import HEURISTIC, number, read

MACCHIATO = ["jaccard", "dice", "tanimoto", "soergel", "dice2", "dice1"]


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
    """How many of its raters drew each component, and which methods kept it."""
    found = {}
    for row in read(one.folder / HEURISTIC / "component_raters.csv"):
        found.setdefault((row["case"], row["component"]), [{}, {}])[0][row["rater"]] = row["present"] == "true"
    for row in read(one.folder / HEURISTIC / "components.csv"):
        found[row["case"], row["component"]][1][row["method"]] = row["kept"] == "true"
    return found.values()


def fewer_than_half(found):
    rows, statuses = [], {}
    for one in found:
        groups = {"fewer": [], "half": [], "more": []}
        for present, kept in components(one):
            twice = 2 * sum(present.values())
            which = "fewer" if twice < len(present) else "half" if twice == len(present) else "more"
            groups[which].append(kept)
        row, kept_any = [one.name], 0
        for which, several in groups.items():
            kept = {m: sum(one[m] for one in several) for m in ("jaccard", "dice", "majority")}
            row += [len(several), *(part(share_of(kept[m], len(several))) for m in kept)]
            kept_any += kept["jaccard"] + kept["dice"] if which == "fewer" else 0
        rows.append(row)
        if groups["fewer"]:
            statuses[one.name] = FAILS if kept_any else HOLDS
    head = [cell for which in ("fewer than half", "half", "more than half")
            for cell in (f"drawn by {which}", "jaccard", "dice", "majority")]  # fmt: skip
    return claim(
        "A component that fewer than half of the raters drew is left out",
        "Section 3.3.",
        "Components of the union by how many of the raters drew something there, and how many of them each method "
        "keeps. Follows from the criterion; the verdict needs every one. Where no component is so, there is none.",
        head,
        rows,
        statuses,
        files=["run/components", "run/component_raters"],
    )


def background_free(found):
    rows, statuses = [], {}
    for one in found:
        moved = {m: max(abs(number(row["against_box_pct"]) or 0) for row in one.tables["fig_1a"] if row["method"] == m)
                 for m in (*MACCHIATO, "staple w=mean", "ml-staple")}  # fmt: skip
        ours = max(moved[m] for m in MACCHIATO)
        rows.append([one.name, *(f"{change(value)} %" for value in (ours, moved["staple w=mean"], moved["ml-staple"]))])
        statuses[one.name] = HOLDS if ours == 0 else FAILS
    return claim(
        "MACCHIatO does not depend on the size of the background",
        "Abstract and section 3.1.",
        "The largest mean change of the soft volume against that in the raters' box, over all image sizes up to a "
        "hundredfold background: the largest of the six methods, and STAPLE's beside it.",
        ["MACCHIatO", "staple w=mean", "ml-staple"],
        rows,
        statuses,
        files=["tables/fig_1a"],
    )


def prior_order(found):
    rows, statuses = [], {}
    for one in found:
        half, middle = (one.column("soft_volume", "staple", run) for run in ("run-half", HEURISTIC))
        gap = mean([100 * (h / m - 1) if h is not None and m else None for h, m in zip(half, middle)])
        first, second = (number(one.curve(f"staple w={w}", "image")["soft_volume"]) for w in ("mean", "mean²"))
        rows.append([one.name, percent(gap), f"{change(100 * (second / first - 1))} %"])
        statuses[one.name] = above_zero(gap)
    return claim(
        "The larger the exponent of STAPLE's prior, the smaller the consensus",
        "Section 2.2, fig:1b.",
        "Soft volume on the whole image with w = 1/2 (α = 0) against the mean share (α = 1), mean over cases, of which "
        "the verdict is; and with its square (α = 2) against α = 1, of the mean volumes.",
        ["α = 0 against 1", "α = 2 against 1"],
        rows,
        statuses,
        files=["run/methods", "run-half/methods", "tables/fig_1a"],
    )


ALL = [minority_voxels, fewer_than_half, background_free, prior_order]
