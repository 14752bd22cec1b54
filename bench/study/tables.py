# SPDX-License-Identifier: Apache-2.0
"""The tables of the studied cohorts, and cells of them next to the paper's."""

import csv
import json
import math


def number(text):
    return None if text in ("", None) else float(text)


def shown(value, digits=3):
    """With so many digits, never with an exponent."""
    if value is None:
        return "–"
    if abs(value) < 1e-9:  # rounding
        return "0"
    places = digits - 1 - math.floor(math.log10(abs(value)))
    return f"{value:.{max(0, places)}f}"


def percent(value):
    """At least one place, so that a small change is not told as none."""
    if value is None:
        return "–"
    return f"{value:+.2f} %" if abs(value) < 10 else f"{value:+.0f} %"


PLAIN = {"blocks": ("", "subcrown"), "empty_test": ("", "true"), "slice_wise": ("",), "prior": ("", "mean"),
         "region": ("", "full")}  # fmt: skip


class Cohort:
    def __init__(self, folder, dataset):
        self.name, self.dataset, self.folder = folder.name, dataset, folder
        self.facts = json.loads((folder / "facts.json").read_text())
        self.tables = {}
        for path in (folder / "tables").glob("*.csv"):
            with open(path, newline="", encoding="utf-8") as file:
                self.tables[path.stem] = list(csv.DictReader(file))

    def rows(self, table, **wanted):
        """Rows with those values; what is not named is as a plain run has it."""
        wanted = {**{k: v for k, v in PLAIN.items() if k not in wanted}, **wanted}
        fits = lambda row: all(  # noqa: E731
            column not in row or row[column] in (values if isinstance(values, tuple) else (values,))
            for column, values in wanted.items()
        )
        return [row for row in self.tables.get(table, []) if fits(row)]

    def value(self, table, column, **wanted):
        found = self.rows(table, **wanted)
        return number(found[0][column]) if found else None

    def cases(self, table, column, **wanted):
        found = self.rows(table, **wanted)
        return int(found[0].get(f"{column}_cases") or found[0]["cases"]) if found else 0

    def run_table(self, name):
        with open(self.folder / "run" / f"{name}.csv", newline="", encoding="utf-8") as file:
            return list(csv.DictReader(file))


def table(head, rows):
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows]) + "\n"
