# SPDX-License-Identifier: Apache-2.0
"""The tables of docs/study.md: ours with intervals over cases, and the paper's beside them."""

import chapters_sizes
import paper
from intervals import Number, mean, part, percent, share, shown, spread, table, total
from rows import HARD, SOFT, named, theirs, title
from tables import HEURISTIC, MINIMISER, number


def cohorts(found):
    rows = []
    for one in found:
        raters = sorted({int(row["raters"]) for row in one.cases})
        grids = sorted({tuple(int(row[f"size_{a}"]) for a in "xyz") for row in one.cases}, key=lambda g: g[0] * g[1])
        ends = [" × ".join(map(str, grid)) for grid in (grids[0], grids[-1])]
        rows.append(
            [
                one.name,
                one.dataset or "",
                one.source or "phantoms",
                len(one.cases),
                "–".join(map(str, [raters[0], raters[-1]][: len(raters)])),
                ends[0] if ends[0] == ends[1] else " to ".join(ends),
                spread(mean([int(row["components"]) for row in one.cases])),
                spread(mean([100 * v / voxels(row) for v, row in zip(one.column("voxels", "majority"), one.cases)])),
                spread(mean(one.disagreement())),
            ]
        )
    head = ["cohort", "in place of", "source", "cases", "raters", "grid", "components per case", "majority, % of image",
            "disagreement"]  # fmt: skip
    return table(head, rows)


def voxels(row):
    return int(row["size_x"]) * int(row["size_y"]) * int(row["size_z"])


KINDS = {"subcrown": HEURISTIC, "crown": "run-crown", "voxel": "run-voxel", "group": MINIMISER}


def blocks(found):
    rows = []
    for one in found:
        printed = paper.TAB_1.get(one.dataset, {})
        for kind, run in KINDS.items():
            lmsd = one.lmsd("tanimoto", run)
            if lmsd is None:
                continue
            bounds = one.column("lower_bound", "tanimoto", run)
            took = [1e3 * seconds for seconds in one.seconds("tanimoto", "solve_s", run=run)]
            rows.append([one.name, kind, spread(mean(lmsd), lambda v: shown(v, 5)), theirs(printed.get(kind)),
                         spread(mean(bounds), lambda v: shown(v, 5)), spread(mean(took), unit=" ms"),
                         len(one.cases)])  # fmt: skip
    return title("tab:1", "mean LMSD of `tanimoto` and mean time for solving, by blocks") + table(
        ["cohort", "blocks", "LMSD", "paper", "proven bound", "solving", "cases"], rows
    )


def excess(one, method, run, runs):
    """By how many percent the LMSD lies above the least of these runs, case by case."""
    all_runs = [one.lmsd(method, r) for r in runs]
    mine = one.lmsd(method, run)
    least = [min(values) for values in zip(*all_runs)]
    return [100 * (m / x - 1) if x > 0 and m > x * (1 + 1e-9) else 0.0 for m, x in zip(mine, least)]


def paired(found):
    rows = []
    for one in found:
        for method in ("tanimoto", "jaccard", "dice"):
            runs = [run for run in KINDS.values() if one.has(method, run)]
            row = [one.name, method]
            for run in KINDS.values():
                if run not in runs:
                    row.append("–")
                    continue
                values = excess(one, method, run, runs)
                row.append(f"{percent(mean(values))}; least in {part(share(value == 0 for value in values))}")
            rows.append([*row, len(one.cases)])
    return title("blocks", "excess over the least LMSD of all blocks, and share of cases with the least") + table(
        ["cohort", "method", *KINDS, "cases"], rows
    )


def scores(found, name, label, text, printed):
    rows = []
    for one in found:
        for method, run in HARD:
            if not one.has(method, run):
                continue
            beside = printed[method] if one.dataset == "MSSEG" and run == HEURISTIC else (None,) * 3
            row = [one.name, named(method, run)]
            for measure, value in zip(("precision", "recall", "f1"), beside):
                counted = one.score(name, method, measure, run)
                left_out = one.score(name, method, measure, run, left_out=True)
                row += [f"{spread(counted)} / {spread(left_out)}", theirs(value)]
            rows.append([*row, len(one.cases)])
    head = ["cohort", "method", "precision", "paper", "recall", "paper", "F1", "paper", "cases"]
    return title(label, text + "; 0/0 as 1 / left out") + table(head, rows)


STEPS = ("read_s", "count_s", "solve_s", "write_s")


def times(found):
    rows = []
    for one in found:
        for method in [*SOFT, "staple"]:
            cells = [spread(total(one.seconds(method, step))) for step in STEPS]
            cells.append(spread(total(one.seconds(method, *STEPS))))
            printed = paper.TAB_7.get(one.dataset, {}).get(method)
            rows.append([one.name, method, *cells, theirs(printed), len(one.cases)])
    head = ["cohort", "method", "reading", "counting", "solving", "writing", "all", "paper", "cases"]
    return title(
        "tab:7", "seconds for all cases, one thread each, on a busy machine; the paper's are of its own datasets"
    ) + table(head, rows)


def regions(found):
    rows = []
    for one in found:
        for prior, runs in (("mean", (HEURISTIC, "run-box")), ("0.5", ("run-half", "run-half-box"))):
            printed = paper.TAB_9.get(one.dataset) if prior == "mean" else None
            row = [one.name, prior]
            for place, run in enumerate(runs):
                for which, column in enumerate(("entropy", "soft_volume")):
                    row.append(spread(mean(one.column(column, "staple", run)), lambda v: shown(v, 4)))
                    row.append(theirs(printed and printed[place][which]))
            rows.append([*row, len(one.cases)])
    head = ["cohort", "prior", "entropy, full", "paper", "volume, full", "paper", "entropy, box", "paper",
            "volume, box", "paper", "cases"]  # fmt: skip
    return title("tab:9", "STAPLE on the full image and on the raters' bounding box") + table(head, rows)


ICC_TEXT = """Nobody declared the raters of the real cases to be the same persons, so one-way correlations alone mean
something there. Phantoms have raters who persist; absolute agreement, ICC(A,1), is that of a panel.

"""


def agreement(found):
    rows = []
    for one in found:
        icc = {(row["form"], row["scale"]): row for row in one.tables.get("icc", [])}
        row = [one.name]
        for form in ("ICC(1,1)", "ICC(A,1)"):
            for scale in ("volume", "log volume"):
                cell = icc.get((form, scale))
                value = cell and Number(number(cell["icc"]), number(cell["low"]), number(cell["high"]))
                row.append(spread(value) if cell else "")
        rows.append([*row, icc["ICC(1,1)", "volume"]["cases"]])
    head = ["cohort", "ICC(1,1), volume", "ICC(1,1), log volume", "ICC(A,1), volume", "ICC(A,1), log volume", "cases"]
    return title("icc", "intraclass correlations of the raters' volumes") + ICC_TEXT + table(head, rows)


def curve_cell(one, method, image):
    sizes = zip(*(one.by_image(method, column, image) for column in ("voxels", "union_voxels")))
    of_union = mean([100 * size / union if union else None for size, union in sizes])
    return f"{part(of_union)}; {spread(mean(one.by_image(method, 'soft_volume', image)), lambda v: shown(v, 4))}"


def curves(found):
    rows = []
    for one in found:
        for method in ("staple w=1/2", "staple w=mean", "staple w=mean²", "ml-staple", "jaccard"):
            cells = [curve_cell(one, method, image) for image in ("box", "image", "100 × background")]
            rows.append([one.name, method, *cells, mean(one.by_image(method, "voxels")).cases])
    return title("fig:1a, fig:1b", "voxels above 0.5 in percent of the union; soft volume, by image size") + table(
        ["cohort", "method", "box", "image", "100 × background", "cases"], rows
    )


def all_chapters(found):
    lesion = "raters against a hard consensus, lesion by lesion"
    return [
        blocks(found),
        paired(found),
        scores(found, "tab_4_0", "tab:4_0", lesion, paper.TAB_4_0),
        scores(found, "tab_4", "tab:4", "detection by parts", paper.TAB_4),
        chapters_sizes.hard_sizes(found),
        chapters_sizes.from_minimiser(found),
        chapters_sizes.soft_sizes(found),
        times(found),
        chapters_sizes.entropies(found),
        regions(found),
        chapters_sizes.slices(found),
        agreement(found),
        curves(found),
    ]
