# SPDX-License-Identifier: Apache-2.0
"""What was run, and how long it took."""

import cohorts
from intervals import table

TEXT = """
Each number of this page comes from the tables that these commands leave; DATA is a cohort's folder. All runs of a
cohort are then studied with `crema study RUN... -o TABLES --background`, phantoms with `--raters-persist`.

"""


def section(found):
    every = {**cohorts.VARIANTS, "run-votes": cohorts.VOTES, "run-ties": [*cohorts.VOTES, "--tie", "foreground"]}
    rows = [[name, f"`crema cohort run DATA -o {name} {' '.join(flags)}`"] for name, flags in every.items()]
    made = [["", f"`crema demo -o DATA --kind {kind} --cases {cases} --seed {seed} --size {size}`"]
            for seed, (_, kind, cases, size, _) in enumerate(cohorts.PHANTOMS.values(), 1)]  # fmt: skip
    for row, name in zip(made, cohorts.PHANTOMS):
        row[0] = name
    seconds = sum(sum(one.facts["runs"].values()) + one.facts["study"] for one in found)
    took = f"Runs and studies took {seconds / 60:.1f} minutes in all; making the phantoms comes on top.\n"
    return f"## Commands\n{TEXT}{table(['phantom or run', 'command'], [*made, *rows])}\n{took}"
