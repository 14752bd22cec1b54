# SPDX-License-Identifier: Apache-2.0
"""What the paper says of everything but sizes, and whether it is seen here."""

import findings_laws
import findings_scores
import findings_sizes
from chapters import excess
from claims import claim
from intervals import (
    FAILS,
    HOLDS,
    OPEN,
    OPPOSITE,
    ROUNDING,
    above_zero,
    below_zero,
    mean,
    part,
    percent,
    point,
    ratio,
    share_of,
    shown,
    spread,
)
from tables import HEURISTIC, MINIMISER, number

SOFT = findings_sizes.SOFT


def union(found):
    rows, statuses = [], {}
    for one in found:
        row = one.curve("ml-staple")
        cases = int(row["cases"])
        whole = share_of(round(number(row["is_union_pct"]) * cases / 100), cases)
        rows.append([one.name, part(whole), part(point(row, "of_union", "of_union_pct")), cases])
        statuses[one.name] = HOLDS if whole.value == 100 else FAILS
    return claim(
        "ML STAPLE tends to the union when the background grows",
        "Section 2.2 and appendix, as a limit.",
        "Not where a rater's sensitivity is 1, who vetoes all that it left out. Share of cases in which it is the "
        "union with a hundredfold background, and how much of the union it has; the verdict needs all cases.",
        ["is the union", "of the union", "cases"],
        rows,
        statuses,
        files=["tables/fig_1a"],
    )


def same_as_majority(one, method):
    """Cases in which the result is the majority vote voxel by voxel, of all, by the parity of the number of raters."""
    raters = {row["case"]: int(row["raters"]) for row in one.cases}
    found = {1: [0, 0], 0: [0, 0]}
    for row in one.pairs():
        if {row["method_a"], row["method_b"]} == {"majority", method}:
            count = found[raters[row["case"]] % 2]
            count[0] += row["voxels_a"] == row["voxels_b"] == row["common_voxels"]
            count[1] += 1
    return found


def accuracy(found):
    rows, statuses = [], {}
    for one in found:
        same = {m: same_as_majority(one, m) for m in ("ml-common", "common", "ml-accuracy", "accuracy")}
        moved = [abs(number(one.curve(m)["against_box_pct"]) or 0) for m in ("ml-common", "ml-accuracy")]
        for name, parity, raters in one.parities():
            cells = ["{} of {}".format(*counts[parity]) for counts in same.values()]
            rows.append([name, raters, *cells, *(f"{shown(value)} %" for value in moved)])
            equal, total = same["ml-accuracy"][parity]
            # A size that moves may be that of the cases with ties.
            free = HOLDS if moved[1] < ROUNDING else FAILS if name == one.name else OPEN
            statuses[name] = None if parity == 0 else free if equal == total else FAILS
    return claim(
        "p = q is the majority vote, and free of the background",
        "Section 2.2.2.",
        "Only with one γ for all raters (`common`); with γₖ (`accuracy`), of which the verdict is, it is a weighted "
        "vote. Cases in which the result is the majority vote voxel by voxel, and by how much its size moves from the "
        "box to a hundredfold background in the whole cohort. With an even number of raters weights break the ties, "
        "of which the paper says nothing: no verdict there.",
        ["K", "ml-common", "common", "ml-accuracy", "accuracy", "ml-common moves", "ml-accuracy moves"],
        rows,
        statuses,
        files=["run/method_pairs", "tables/fig_1a"],
        unit="groups of cases",
    )


def constant_prior(found):
    rows = []
    for one in found:
        near, wide = one.curve("staple w=1/2", "box"), one.curve("staple w=1/2")
        of_image = number(wide["soft_volume"]) / number(wide["image_voxels"])
        rows.append([one.name, spread(point(near, "soft_volume")) if near else "–", shown(of_image)])
    return claim(
        "With a constant prior the background tends to the prior",
        "Not said by the paper, which looks at the union alone: no verdict.",
        "Soft volume of `staple` with w = 1/2 in the box, and as a share of the image with a hundredfold background.",
        ["volume, box", "of the image"],
        rows,
        files=["tables/fig_1a"],
    )


def crowns(found):
    rows, statuses = [], {}
    for one in found:
        runs = [run for run in (HEURISTIC, "run-crown", "run-voxel", MINIMISER) if one.has("tanimoto", run)]
        over = {run: mean(excess(one, "tanimoto", run, runs)) for run in runs}
        rows.append([one.name, *(percent(over[run]) for run in ("run-crown", HEURISTIC, MINIMISER)),
                     percent(over["run-voxel"]) if "run-voxel" in over else "–"])  # fmt: skip
        statuses[one.name] = above_zero(over["run-crown"])
    return claim(
        "Blocks of crowns give the highest criterion",
        "tab:1: 16.50 against 16.36, 0.0126 against 0.0124, 0.00622 against 0.00598.",
        "Mean excess of the LMSD of `tanimoto` over the least of all blocks.",
        ["crown", "subcrown", "group", "voxel"],
        rows,
        statuses,
        files=["run/methods", "run-crown/methods", "run-voxel/methods", "run-group/methods"],
    )


def voxels(found):
    rows, statuses = [], {}
    for one in found:
        if not one.has("tanimoto", "run-voxel"):
            continue
        sub, voxel = one.lmsd("tanimoto"), one.lmsd("tanimoto", "run-voxel")
        gap = mean([0.0 if abs(v - s) <= 1e-9 * s else 100 * (v / s - 1) for s, v in zip(sub, voxel) if s > 0])
        rows.append([one.name, *(spread(mean(values), lambda v: shown(v, 5)) for values in (sub, voxel)), percent(gap)])
        statuses[one.name] = FAILS if gap.value == 0 else above_zero(gap)
    return claim(
        "Subcrowns reach a lower criterion than voxels",
        'tab:1, Prostate 2D: 0.00598 and 0.00610, "surprisingly".',
        "With exact steps both reach the same: the difference is one of the optimiser's tolerance. Mean LMSD of "
        "`tanimoto`, and the excess of voxels over subcrowns.",
        ["subcrown", "voxel", "excess"],
        rows,
        statuses,
        files=["run/methods", "run-voxel/methods"],
    )


def entropy(found):
    rows, statuses = [], {}
    for one in found:
        average = one.column("entropy", "average")
        of = {(m, r): [100 * v / a if a else None for v, a in zip(one.column("entropy", m, r), average)]
              for m in SOFT for r in (HEURISTIC, MINIMISER)}  # fmt: skip
        columns = zip(*(of[m, HEURISTIC] for m in ("tanimoto", "dice2", "soergel", "dice1")))
        gap = mean([None if t is None else min(t, d) - max(s, e) for t, d, s, e in columns])
        cells = [part(mean(of[m, HEURISTIC])) for m in ("tanimoto", "dice2", "soergel", "dice1")]
        reach = [
            "{} to {} %".format(*(shown(100 * ratio(one.column(f"entropy_{end}", m, MINIMISER), average).value, 2)
                                  for end in ("low", "high")))
            for m in ("soergel", "dice1")
        ]  # fmt: skip
        rows.append([one.name, *cells, *reach])
        statuses[one.name] = above_zero(gap)
    return claim(
        "Soft methods fall into two families by entropy",
        "tab:8: TJ and 2SD have 91 to 103 % of the average's, SJ and 1SD 9 to 30 %.",
        "In percent of the average's entropy. The minimum of SJ and 1SD is not unique: maps with the same LMSD reach "
        "from the first to the second number of the last two columns, so the entropy of these methods is a choice of "
        "the algorithm. The verdict asks whether each of TJ and 2SD lies above each of SJ and 1SD.",
        ["tanimoto", "dice2", "soergel", "dice1", "soergel, all minimisers", "dice1, all minimisers"],
        rows,
        statuses,
        files=["run/methods", "run-group/methods"],
    )


def shape(found):
    rows, statuses = [], {}
    variants = [("majority", HEURISTIC), *((m, r) for m in ("jaccard", "dice") for r in (HEURISTIC, MINIMISER))]
    for one in found:
        per = [ratio(one.column("parts", m, r), one.column("kept", m, r)) for m, r in variants]
        alone = [sum(one.column("isolated", m, r)) for m, r in variants]
        rows.append([one.name, *(f"{spread(p, lambda v: f'{v:.3f}')}, {a:.0f}" for p, a in zip(per, alone))])
        fewer = [
            mean([b - a for a, b in zip(one.column("isolated", m), one.column("isolated", "majority"))])
            for m in ("jaccard", "dice")
        ]
        statuses[one.name] = above_zero(*fewer) if sum(alone) else None
    return claim(
        "MACCHIatO avoids isolated voxels",
        'Section 3: "maximally connected to avoid isolated voxels", which the majority vote may have.',
        "Connected parts per kept component, and parts of a single voxel in all cases together. The verdict is about "
        "single voxels per case, fewer than in the majority vote, where there are any.",
        ["majority", "jaccard", "jaccard, minimiser", "dice", "dice, minimiser"],
        rows,
        statuses,
        files=["run/methods", "run-group/methods"],
    )


def regular(found):
    rows, statuses = [], {}
    for one in found:
        power = 1 / 2 if one.flat() else 2 / 3
        cells, all_gaps = [], {}
        for method, run in [(m, r) for m in ("jaccard", "dice") for r in (HEURISTIC, MINIMISER)]:
            gaps = []
            names = ("faces", "voxels", "kept")
            mine = zip(*(one.column(n, method, run) for n in names), *(one.column(n, "majority") for n in names))
            for faces, size, kept, other_faces, other_size, other_kept in mine:
                if kept == other_kept and size and other_size:
                    gaps.append(100 * (faces / size**power / (other_faces / other_size**power) - 1))
            all_gaps[method, run] = mean(gaps)
            cells.append(percent(mean(gaps)))
        rows.append([one.name, *cells, all_gaps["jaccard", HEURISTIC].cases])
        statuses[one.name] = below_zero(all_gaps["jaccard", HEURISTIC], all_gaps["dice", HEURISTIC])
    return claim(
        "Boundaries are more regular than those of the majority vote",
        "Section 2.1: the majority vote may have very irregular boundaries; the paper has no number.",
        "Faces of the boundary divided by V^(2/3), on 2-D images edges by √V, in percent above that of the majority "
        "vote; only cases in which both keep equally many components.",
        ["jaccard", "jaccard, minimiser", "dice", "dice, minimiser", "cases"],
        rows,
        statuses,
        files=["run/methods", "run-group/methods"],
    )


def focus(found):
    rows, statuses = [], {}
    for one in found:
        gap = {}
        for column in ("soft_volume", "entropy"):
            full, box = one.column(column, "staple"), one.column(column, "staple", "run-box")
            gap[column] = ratio(box, full, lambda value: 100 * (value - 1))
        rows.append([one.name, percent(gap["soft_volume"]), percent(gap["entropy"])])
        smaller, less_sure = below_zero(gap["soft_volume"]), above_zero(gap["entropy"])
        both = {smaller, less_sure}
        statuses[one.name] = HOLDS if both == {HOLDS} else OPPOSITE if OPPOSITE in both else OPEN
    return claim(
        "STAPLE on a tight box is smaller and less sure than on the full image",
        "tab:9: -5.1, -1.1 and -0.9 % of the size; entropy 5.4, 3.6 and 1.7 times as large.",
        "Soft volume and entropy in the box against the full image, all cases together.",
        ["soft volume", "entropy"],
        rows,
        statuses,
        files=["run/methods", "run-box/methods"],
    )


def speed(found):
    rows = []
    for one in found:
        all_s = {m: one.seconds(m, "read_s", "count_s", "solve_s", "write_s") for m in ("tanimoto", "staple")}
        solving = (f"{1e3 * sum(one.seconds(m, 'solve_s')):.1f} ms" for m in all_s)
        rows.append([one.name, spread(ratio(all_s["tanimoto"], all_s["staple"])), *solving])
    return claim(
        "MACCHIatO takes two to three times as long as STAPLE",
        "tab:7, except on SCGM.",
        "A property of programs, not of methods, so there is no verdict. Time of `tanimoto` over that of `staple`, "
        "reading, counting and writing included, and solving alone, all cases together.",
        ["ratio", "tanimoto, solving", "staple, solving"],
        rows,
        files=["run/times"],
    )


REST = [entropy, shape, regular, crowns, voxels, union, accuracy, constant_prior, focus, speed]


def all_findings(found):
    looks = [*findings_sizes.ALL, *findings_scores.ALL, *REST, *findings_laws.ALL]
    return [look(found) for look in looks]
