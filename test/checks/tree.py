# SPDX-License-Identifier: Apache-2.0
"""The files of the project, as the checks see them."""

import os
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
SKIPPED = {
    ".git",
    "build",
    "demo",
    "dist",
    "__pycache__",
    ".venv",
    ".hypothesis",
    ".mypy_cache",
    ".pytest_cache",
    ".ruff_cache",
}

# The folders that hold C++, and of them those that are installed or shipped.
ROOMS = [
    *("crema", "files", "raters", "plot", "figure", "cohort", "annotations", "study", "report", "web"),
    *("cli", "python", "bench", "test", "fuzz"),
]
PRODUCT = [
    "crema",
    "files",
    "raters",
    "plot",
    "figure",
    "cohort",
    "annotations",
    "study",
    "report",
    "web",
    "cli",
    "python",
]


def files(root=ROOT):
    """Every file of the tree as a path relative to its root, in order."""
    for folder, names, leaves in os.walk(root):
        names[:] = sorted(n for n in names if n not in SKIPPED and not n.startswith("build-"))
        for leaf in sorted(set(leaves) - SKIPPED):
            yield (pathlib.Path(folder) / leaf).relative_to(root)


def cpp(root=ROOT):
    return [p for p in files(root) if p.suffix in {".h", ".cpp"}]


def finish(problems, what):
    """Prints each problem; the exit code says whether there was one."""
    for problem in problems:
        print(problem)
    print(f"{len(problems)} problems" if problems else f"{what}: ok")
    sys.exit(1 if problems else 0)
