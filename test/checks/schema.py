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
    rows = re.split(r"\|(?:---\|)+\n", text[text.index(mark):], 1)[1].split("\n\n", 1)[0]
    return re.findall(r"^\| `(\w+)` \|", rows, re.MULTILINE)


# Fields of the second table that a run with the usual options has, by method.
SOMETIMES = {"jaccard": ["blocks", "empty_test"], "average": []}


def record(crema, folder, method):
    demo = [crema, "demo", "-o", folder / "raters", "--size", "16,16,4", "--raters", "3", "--force"]
    subprocess.run(demo, check=True, capture_output=True)
    raters = sorted((folder / "raters").glob("rater-*.nii.gz"))
    out = folder / f"{method}.nii.gz"
    run = subprocess.run([crema, "fuse", *raters, "-o", out, "--method", method, "--json", "-", "--quiet"], check=True,
                         capture_output=True)
    return json.loads(run.stdout)


def compare(what, documented, found):
    return [f"{what}: '{f}' is in docs/formats.md, but not in a record" for f in documented if f not in found] + [
        f"{what}: '{f}' is in a record, but not in docs/formats.md" for f in found if f not in documented]


def main():
    text = (tree.ROOT / "docs/formats.md").read_text(encoding="utf-8")
    problems = []
    with tempfile.TemporaryDirectory() as folder:
        for method in ("jaccard", "average"):
            made = record(os.environ["CREMA"], pathlib.Path(folder), method)
            sometimes = fields_after(text, "\nWhere they apply")
            problems += [f"'{f}' is missing from docs/formats.md" for f in SOMETIMES[method] if f not in sometimes]
            problems += compare(method, fields_after(text, "## The record") + SOMETIMES[method], made)
            problems += compare(f"{method}, a rater", fields_after(text, "\nA rater:"), made["raters"][0])
            problems += compare(f"{method}, a component", fields_after(text, "\nA component:"),
                                made["component_table"][0])
    tree.finish(problems, "schema")


if __name__ == "__main__":
    main()
