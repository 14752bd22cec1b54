# SPDX-License-Identifier: Apache-2.0
"""Every file says its licence, is short, is finished, and knows nothing of the machine it was written on."""

import collections
import re

import tree

WARN, FAIL = 300, 350
ROOM = 30  # files of a folder; the seeds of the fuzzers are data
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
# What nobody would say aloud, in pages and messages. The changelog stays as it was written.
PLAIN = {
    r"told|tells (?:more|of|apart)": "reported, printed or shown",
    r"asked": "requested or run",
    r"mend(?:ed|s|ing)?": "fix",
    r"heeds?": "accepts",
    r"tamed": "made safe",
    r"anew": "again",
    r"makes? no sense": "is invalid",
    r"one word too many": "unexpected argument",
    r"is no (?:prior|weight|distance|label|level|region|slice|number|size|array|text)": "is not a valid …",
    r"changed places|turn the mask around": "is inverted",
    r"there is to tell": "everything",
    r"stands alone": "is unpaired",
    r"made again": "rebuilt or repeated",
    r"as few as will do": "as small as possible",
    r"is there twice": "appears twice",
    r"put right": "corrected",
    r"which cannot be;": "is impossible",
    r"belongs? to nothing": "is padding",
    r"whoever": "name the person or the program",
}
NOT_PLAIN = [(re.compile(rf"\b(?:{pattern})\b", re.IGNORECASE), instead) for pattern, instead in PLAIN.items()]
LITERAL = re.compile(r"\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'|`[^`\n]*`")
PLACEHOLDER = re.compile(r"\$?\{[^}]*\}")
SPEAKING = {*tree.PRODUCT}
NOT_CODE = re.compile(r'"(?:[^"\\]|\\.)*"|//.*')


def said_by(path, lines):
    """What each line of a page or of a source says to people."""
    if path.suffix == ".md":
        return [""] * len(lines) if path.name == "CHANGELOG.md" else lines
    if path.suffix not in {".cpp", ".h", ".js", ".py"} or path.parts[0] not in SPEAKING:
        return [""] * len(lines)
    if path.stem.endswith("_test") or "tests" in path.parts:
        return [""] * len(lines)
    said, within = [], False
    for line in lines:
        texts = line if within else " ".join(LITERAL.findall(line.partition("//")[0]))
        if path.suffix == ".py" and line.count('"""') % 2 == 1:  # a text of several lines begins or ends
            texts, within = line, not within
        said.append(PLACEHOLDER.sub("", texts))
    return said


def is_source(path):
    if path.suffix == ".md":
        return False
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
    for number, (line, said) in enumerate(zip(lines, said_by(path, lines), strict=True), 1):
        if is_source(path) and UNFINISHED.search(line):
            found.append(f"{path}:{number}: unfinished: {line.strip()}")
        if path.suffix in {".cpp", ".h"} and not path.stem.endswith("_test") and BY_NAME.search(line):
            found.append(f"{path}:{number}: a method is recognised by its name: {line.strip()[:80]}")
        if path.suffix in {".cpp", ".h"} and (word := OTHER_WORD.search(NOT_CODE.sub("", line))):
            found.append(f"{path}:{number}: '{word[1]}' is called {INSTEAD[word[1].lower()]} everywhere else")
        for pattern, instead in NOT_PLAIN:
            if word := pattern.search(said):
                found.append(f"{path}:{number}: '{word[0]}': say plainly: {instead}")
        if MACHINE.search(line):
            found.append(f"{path}:{number}: a path of some machine: {line.strip()[:80]}")
    return found


def full_rooms(paths):
    sizes = collections.Counter(path.parent for path in paths if path.parts[:2] != ("fuzz", "corpus"))
    return [
        f"{room}/: {size} files, the limit is {ROOM}; split it by role" for room, size in sizes.items() if size > ROOM
    ]


def main():
    problems = full_rooms(tree.files())
    for path in tree.files():
        if path.suffix in TEXTS and path.name != "LICENSE":
            problems += problems_in(path, (tree.ROOT / path).read_text(encoding="utf-8"))
    tree.finish(problems, "hygiene")


if __name__ == "__main__":
    main()
