# SPDX-License-Identifier: Apache-2.0
"""What the tables of docs/study.md have in common."""

from tables import HEURISTIC, MINIMISER

SOFT = ["tanimoto", "soergel", "dice2", "dice1"]
BOTH = [HEURISTIC, MINIMISER]


def title(label, text):
    return f"### {label}: {text}\n\n"


def named(method, run):
    return f"{method}, minimiser" if run == MINIMISER else method


def theirs(value, unit=""):
    return "" if value is None else f"{value:g}{unit}"


HARD = [("ml-staple", HEURISTIC), ("majority", HEURISTIC), *((m, r) for m in ("jaccard", "dice") for r in BOTH)]
