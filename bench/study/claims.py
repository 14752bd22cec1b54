# SPDX-License-Identifier: Apache-2.0
"""A claim of the paper with what is seen of it: a row for each cohort, and a verdict that follows from them."""

import re
from dataclasses import dataclass

from intervals import FAILS, HOLDS, OPEN, OPPOSITE, table


@dataclass
class Claim:
    text: str
    verdict: str  # empty: there is none, and the section says why
    section: str

    def anchor(self):
        """As pages of Markdown name a heading."""
        return re.sub(r"[^\w\- ]", "", self.text.lower()).replace(" ", "-")


def verdict(by_cohort, unit="cohorts"):
    """Counts cohorts, or parts of them, by what their intervals say."""
    known = {name: status for name, status in by_cohort.items() if status is not None}
    if not known:
        return "Not looked at"
    named = {status: [name for name, s in known.items() if s == status] for status in (HOLDS, OPPOSITE, FAILS, OPEN)}
    if len(named[HOLDS]) == len(known):
        return f"Holds in all {len(known)} {unit}" if len(known) > 1 else "Holds"
    if len(known) == 1:
        return next(iter(known.values())).capitalize()
    parts = [f"Holds in {len(named[HOLDS]) or 'none'} of {len(known)} {unit}"]
    parts += [f"{status} in {', '.join(named[status])}" for status in (OPPOSITE, FAILS, OPEN) if named[status]]
    return "; ".join(parts)


def claim(text, source, how, head, rows, statuses=None, *, files, unit="cohorts"):
    """Rows: one for each cohort or part, its name first. Without statuses there is no verdict, and `how` says why.
    Files are those that the numbers come from."""
    said = verdict(statuses, unit) if statuses is not None else ""
    if statuses is not None:
        head = [*head, "verdict"]
        rows = [[*row, statuses.get(row[0]) or ""] for row in rows]
    start = f"*{said}.* " if said else ""
    read = f"From {', '.join(f'`{name}.csv`' for name in files)}."
    return Claim(text, said, f"### {text}\n\n{start}{source} {how} {read}\n\n{table(['cohort', *head], rows)}")


def index(claims):
    """Every claim with its verdict."""
    return table(["claim", "here"], [[f"[{one.text}](#{one.anchor()})", one.verdict or "no verdict"] for one in claims])
