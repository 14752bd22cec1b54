# SPDX-License-Identifier: Apache-2.0
"""What the paper says of STAPLE: background, prior, and its simpler forms."""

import math

from claims import claim
from intervals import (
    FAILS,
    FEW,
    HOLDS,
    OPPOSITE,
    ROUNDING,
    above_zero,
    mean,
    part,
    percent,
    ratio,
    share,
    shown,
    spread,
)

MACCHIATO = ["jaccard", "dice", "tanimoto", "soergel", "dice2", "dice1"]
WIDE = "in an image with a hundredfold background"


def defined(values):
    return [value for value in values if value is not None]


def without_sign(values):
    return [None if value is None else abs(value) for value in values]


def union(found):
    rows, statuses = [], {}
    for one in found:
        sizes = zip(*(one.by_image("ml-staple", c) for c in ("voxels", "union_voxels")))
        pairs = [pair for pair in sizes if None not in pair]
        whole = share(mine == union for mine, union in pairs)
        rows.append([one.name, part(whole), part(mean([100 * mine / union for mine, union in pairs])), len(pairs)])
        statuses[one.name] = HOLDS if whole.value == 100 else FAILS
    return claim(
        "ML STAPLE tends to the union when the background grows",
        "Section 2.2 and appendix, as a limit.",
        "Not where a rater's sensitivity is 1, who vetoes all that it left out. Share of cases in which it is the "
        f"union {WIDE}, and how much of the union it has; the verdict needs all cases.",
        ["is the union", "of the union", "cases"],
        rows,
        statuses,
        files=["tables/background"],
    )


LEVELS = [("staple w=1/2", 0, "union_voxels", None), ("staple w=mean", 1, "drawn_by_two", "union_voxels"),
          ("staple w=mean²", 2, "drawn_by_three", "drawn_by_two")]  # fmt: skip


def limits(found):
    rows, statuses = [], {}
    for one in found:
        row, numbers = [one.name], []
        for method, _, inner, outer in LEVELS:
            columns = [one.by_image(method, c) for c in ("voxels", inner, outer or "image_voxels")]
            cases = [case for case in zip(*columns) if None not in case]
            numbers.append(share(least <= size <= most for size, least, most in cases))
            row.append(part(numbers[-1]))
        rows.append([*row, numbers[0].cases])
        few = numbers[0].cases < FEW
        statuses[one.name] = None if few else HOLDS if all(number.value == 100 for number in numbers) else FAILS
    return claim(
        "STAPLE tends to what more than α raters drew when the background grows",
        "Appendix, the limit of uₙ: 1 where more than α raters drew a voxel, 0 where fewer did, and a level between "
        "where exactly α did, α being the exponent of the prior.",
        f"Share of cases in which, {WIDE}, as many voxels lie above one half as that allows: at least as many as more "
        "than α raters drew, and no more than those of α raters. Not where a rater's sensitivity is 1; the verdict "
        "needs all cases.",
        ["α = 0", "α = 1", "α = 2", "cases"],
        rows,
        statuses,
        files=["tables/background"],
    )


def order_of_error(one, method):
    """b, if what is missing to the limit falls as N to the power of −b: each image has ten times the background."""
    found = []
    for small, middle, wide in zip(*(one.by_image(method, "soft_volume", image)
                                     for image in ("image", "10 × background", "100 × background"))):  # fmt: skip
        if None in (small, middle, wide) or abs(wide - middle) < 1e-6 * wide or abs(middle - small) < 1e-6 * wide:
            found.append(None)
        else:
            found.append(math.log10(abs(middle - small) / abs(wide - middle)))
    return mean(found)


def errors(found):
    rows, statuses = [], {}
    for one in found:
        orders = [order_of_error(one, method) for method in ("staple w=mean", "staple w=mean²")]
        rows.append([one.name, *(f"{spread(b)}" for b in orders), orders[0].cases])
        nearer = above_zero(*(b - 1.5 for b in orders if b.value is not None))
        statuses[one.name] = FAILS if nearer == OPPOSITE else nearer
    return claim(
        "STAPLE's distance to its limit falls with the square of the image size",
        "Section 2.2, the expansion of logit uₙ with O(N⁻²). By its own derivation the specificities leave an "
        "error of 1/N.",
        "The exponent b with which soft volumes at 1, 10 and 100 times the background come to their limit, mean over "
        "the cases in which they still move; the verdict asks whether it is nearer to 2 or to 1.",
        ["b, α = 1", "b, α = 2", "cases"],
        rows,
        statuses,
        files=["tables/background"],
    )


def same_as_majority(one, method):
    """Whether the result is the majority vote voxel by voxel, case by case."""
    same = {}
    for row in one.pairs():
        if {row["method_a"], row["method_b"]} == {"majority", method}:
            same[row["case"]] = row["voxels_a"] == row["voxels_b"] == row["common_voxels"]
    return [same[case["case"]] for case in one.cases]


def accuracy(found):
    rows, statuses = [], {}
    for one in found:
        same = [same_as_majority(one, m) for m in ("ml-common", "common", "ml-accuracy", "accuracy")]
        moves = [without_sign(one.moves(m, "voxels")) for m in ("ml-common", "ml-accuracy")]
        for name, parity, raters in one.parities():
            shares = [share(one.of_parity(values, parity)) for values in same]
            moved = [mean(one.of_parity(values, parity)) for values in moves]
            rows.append([name, raters, *map(part, shares), *map(percent, moved), shares[0].cases])
            few = parity == 0 or shares[0].cases < FEW
            free = shares[2].value == 100 and moved[1].value == 0
            statuses[name] = None if few else HOLDS if free else FAILS
    return claim(
        "p = q is the majority vote, and free of the background",
        "Section 2.2.2.",
        "Only with one γ for all raters (`common`); with γₖ (`accuracy`), of which the verdict is, it is a weighted "
        "vote. Share of cases in which the result is the majority vote voxel by voxel, and by how much its size moves, "
        "without sign, from the box to a hundredfold background. The verdict needs all cases. With an even number of "
        "raters weights break the ties, of which the paper says nothing: no verdict there.",
        ["K", "ml-common", "common", "ml-accuracy", "accuracy", "ml-common moves", "ml-accuracy moves", "cases"],
        rows,
        statuses,
        files=["run/method_pairs", "tables/background"],
        unit="groups of cases",
    )


def shared(found):
    rows, statuses = [], {}
    for one in found:
        hard = without_sign(one.moves("ml-shared", "voxels"))
        soft = without_sign(one.moves("shared", "soft_volume"))
        moved, any_soft = (share(value > ROUNDING for value in defined(values)) for values in (hard, soft))
        rows.append([one.name, part(moved), percent(mean(hard)), percent(mean(soft)), moved.cases])
        statuses[one.name] = None if any_soft.cases < FEW else HOLDS if any_soft.value else FAILS
    return claim(
        "One p and one q for all raters still depend on the background",
        "Section 2.2.2.",
        "Share of cases in which the size of `ml-shared` is another one with a hundredfold background than in the box, "
        "and by how much it and the soft volume of `shared` move, without sign. It holds where the soft volume of any "
        "case moves; where the box has background enough, `ml-shared` is the union already and moves no more.",
        ["moves", "ml-shared", "shared", "cases"],
        rows,
        statuses,
        files=["tables/background"],
    )


def constant_prior(found):
    rows = []
    for one in found:
        wide = zip(*(one.by_image("staple w=1/2", c) for c in ("soft_volume", "image_voxels")))
        of_image = [100 * volume / voxels for volume, voxels in wide if volume is not None]
        near = mean(one.by_image("staple w=1/2", "soft_volume", "box"))
        rows.append([one.name, spread(near, lambda v: shown(v, 4)), part(mean(of_image))])
    return claim(
        "With a constant prior the background tends to the prior",
        "Not said by the paper, which looks at the union alone: no verdict.",
        f"Soft volume of `staple` with w = 1/2 in the box, and as a share of the image {WIDE}.",
        ["volume, box", "of the image"],
        rows,
        files=["tables/background"],
    )


def background_free(found):
    rows, statuses = [], {}
    for one in found:
        moved = set()
        for method in MACCHIATO:
            for image in one.images():
                moved |= {case["case"] for case, value in zip(one.cases, one.moves(method, "soft_volume", image))
                          if value is not None and abs(value) > ROUNDING}  # fmt: skip
        theirs = [mean(without_sign(one.moves(m, "soft_volume"))) for m in ("staple w=mean", "ml-staple")]
        rows.append([one.name, part(share(case["case"] in moved for case in one.cases)), *map(percent, theirs)])
        statuses[one.name] = FAILS if moved else HOLDS
    return claim(
        "MACCHIatO does not depend on the size of the background",
        "Abstract and section 3.1.",
        "Share of cases in which a soft volume of any of the six methods is not that in the raters' box, in any image "
        "up to a hundredfold background; it follows from the criterion, and the verdict needs every case. Beside it by "
        "how much STAPLE moves, without sign, from the box to the widest image.",
        ["MACCHIatO moves", "staple w=mean", "ml-staple"],
        rows,
        statuses,
        files=["tables/background"],
    )


def prior_order(found):
    rows, statuses = [], {}
    for one in found:
        volumes = [one.by_image(f"staple w={w}", "soft_volume", "image") for w in ("1/2", "mean", "mean²")]
        gaps = [mean([100 * (b / a - 1) if a and b is not None else None for a, b in zip(*pair)])
                for pair in ((volumes[1], volumes[0]), (volumes[1], volumes[2]))]  # fmt: skip
        rows.append([one.name, *map(percent, gaps)])
        statuses[one.name] = above_zero(gaps[0], -gaps[1])
    return claim(
        "The larger the exponent of STAPLE's prior, the smaller the consensus",
        "Section 2.2, fig:1b.",
        "Soft volume on the whole image with w = 1/2 (α = 0) and with the square of the mean share (α = 2) against "
        "the mean share (α = 1), mean over cases; the verdict needs both.",
        ["α = 0 against 1", "α = 2 against 1"],
        rows,
        statuses,
        files=["tables/background"],
    )


def focus(found):
    rows, statuses = [], {}
    for one in found:
        gap = {}
        for column in ("soft_volume", "entropy"):
            full, box = one.column(column, "staple"), one.column(column, "staple", "run-box")
            gap[column] = ratio(box, full, lambda value: 100 * (value - 1))
        rows.append([one.name, percent(gap["soft_volume"]), percent(gap["entropy"])])
        statuses[one.name] = above_zero(-gap["soft_volume"], gap["entropy"])
    return claim(
        "STAPLE on a tight box is smaller and less sure than on the full image",
        "tab:9: -5.1, -1.1 and -0.9 % of the size; entropy 5.4, 3.6 and 1.7 times as large.",
        "Soft volume and entropy in the box against the full image, all cases together.",
        ["soft volume", "entropy"],
        rows,
        statuses,
        files=["run/methods", "run-box/methods"],
    )


ALL = [union, limits, errors, accuracy, shared, constant_prior, focus, background_free, prior_order]
