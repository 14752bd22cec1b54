# SPDX-License-Identifier: Apache-2.0
"""tab:3: the toy of fig:2c and fig:5 with each kind of blocks."""

import cohorts
import paper
from chapters import KINDS
from intervals import shown, table
from rows import theirs, title
from tables import number, read

NAME = "toy"


def make(crema, folder):
    if not (folder / NAME / "data").exists():
        (folder / NAME / "data").mkdir(parents=True)
        cohorts.run(crema, "demo", "-o", folder / NAME / "data/toy", "--kind", "toy")
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
    text = "One case, and another toy than the paper's: no interval; `crema demo -o toy --kind toy` makes it.\n\n"
    head = ["blocks", "LMSD", "paper", "solving", "paper"]
    return title("tab:3", "LMSD of `tanimoto` on a toy, by blocks") + text + table(head, rows)
