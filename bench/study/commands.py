# SPDX-License-Identifier: Apache-2.0
"""What was run, and how long it took."""

import shlex

import cohorts
from intervals import table

TEXT = """
Each number of this page comes from the tables that these commands leave, in a folder for each cohort. `data` are its
cases: `crema demo` makes those of phantoms, and real ones come from the sources above, a folder for each case with the
raters' masks in `rater-1.png`, `rater-2.png` … or `.nii.gz`. Runs of real cases have `--only 'rater-*'` behind the
flags below, as such folders hold other files, too: that of nuclei has its authors' own consensus.

"""


def command(words):
    return f"`crema {shlex.join(map(str, words))}`"


def studies(names):
    return [[name, command(["study", *cohorts.variants_of(name), "-o", "tables", *cohorts.study_flags(name)])]
            for name in names]  # fmt: skip


def section(found):
    made = [[name, command(["demo", "-o", "data", "--kind", kind, "--cases", cases, "--seed", seed, "--size", size])]
            for seed, (name, (_, kind, cases, size, _)) in enumerate(cohorts.PHANTOMS.items(), 1)]  # fmt: skip
    runs = [[name, command(["cohort", "run", "data", "-o", name, *flags])]
            for name, flags in (cohorts.VARIANTS | cohorts.VOTES).items()]  # fmt: skip
    seconds = sum(sum(one.facts["runs"].values()) + one.facts["study"] for one in found)
    parts = [("phantom", made), ("run", runs), ("tables of", studies(one.name for one in found))]
    tables = "\n".join(table([what, "command"], rows) for what, rows in parts)
    took = f"Runs and studies took {seconds / 60:.0f} minutes in all; making the phantoms comes on top.\n"
    return f"## Commands\n{TEXT}{tables}\n{took}"
