# SPDX-License-Identifier: Apache-2.0
"""The tables of docs/study.md: ours, and the paper's in brackets."""

import paper
from tables import number, percent, shown, table

SOFT = ["tanimoto", "soergel", "dice2", "dice1"]
HARD = ["ml-staple", "majority", "jaccard", "dice"]


def beside(ours, theirs):
    return ours if theirs is None else f"{ours} ({theirs})"


def title(label, text):
    return f"### {label}: {text}\n\n"


def cohorts(all_cohorts):
    rows = []
    for one in all_cohorts:
        cases = [row for row in one.run_table("cases") if row["status"] == "done"]
        raters = sorted({row["raters"] for row in cases})
        grids = sorted(
            (
                int(row["size_x"]) * int(row["size_y"]) * int(row["size_z"]),
                f"{row['size_x']} × {row['size_y']} × {row['size_z']}",
            )
            for row in cases
        )
        spread = grids[0][1] if grids[0] == grids[-1] else f"{grids[0][1]} to {grids[-1][1]}"
        rows.append(
            [
                one.name,
                one.dataset or "real cases",
                str(len(cases)),
                "–".join([raters[0], raters[-1]][: len(raters)]),
                spread,
                shown(sum(int(row["components"]) for row in cases) / len(cases)),
            ]
        )
    return table(["cohort", "in place of", "cases", "raters", "grid", "components per case"], rows)


def blocks(all_cohorts):
    rows = []
    for one in all_cohorts:
        theirs = paper.TAB_1.get(one.dataset, {})
        row = [one.name]
        for kind in ("subcrown", "crown", "voxel", "group"):
            lmsd = one.value("tab_1", "lmsd", method="tanimoto", blocks=kind)
            seconds = one.value("tab_1", "solve_s", method="tanimoto", blocks=kind)
            cell = "–" if lmsd is None else f"{shown(lmsd, 5)}, {seconds * 1e3:.2g} ms"
            row.append(beside(cell, theirs.get(kind)))
        row += [
            shown(one.value("tab_1", "bound", method="tanimoto", blocks="group"), 5),
            str(one.cases("tab_1", "lmsd", method="tanimoto")),
        ]
        rows.append(row)
    return title("tab:1", "mean LMSD of `tanimoto` and mean time for solving, by blocks") + table(
        ["cohort", "subcrown", "crown", "voxel", "group", "proven bound", "cases"], rows
    )


def paired(all_cohorts):
    rows = []
    for one in all_cohorts:
        for method in ("tanimoto", "jaccard"):
            row = [one.name, method]
            for kind in ("subcrown", "crown", "voxel", "group"):
                excess = one.value("tab_3", "excess_pct", method=method, blocks=kind)
                least = one.value("tab_3", "least_pct", method=method, blocks=kind)
                row.append("–" if excess is None else f"+{shown(excess)} %, {least:.0f} %")
            rows.append([*row, str(one.cases("tab_3", "lmsd", method=method))])
    return title(
        "tab:3", "the same cases with all blocks: mean excess over the least LMSD, and share of cases with it"
    ) + table(["cohort", "method", "subcrown", "crown", "voxel", "group", "cases"], rows)


def judged(all_cohorts, name, label, text, printed):
    rows = []
    for one in all_cohorts:
        for method in HARD:
            found = one.rows(name, method=method)
            if not found:
                continue
            theirs = printed[method] if one.dataset == "MSSEG" else (None,) * 3
            count = found[0].get("precision_cases") or found[0]["cases"]
            cells = [
                beside(f"{shown(number(found[0][m]))} / {shown(number(found[0][m + '_left_out']))}", value)
                for m, value in zip(("precision", "recall", "f1"), theirs)
            ]
            rows.append([one.name, method, *cells, count])
    return title(label, text + "; 0/0 as 1 / left out") + table(
        ["cohort", "method", "precision", "recall", "F1", "cases"], rows
    )


def hard_sizes(all_cohorts):
    rows = []
    for one in all_cohorts:
        for method in ("jaccard", "dice", "ml-staple"):
            mean, larger = paper.TAB_5.get(one.dataset, {}).get(method, (None, None))
            get = lambda column: one.value("tab_5", column, method=method)  # noqa: E731, B023
            rows.append(
                [
                    one.name,
                    method,
                    beside(percent(get("mean_pct")), mean and f"{mean:+g} %"),
                    percent(get("pooled_pct")),
                    beside(f"{get('larger_pct'):.1f} %", larger and f"{larger:g} %"),
                    f"{get('not_smaller_pct'):.1f} %",
                    str(one.cases("tab_5", "mean_pct", method=method)),
                ]
            )
    return title("tab:5", "sizes of hard consensuses against the majority vote") + table(
        ["cohort", "method", "mean", "pooled", "larger", "not smaller", "cases"], rows
    )


def soft_sizes(all_cohorts):
    rows = []
    for one in all_cohorts:
        for method in [*SOFT, "staple"]:
            theirs = paper.TAB_6.get(one.dataset, {}).get(method, (None, None))
            row = [one.name, method]
            for measure, value in zip(("soft volume", "thresholded"), theirs):
                ours = percent(one.value("tab_6", "mean_pct", method=method, measure=measure))
                without = one.value("tab_6", "mean_pct", method=method, measure=measure, empty_test="false")
                if without is not None:
                    ours += f" / {percent(without)}"
                row.append(beside(ours, None if value is None else f"{value:+g} %"))
            row.append(percent(one.value("tab_6", "pooled_pct", method=method, measure="soft volume")))
            rows.append([*row, str(one.cases("tab_6", "mean_pct", method=method, measure="soft volume"))])
    return title(
        "tab:6", "sizes of soft consensuses against the average, with / without the test of the empty set"
    ) + table(["cohort", "method", "soft volume, mean", "thresholded, mean", "soft volume, pooled", "cases"], rows)


def times(all_cohorts):
    rows = []
    for one in all_cohorts:
        for method in [*SOFT, "staple"]:
            theirs = paper.TAB_7.get(one.dataset, {}).get(method)
            get = lambda column: one.value("tab_7", column, method=method)  # noqa: E731, B023
            rows.append(
                [
                    one.name,
                    method,
                    *(f"{get(c):.3f}" for c in ("read_s", "count_s", "solve_s", "write_s")),
                    beside(f"{get('all_s'):.3f}", theirs),
                    str(one.cases("tab_7", "all_s", method=method)),
                ]
            )
    return title("tab:7", "seconds for all cases, on one thread each; the paper's are for its own datasets") + table(
        ["cohort", "method", "reading", "counting", "solving", "writing", "all", "cases"], rows
    )


def entropies(all_cohorts):
    rows = []
    for one in all_cohorts:
        theirs = paper.TAB_8.get(one.dataset, {})
        average = one.value("tab_8", "entropy", method="average")
        row = [one.name, beside(shown(average, 4), theirs.get("average"))]
        for method in SOFT:
            value = one.value("tab_8", "entropy", method=method)
            printed = theirs.get(method) and f"{100 * theirs[method] / theirs['average']:.0f} %"
            row.append(beside(f"{100 * value / average:.0f} %", printed))
        rows.append([*row, str(one.cases("tab_8", "entropy", method="average"))])
    return title(
        "tab:8", "mean entropy of the average, in nats, and that of the soft methods in percent of it"
    ) + table(["cohort", "average", *SOFT, "cases"], rows)


def regions(all_cohorts):
    rows = []
    for one in all_cohorts:
        for prior in ("mean", "0.5"):
            row = [one.name, prior]
            for region, place in (("full", 0), ("box", 1)):
                theirs = paper.TAB_9.get(one.dataset) if prior == "mean" else None
                for column, which in (("entropy", 0), ("soft_volume", 1)):
                    value = one.value("tab_9", column, method="staple", prior=prior, region=region)
                    row.append(beside(shown(value, 5), theirs and theirs[place][which]))
            rows.append([*row, str(one.cases("tab_9", "entropy", method="staple", prior=prior))])
    return title("tab:9", "STAPLE on the full image and on the raters' bounding box") + table(
        ["cohort", "prior", "entropy, full", "volume, full", "entropy, box", "volume, box", "cases"], rows
    )


def slices(all_cohorts):
    rows = []
    for one in all_cohorts:
        for method in ("jaccard", "dice"):
            if not one.rows("tab_10", method=method, slice_wise="z"):
                continue
            theirs = paper.TAB_10.get(one.dataset, {}).get(method, (None,) * 4)
            get = lambda column: one.value("tab_10", column, method=method, slice_wise="z")  # noqa: E731, B023
            rows.append(
                [
                    one.name,
                    method,
                    *(
                        beside(percent(get(column)), value)
                        for column, value in zip(("mean_pct_3d", "mean_pct_slices"), theirs)
                    ),
                    *(
                        beside(f"{get(column):.1f} %", value)
                        for column, value in zip(("larger_3d_pct", "smaller_3d_pct"), theirs[2:])
                    ),
                    str(one.cases("tab_10", "mean_pct_3d", method=method, slice_wise="z")),
                ]
            )
    return title("tab:10", "slice by slice (2.5D) against 3-D") + table(
        ["cohort", "method", "3-D against majority", "2.5D against majority", "3-D larger", "3-D smaller", "cases"],
        rows,
    )


def agreement(all_cohorts):
    rows = []
    for one in all_cohorts:
        for row in one.tables.get("icc", []):
            rows.append(
                [
                    one.name,
                    shown(number(row["icc"])),
                    f"{shown(number(row['low']))} to {shown(number(row['high']))}",
                    row["raters"],
                    row["cases"],
                ]
            )
    return title("icc", "ICC(2,1) of the raters' volumes, 95 % interval") + table(
        ["cohort", "ICC", "interval", "raters", "cases"], rows
    )


def curves(all_cohorts):
    rows = []
    for one in all_cohorts:
        for method in ("staple w=1/2", "staple w=mean", "staple w=mean²", "ml-staple", "jaccard"):
            row, counts = [one.name, method], []
            for image in ("box", "image", "100 × background"):
                found = [r for r in one.tables["fig_1a"] if r["method"] == method and r["image"] == image]
                row.append(
                    f"{shown(number(found[0]['of_union_pct']))} %, {shown(number(found[0]['soft_volume']), 5)}"
                    if found
                    else "–"
                )
                counts.append(found[0]["cases"] if found else "–")
            # An image that is its own box counts once.
            rows.append([*row, counts[0] if len(set(counts)) == 1 else ", ".join(counts)])
    return title(
        "fig:1a, fig:1b", "voxels above 0.5 in percent of the union, and mean soft volume, in images of other sizes"
    ) + table(["cohort", "method", "box", "image", "100 × background", "cases"], rows)


def all_chapters(found):
    lesion = "raters against a hard consensus, lesion by lesion"
    return [
        blocks(found),
        paired(found),
        judged(found, "tab_4_0", "tab:4_0", lesion, paper.TAB_4_0),
        judged(found, "tab_4", "tab:4", "detection by parts", paper.TAB_4),
        hard_sizes(found),
        soft_sizes(found),
        times(found),
        entropies(found),
        regions(found),
        slices(found),
        agreement(found),
        curves(found),
    ]
