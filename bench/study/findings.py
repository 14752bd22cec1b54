# SPDX-License-Identifier: Apache-2.0
"""What the paper says, and whether it is seen here: each verdict follows from the numbers beside it."""

from evidence import HARD, SOFT, curve, far, finding, said
from tables import number, percent, shown


def size_order(found):
    truths, parts = [], []
    for one in found:
        size = {m: one.value("tab_5", "pooled_pct", method=m) for m in [*HARD, "ml-staple"]}
        truths.append(all(0 <= size[m] <= size["ml-staple"] for m in HARD))
        parts.append(f"{one.name} {percent(size['jaccard'])}, {percent(size['dice'])}, {percent(size['ml-staple'])}")
    return finding(
        "Hard sizes go majority, MACCHIatO, STAPLE.",
        truths,
        "Sizes of all cases together against the majority vote, for `jaccard`, `dice`, `ml-staple`: " + said(parts),
    )


def never_smaller(found):
    truths, parts = [], []
    for one in found:
        share = one.value("tab_5", "not_smaller_pct", method="jaccard")
        truths.append(share == 100)
        parts.append(f"{one.name} {share:.1f} % of {one.cases('tab_5', 'larger_pct', method='jaccard')}")
    return finding(
        "MACCHIatO-J is almost never smaller than the majority vote.",
        truths,
        "Cases in which it is not smaller: " + said(parts),
    )


def soft_order(found):
    truths, parts = [], []
    for one in found:
        size = {m: one.value("tab_6", "pooled_pct", method=m, measure="soft volume") for m in [*SOFT, "staple"]}
        truths.append(all(size[m] <= size["staple"] for m in SOFT))
        parts.append(f"{one.name} {percent(max(size[m] for m in SOFT))} at most, staple {percent(size['staple'])}")
    return finding(
        "STAPLE has the largest soft volume.",
        truths,
        "Soft volumes of all cases together against the average, of the four soft MACCHIatO methods: " + said(parts),
    )


def empty_test(found):
    truths, parts = [], []
    for one in found:
        get = lambda test: one.value("tab_6", "mean_pct", method="soergel", measure="thresholded", empty_test=test)  # noqa: E731, B023
        truths.append(get("false") > get("true") + 1)
        parts.append(f"{one.name} {percent(get('true'))} with it, {percent(get('false'))} without")
    return finding(
        "The paper's soft sizes on lesions are those without the test of the empty set.",
        truths,
        "It printed +37 % for `soergel`, thresholded, on MSSEG. Ours, which differ only where components of few "
        "raters are there to be dropped: " + said(parts),
    )


def union(found):
    truths, parts = [], []
    for one in found:
        row = far(one, "ml-staple")
        truths.append(number(row["is_union_pct"]) == 100)
        parts.append(
            f"{one.name} {number(row['is_union_pct']):.0f} % of {row['cases']}, "
            f"{shown(number(row['of_union_pct']))} % of its voxels"
        )
    return finding(
        "ML STAPLE tends to the union when the background grows.",
        truths,
        "A rater whose sensitivity is 1 vetoes all that it left out. Cases in which it is the union with a "
        "hundredfold background, and how much of the union it has: " + said(parts),
    )


def same_as_majority(found, method):
    equal = total = 0
    for one in found:
        for row in one.run_table("method_pairs"):
            if {row["method_a"], row["method_b"]} == {"majority", method}:
                total += 1
                equal += row["voxels_a"] == row["voxels_b"] == row["common_voxels"]
    return equal, total


def accuracy(found):
    pairs = {method: same_as_majority(found, method) for method in ("ml-common", "ml-accuracy", "common", "accuracy")}
    moves = {}
    for method in ("ml-common", "ml-accuracy"):
        moves[method] = [abs(number(far(one, method)["against_box_pct"]) or 0) for one in found]
    text = ", ".join(f"`{method}` in {equal} of {total}" for method, (equal, total) in pairs.items())
    return finding(
        "p = q is the majority vote, and free of the background.",
        [pairs[m][0] == pairs[m][1] for m in ("ml-common", "ml-accuracy")],
        "Only with one γ for all raters. Cases in which the result is the majority vote, voxel by voxel, soft "
        f"ones above 0.5: {text}. From the box to a hundredfold background the size of `ml-common` moves by "
        f"{shown(max(moves['ml-common']))} % at most on the mean of a cohort, that of `ml-accuracy` by "
        f"{shown(max(moves['ml-accuracy']))} %.",
    )


def constant_prior(found):
    truths, parts = [], []
    for one in found:
        near, wide = curve(one, "staple w=1/2", "box"), far(one, "staple w=1/2")
        share = number(wide["soft_volume"]) / number(wide["image_voxels"])
        truths.append(abs(share - 0.5) < 0.05)
        parts.append(
            f"{one.name} {shown(number(near['soft_volume']))} in the box, {shown(share)} of the whole image "
            "with a hundredfold background"
        )
    return finding(
        "With a constant prior the background tends to the prior.",
        truths,
        "Not said by the paper, which looks at the union alone. Soft volume of `staple` with w = 1/2: " + said(parts),
    )


def crowns(found):
    truths, parts = [], []
    for one in found:
        get = lambda kind: one.value("tab_3", "excess_pct", method="tanimoto", blocks=kind)  # noqa: E731, B023
        if get("crown") is None:
            continue
        truths.append(get("crown") >= get("subcrown"))
        parts.append(f"{one.name} +{shown(get('crown'))} % and +{shown(get('subcrown'))} %")
    return finding(
        "Blocks of crowns give the highest criterion.",
        truths,
        "Excess of the LMSD over the least of all blocks, `tanimoto`, crowns and subcrowns: " + said(parts),
    )


def voxels(found):
    truths, parts = [], []
    for one in found:
        rows = {kind: one.rows("tab_3", method="tanimoto", blocks=kind) for kind in ("subcrown", "voxel")}
        if not rows["voxel"] or not rows["subcrown"]:
            continue
        sub, voxel = (number(rows[kind][0]["lmsd"]) for kind in ("subcrown", "voxel"))
        truths.append(sub < voxel * (1 - 1e-9))
        parts.append(f"{one.name} {shown(sub, 7)} and {shown(voxel, 7)} over {rows['voxel'][0]['cases']} cases")
    return finding(
        "Subcrowns reach a lower criterion than voxels.",
        truths,
        "With exact steps blocks of voxels can always follow blocks of subcrowns. Mean LMSD of `tanimoto`, "
        "subcrowns and voxels: " + said(parts),
    )


def entropy(found):
    truths, parts = [], []
    for one in found:
        base = one.value("tab_8", "entropy", method="average")
        share = {m: 100 * one.value("tab_8", "entropy", method=m) / base for m in SOFT}
        truths.append(max(share["soergel"], share["dice1"]) < 50 < min(share["tanimoto"], share["dice2"]))
        parts.append(
            f"{one.name} {share['tanimoto']:.0f}, {share['dice2']:.0f}, {share['soergel']:.0f}, {share['dice1']:.0f} %"
        )
    return finding(
        "Soft methods fall into two families by entropy.",
        truths,
        "In percent of the average's, for `tanimoto`, `dice2`, `soergel`, `dice1`: " + said(parts),
    )


def recall(found):
    truths, parts = [], []
    for one in found:
        get = lambda method, column: one.value("tab_4_0", column, method=method)  # noqa: E731, B023
        middle = HARD
        truths.append(
            all(
                get("ml-staple", "precision") >= get(m, "precision") >= get("majority", "precision")
                and get("ml-staple", "recall") <= get(m, "recall") <= get("majority", "recall")
                for m in middle
            )
        )
        parts.append(
            f"{one.name} {shown(get('majority', 'recall'))}, {shown(get('jaccard', 'recall'))}, "
            f"{shown(get('ml-staple', 'recall'))}"
        )
    return finding(
        "Against the majority vote raters have the highest recall and the lowest precision, against ML STAPLE "
        "the opposite.",
        truths,
        "Lesion-wise recall against `majority`, `jaccard`, `ml-staple`: " + said(parts),
    )


def shape(found):
    truths, parts = [], []
    for one in found:
        per = {m: one.value("shape", "parts_per_kept", method=m) for m in ("majority", *HARD)}
        truths.append(all(per[m] <= per["majority"] for m in HARD))
        alone = {m: one.value("shape", "isolated", method=m) for m in ("majority", *HARD)}
        parts.append(
            f"{one.name} {per['majority']:.3f}, {per['jaccard']:.3f}, {per['dice']:.3f} with "
            f"{alone['majority']:.0f}, {alone['jaccard']:.0f}, {alone['dice']:.0f} single voxels"
        )
    return finding(
        "MACCHIatO avoids isolated voxels.",
        truths,
        "Connected parts per kept component, and parts of one voxel, of `majority`, `jaccard`, `dice`: " + said(parts),
    )


def focus(found):
    truths, parts = [], []
    for one in found:
        get = lambda region, column: one.value("tab_9", column, method="staple", prior="mean", region=region)  # noqa: E731, B023
        truths.append(
            get("box", "soft_volume") <= get("full", "soft_volume") and get("box", "entropy") >= get("full", "entropy")
        )
        parts.append(
            f"{one.name} {percent(100 * get('box', 'soft_volume') / get('full', 'soft_volume') - 100)}, "
            f"entropy {shown(get('full', 'entropy'))} to {shown(get('box', 'entropy'))}"
        )
    return finding(
        "STAPLE on a tight box is smaller and less sure than on the full image.",
        truths,
        "Soft volume in the box against the full image, and entropy: " + said(parts),
    )


def slices(found):
    truths, parts = [], []
    for one in found:
        if one.rows("tab_10", method="jaccard", slice_wise="z"):
            get = lambda column: one.value("tab_10", column, method="jaccard", slice_wise="z")  # noqa: E731, B023
            truths.append(abs(get("mean_pct_3d") - get("mean_pct_slices")) < 2)
            parts.append(f"{one.name} {percent(get('mean_pct_3d'))} and {percent(get('mean_pct_slices'))}")
    return finding(
        "2.5D and 3-D give nearly the same sizes.",
        truths,
        "`jaccard` against the majority vote, 3-D and slice by slice, taken as near within two percent: " + said(parts),
    )


def speed(found):
    truths, parts = [], []
    for one in found:
        get = lambda method, column="solve_s": one.value("tab_7", column, method=method)  # noqa: E731, B023
        share = get("tanimoto", "all_s") / get("staple", "all_s")
        truths.append(share > 1.5)
        parts.append(
            f"{one.name} {share:.2f} in all, solving {1e3 * get('tanimoto'):.1f} and {1e3 * get('staple'):.1f} ms"
        )
    return finding(
        "MACCHIatO takes two to three times as long as STAPLE.",
        truths,
        "Reading and counting, which both need, are most of the time here. Time of `tanimoto` over that of "
        "`staple`: " + said(parts),
    )


ALL = [
    size_order,
    never_smaller,
    soft_order,
    empty_test,
    union,
    accuracy,
    constant_prior,
    crowns,
    voxels,
    entropy,
    recall,
    shape,
    focus,
    slices,
    speed,
]


def all_findings(found):
    return "\n".join(look(found) for look in ALL)
