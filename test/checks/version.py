# SPDX-License-Identifier: Apache-2.0
"""The version is that of pyproject.toml, wherever it has to be repeated, and the changelog has it with its date."""

import datetime
import re

import tree

DECLARED = re.compile(r'^version = "(\d+\.\d+\.\d+)"$', re.MULTILINE)
CITED = re.compile(r"^version: (\S+)$", re.MULTILINE)
RECORDED = re.compile(r'"crema": "(\d[^"]*)"')
HEADING = re.compile(r"^## \[?([^\]\s]+)\]?(?: — (\S+))?$", re.MULTILINE)


def is_date(text):
    try:
        return datetime.date.fromisoformat(text or "") is not None
    except ValueError:
        return False


def problems_in(project, changelog, citation, pages=None):
    (version,) = DECLARED.findall(project)
    found = []
    # What is not released yet has no version.
    top, date = next((one for one in HEADING.findall(changelog) if one[0] != "Unreleased"), ("none", ""))
    if top != version:
        found.append(f"CHANGELOG.md: the newest version is {top}, pyproject.toml says {version}")
    if not is_date(date):
        found.append(f"CHANGELOG.md: {top} has no date: write '## [{top}] — YEAR-MONTH-DAY'")
    for cited in CITED.findall(citation):
        if cited != version:
            found.append(f"CITATION.cff: version {cited}, pyproject.toml says {version}")
    for name, page in (pages or {}).items():
        for shown in RECORDED.findall(page):
            if shown != version:
                found.append(f"{name}: a record of version {shown}, pyproject.toml says {version}")
    return found


def main():
    texts = [
        (tree.ROOT / name).read_text(encoding="utf-8") for name in ("pyproject.toml", "CHANGELOG.md", "CITATION.cff")
    ]
    pages = {path.name: path.read_text(encoding="utf-8") for path in sorted(tree.ROOT.glob("docs/*.md"))}
    tree.finish(problems_in(*texts, pages), "version")


if __name__ == "__main__":
    main()
