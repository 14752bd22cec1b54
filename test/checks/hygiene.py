# SPDX-License-Identifier: Apache-2.0
"""Every file says its licence, is short, is finished, and knows nothing of the machine it was written on."""

import re

import tree

WARN, FAIL = 300, 350
SOURCES = {".h", ".cpp", ".py", ".cmake", ".sh", ".js", ".css"}
TEXTS = SOURCES | {".md", ".txt", ".json", ".cff", ".toml", ".in", ".svg", ".supp", ".yml", ""}
# The letters in brackets keep these patterns from finding themselves.
UNFINISHED = re.compile(r"\b(TO[D]O|FIX[M]E|XX[X]|HAC[K])\b")
MACHINE = re.compile(r"(?<![\w.$}])/(wo[r]k|ro[o]t|ho[m]e|fa[r]m|t[m]p|Us[e]rs)/")
# What a method can do is a column of its row; a name in a comparison would have to be found when a method is added.
BY_NAME = re.compile(r"method\w*(?:\(\))?(?:\.|->)name(?:\(\))? [!=]= \"")

# One word for one thing; in comments and sentences these may mean something else.
INSTEAD = {"judge": "evaluate", "judged": "evaluated", "weigh": "evaluate", "heed": "accept", "heeds": "accepts",
           "readings": "measures", "doubts": "warnings", "notices": "warnings"}  # fmt: skip
OTHER_WORD = re.compile(rf"\b({'|'.join(INSTEAD)})(?=_|\b)", re.IGNORECASE)
NOT_CODE = re.compile(r'"(?:[^"\\]|\\.)*"|//.*')


def is_source(path):
    return path.suffix in SOURCES or path.name == "CMakeLists.txt" or path.parts[0] in {"scripts", ".ci"}


def problems_in(path, text):
    found = []
    lines = text.splitlines()
    if is_source(path):
        # A script may have its interpreter first.
        if not any("SPDX-License-Identifier: Apache-2.0" in line for line in lines[:2]):
            found.append(f"{path}:1: the SPDX line is missing")
        if len(lines) > FAIL:
            found.append(f"{path}: {len(lines)} lines, the limit is {FAIL}; split it by role")
        elif len(lines) > WARN:
            print(f"warning: {path}: {len(lines)} lines, {WARN} is where splitting starts to pay")
    for number, line in enumerate(lines, 1):
        if is_source(path) and UNFINISHED.search(line):
            found.append(f"{path}:{number}: unfinished: {line.strip()}")
        if path.suffix in {".cpp", ".h"} and not path.stem.endswith("_test") and BY_NAME.search(line):
            found.append(f"{path}:{number}: a method is told by its name: {line.strip()[:80]}")
        if path.suffix in {".cpp", ".h"} and (word := OTHER_WORD.search(NOT_CODE.sub("", line))):
            found.append(f"{path}:{number}: '{word[1]}' is called {INSTEAD[word[1].lower()]} everywhere else")
        if MACHINE.search(line):
            found.append(f"{path}:{number}: a path of some machine: {line.strip()[:80]}")
    return found


def main():
    problems = []
    for path in tree.files():
        if path.suffix in TEXTS and path.name != "LICENSE":
            problems += problems_in(path, (tree.ROOT / path).read_text(encoding="utf-8"))
    tree.finish(problems, "hygiene")


if __name__ == "__main__":
    main()
