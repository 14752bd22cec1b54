# SPDX-License-Identifier: Apache-2.0
"""British spelling in prose: Markdown outside code, and comments that are whole lines of C++."""

import re

import tree

AMERICAN = re.compile(
    r"\b(colou?rs?|neighbors?|neighborhoods?|centers?|centered|behaviors?|gray|grayscale|labeled|labeling|"
    r"(?:optim|minim|maxim|normal|initial|parallel|general|vector|organ|recogn|summar|visual|real|serial)"
    r"iz(?:e|es|ed|er|ers|ing|ation|ations)|analyz(?:e|ed|es|ing))\b",
    re.IGNORECASE,
)
# Proper names keep their own spelling.
NAMES = re.compile(r"Heuristics-based IterATive Optimization|Analyze 7\.5")
BRITISH = re.compile(r"^(colour|colours)$", re.IGNORECASE)
CODE = re.compile(r"`[^`]*`|<[^<>]*>")


def prose(path, text):
    """(line number, words) for what is written for people."""
    fenced = False
    for number, line in enumerate(text.splitlines(), 1):
        if path.suffix == ".md":
            if line.lstrip().startswith("```"):
                fenced = not fenced
            elif not fenced and not line.startswith("    "):
                yield number, line
        elif line.lstrip().startswith("//"):
            yield number, line


def problems_in(path, text):
    found = []
    for number, line in prose(path, text):
        for match in AMERICAN.finditer(NAMES.sub("", CODE.sub("", line))):
            if not BRITISH.match(match.group()):
                found.append(f"{path}:{number}: '{match.group()}' is not how the rest is spelt")
    return found


def main():
    problems = []
    for path in tree.files():
        if path.suffix in {".md", ".h", ".cpp"}:
            problems += problems_in(path, (tree.ROOT / path).read_text(encoding="utf-8"))
    tree.finish(problems, "spelling")


if __name__ == "__main__":
    main()
