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


def verdict(by_cohort):
    """Counts cohorts by what their intervals say."""
    known = {name: status for name, status in by_cohort.items() if status is not None}
    if not known:
        return "Not looked at"
    named = {status: [name for name, s in known.items() if s == status] for status in (HOLDS, OPPOSITE, FAILS, OPEN)}
    if len(named[HOLDS]) == len(known):
        return f"Holds in all {len(known)} cohorts" if len(known) > 1 else "Holds"
    if len(known) == 1:
        return next(iter(known.values())).capitalize()
    parts = [f"Holds in {len(named[HOLDS]) or 'none'} of {len(known)} cohorts"]
    parts += [f"{status} in {', '.join(named[status])}" for status in (OPPOSITE, FAILS, OPEN) if named[status]]
    return "; ".join(parts)


def claim(text, source, how, head, rows, statuses=None):
    """Rows: one for each cohort, its name first. Without statuses there is no verdict, and `how` says why."""
    said = verdict(statuses) if statuses is not None else ""
    if statuses is not None:
        head = [*head, "verdict"]
        rows = [[*row, statuses.get(row[0]) or ""] for row in rows]
    start = f"*{said}.* " if said else ""
    return Claim(text, said, f"### {text}\n\n{start}{source} {how}\n\n{table(['cohort', *head], rows)}")


def index(claims):
    """Every claim with its verdict."""
    return table(["claim", "here"], [[f"[{one.text}](#{one.anchor()})", one.verdict or "no verdict"] for one in claims])
