# SPDX-License-Identifier: Apache-2.0
"""A record has exactly the fields that docs/formats.md lists. The program is in the environment variable CREMA."""

import json
import os
import pathlib
import re
import subprocess
import tempfile

import tree


def fields_after(text, mark):
    """The first column of the first table below a line, in order."""
    rows = re.split(r"\|(?:---\|)+\n", text[text.index(mark) :], maxsplit=1)[1].split("\n\n", 1)[0]
    return re.findall(r"^\| `(\w+)` \|", rows, re.MULTILINE)


# Fields of the second table that a run with the usual options has, by method.
ESTIMATE = [
    "prior",
    "region",
    "sensitivity",
    "specificity",
    "iterations",
    "converged",
    "log_likelihood",
    "background_level",
]
SOMETIMES = {"jaccard": ["blocks", "empty_test"], "average": [], "staple": ESTIMATE, "simple": ESTIMATE}
# What such a method tells of each rater besides; the text below the table has it.
OF_A_RATER = {"staple": ["sensitivity", "specificity"], "simple": ["sensitivity", "specificity", "score", "dropped"]}


def make_raters(crema, folder):
    demo = [crema, "demo", "-o", folder, "--size", "16,16,4", "--raters", "3", "--force"]
    subprocess.run(demo, check=True, capture_output=True)
    return sorted(folder.glob("rater-*.nii.gz"))


def labels_of(crema, folder):
    demo = [crema, "demo", "-o", folder, "--kind", "organ", "--labels", "--size", "24,24,12", "--raters", "3"]
    subprocess.run(demo, check=True, capture_output=True)
    return sorted(folder.glob("rater-*.nii.gz"))


def record(crema, command, raters, *options):
    run = subprocess.run([crema, command, *raters, *options, "--json", "-"], check=True, capture_output=True)
    return json.loads(run.stdout)


def compare(what, documented, found):
    return [f"{what}: '{f}' is in docs/formats.md, but not in a record" for f in documented if f not in found] + [
        f"{what}: '{f}' is in a record, but not in docs/formats.md" for f in found if f not in documented
    ]


def main():
    text = (tree.ROOT / "docs/formats.md").read_text(encoding="utf-8")
    problems = []
    crema = os.environ["CREMA"]
    with tempfile.TemporaryDirectory() as folder:
        raters = make_raters(crema, pathlib.Path(folder) / "raters")
        for method in SOMETIMES:
            result = record(crema, "fuse", raters, "-o", f"{folder}/{method}.nii.gz", "--method", method, "--quiet")
            sometimes = fields_after(text, "\nWhere they apply")
            problems += [f"'{f}' is missing from docs/formats.md" for f in SOMETIMES[method] if f not in sometimes]
            problems += compare(method, fields_after(text, "## The record") + SOMETIMES[method], result)
            of_a_rater = fields_after(text, "\nA rater:") + OF_A_RATER.get(method, [])
            problems += compare(f"{method}, a rater", of_a_rater, result["raters"][0])
            problems += compare(
                f"{method}, a component", fields_after(text, "\nA component:"), result["component_table"][0]
            )
        maps = labels_of(crema, pathlib.Path(folder) / "maps")
        result = record(crema, "fuse", maps, "-o", f"{folder}/labels.nii.gz", "--labels", "all", "--quiet")
        known = ["labels", "label_table", *SOMETIMES["jaccard"]]  # text and a row of two names have the first
        known += fields_after(text, "## The record") + fields_after(text, "\nWith [several labels]")
        problems += compare("labels", [], [f for f in result if f not in known])
        for own in result["structures"]:
            problems += compare("a structure", fields_after(text, "A structure has of its own"), own)
            problems += compare("a structure, a rater", fields_after(text, "\nA rater:"), own["raters"][0])
            of_a_component = fields_after(text, "\nA component:")
            problems += compare("a structure, a component", of_a_component, own["component_table"][0])
        result = record(crema, "background", raters)
        problems += compare("background", fields_after(text, "## The study of the background"), result)
        problems += compare("background, a curve", fields_after(text, "\nA curve:"), result["curves"][0])
        result = record(crema, "check", raters)
        problems += compare("check", fields_after(text, "## What check found"), result)
        problems += compare("check, a rater", fields_after(text, "A checked rater:"), result["raters"][0])
        result = record(crema, "agreement", raters)
        problems += compare("agreement", fields_after(text, "## The record of agreement"), result)
        problems += compare("agreement, a consensus", fields_after(text, "\nA consensus:"), result["consensuses"][0])
        result = record(crema, "compare", raters)
        problems += compare("compare", fields_after(text, "## The record of a comparison"), result)
    tree.finish(problems, "schema")


if __name__ == "__main__":
    main()
