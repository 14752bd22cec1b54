# SPDX-License-Identifier: Apache-2.0
"""Bars against the SciPy reading of the paper's algorithms, masks in memory to consensus in memory."""

import answers
import measuring
import scipy_macchiato
from measuring import Row, faster

METHODS = ("dice", "tanimoto")
FASTER = 300
THREADS = 2


def reading(bench):
    kind = "lesions"
    raters = bench.phantom(kind)
    masks, _ = scipy_macchiato.load(raters)
    with measuring.Served(bench.build, kind=kind, size=getattr(bench.sizes, kind)) as served:
        for method in METHODS:
            kept = {}

            def theirs(on, method=method, kept=kept):
                return measuring.clock(lambda: kept.update({on: scipy_macchiato.fuse(masks, method, on=on)}))

            samples = measuring.in_turn(
                {"crema": bench.runs, "one": bench.runs, "voxels": 2, "counts": 2},
                {
                    "crema": lambda m=method: served.seconds("fuse", THREADS, m),
                    "one": lambda m=method: served.seconds("fuse", 1, m),
                    "voxels": lambda t=theirs: t("voxels"),
                    "counts": lambda t=theirs: t("counts"),
                },
            )
            work = f"memory to memory, `{method}`, {kind}"
            yield faster(
                f"scipy {method}",
                f"{work}, {THREADS} threads",
                samples["crema"],
                samples["voxels"],
                "SciPy reading",
                at_least=FASTER,
                note="SciPy: 2 runs",
            )
            yield faster(f"scipy one {method}", f"{work}, 1 thread", samples["one"], samples["voxels"], "SciPy reading")
            yield faster(
                f"scipy counts {method}",
                f"{work}, 1 thread",
                samples["one"],
                samples["counts"],
                "SciPy reading on counts",
                note="SciPy: 2 runs",
            )
            facts = answers.compare_reading(bench, raters, masks, method, kept["voxels"])
            yield Row(
                f"scipy lmsd {method}",
                f"LMSD of `{method}`, {kind}",
                facts["ours"],
                "",
                facts["theirs"],
                "SciPy reading",
                facts["ours"] / facts["theirs"],
                "never higher",
                facts["excess"] <= 1e-9,
                1,
                note=why(facts),
            )


def why(facts):
    """Where the images differ, in words."""
    if facts["different"] == 0:
        return f"the images are the same in all {facts['components']} components"
    return (
        f"the images differ in {facts['different']} of {facts['components']} components: crema's criterion is "
        f"lower in {facts['lower']}, the same to 1e-9 in {facts['same_criterion']}, higher in {facts['higher']}; "
        f"no level is farther off than {facts['farthest']:.3g}"
    )
