# SPDX-License-Identifier: Apache-2.0
"""tab:3: the toy of fig:5 with each kind of blocks."""

import cohorts
import paper
from chapters import KINDS
from intervals import shown, table
from rows import theirs, title
from tables import number, read

NAME = "toy"
DEMO = ["--kind", "organ", "--size", "26,24,1", "--raters", "3", "--seed", "18"]  # as docs/figures.md draws it


def make(crema, folder):
    if not (folder / NAME / "data").exists():
        (folder / NAME / "data").mkdir(parents=True)
        cohorts.run(crema, "demo", "-o", folder / NAME / "data/toy", *DEMO)
    for kind in KINDS:
        flags = ["--methods", "tanimoto", "--blocks", kind, *cohorts.LEAN]
        cohorts.cohort_run(crema, folder / NAME, f"run-{kind}", flags)


def section(folder):
    rows = []
    for kind in KINDS:
        (row,), (times,) = (read(folder / NAME / f"run-{kind}/{name}.csv") for name in ("methods", "times"))
        lmsd, seconds = paper.TAB_3[kind]
        rows.append([kind, shown(number(row["lmsd_tanimoto"]), 5), theirs(lmsd),
                     f"{shown(1e3 * number(times['solve_s']), 2)} ms", theirs(seconds, " s")])  # fmt: skip
    text = (
        "One case, and another toy than the paper's: no interval. docs/figures.md shows it; "
        f"`crema demo -o nested {' '.join(DEMO)}` makes it.\n\n"
    )
    head = ["blocks", "LMSD", "paper", "solving", "paper"]
    return title("tab:3", "LMSD of `tanimoto` on a toy, by blocks") + text + table(head, rows)
