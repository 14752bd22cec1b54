# SPDX-License-Identifier: Apache-2.0
"""Every link from a Markdown page to a file of the tree leads somewhere, and so does its #section."""

import re

import tree

LINK = re.compile(r"\]\(([^)\s]+)\)|(?:src|href|srcset)=\"([^\"]+)\"")
HEADING = re.compile(r"^#+\s+(.*)$", re.MULTILINE)


def anchors(text):
    """The section names as GitHub makes them."""
    return {re.sub(r"[^\w\- ]", "", h.strip().lower()).replace(" ", "-") for h in HEADING.findall(text)}


def problems_in(path, text, root=tree.ROOT):
    found = []
    for match in LINK.finditer(text):
        target = match.group(1) or match.group(2)
        if re.match(r"[a-z]+:", target):
            continue
        name, _, section = target.partition("#")
        file = (root / path.parent / name) if name else root / path
        if not file.exists():
            found.append(f"{path}: links to {target}, which is not there")
        elif section and section not in anchors(file.read_text(encoding="utf-8")):
            found.append(f"{path}: links to {target}, which has no such section")
    return found


def main():
    problems = []
    for path in tree.files():
        if path.suffix == ".md":
            problems += problems_in(path, (tree.ROOT / path).read_text(encoding="utf-8"))
    tree.finish(problems, "links")


if __name__ == "__main__":
    main()
