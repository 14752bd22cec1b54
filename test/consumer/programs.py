# SPDX-License-Identifier: Apache-2.0
"""Writes the C++ programs of a page into a folder, each with what the page says it prints: programs.py PAGE FOLDER"""

import pathlib
import re
import shutil
import sys

PROGRAM = re.compile(r"^```cpp\n(.*?)^```\n(?:\n```text\n(.*?)^```)?", re.MULTILINE | re.DOTALL)


def main(page, folder):
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    programs = PROGRAM.findall(page.read_text(encoding="utf-8"))
    if not programs:
        sys.exit(f"programs: {page} has no program")
    for number, (program, output) in enumerate(programs):
        (folder / f"{number}.cpp").write_text(program, encoding="utf-8")
        (folder / f"{number}.txt").write_text(output, encoding="utf-8")


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]))
