# SPDX-License-Identifier: Apache-2.0
"""Every header compiles alone. Usage: headers.py COMPILER BUILD_FOLDER, which holds compile_commands.json

A header that a source of the product includes before anything else is left out: clang-tidy compiles that source, with
nothing precompiled, and so the header alone."""

import concurrent.futures
import itertools
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys

import tidy
import tree

INCLUDE = re.compile(r'^#include ["<]([^">]+)[">]', re.MULTILINE)


def seen_first(commands):
    """The headers that come before all others in a source that clang-tidy looks at."""
    firsts = (INCLUDE.search((tree.ROOT / entry["path"]).read_text()) for entry in tidy.looked_at(commands))
    return {pathlib.Path(first[1]) for first in firsts if first}


def includes_by_room(commands):
    """The folders in which the sources of each room find outside headers, as options of the compiler."""
    found = {}
    for entry in tidy.each_alone(commands):
        file = pathlib.Path(entry["file"])
        if file.is_relative_to(tree.ROOT):
            words = shlex.split(entry["command"])
            systems = [o for a, b in itertools.pairwise(words) if a == "-isystem" for o in (a, b)]
            found.setdefault(file.relative_to(tree.ROOT).parts[0], systems)
    return found


def compile_alone(compiler, header, options):
    """What the compiler says of a file that holds nothing but this include; empty when it is content."""
    command = [
        compiler,
        "-std=c++20",
        "-fsyntax-only",
        "-Wall",
        "-Wextra",
        "-fvisibility=hidden",
        "-Werror",
        "-I",
        str(tree.ROOT),
    ]
    text = f'#include "{header.as_posix()}"\n'
    run = subprocess.run([*command, *options, "-x", "c++", "-"], input=text, text=True, capture_output=True)
    return "" if run.returncode == 0 else f"{header}: does not compile alone\n{run.stderr}"


def main():
    compiler, build = sys.argv[1], pathlib.Path(sys.argv[2])
    commands = json.loads((build / "compile_commands.json").read_text())
    rooms = includes_by_room(commands)
    headers = [p for p in tree.cpp() if p.suffix == ".h" and p.parts[0] in tree.PRODUCT]
    left_out = sorted({p.parts[0] for p in headers} - set(rooms))
    if left_out:
        print(f"left out, for this build does not compile them: {', '.join(left_out)}")
    seen = seen_first(commands)
    whole = len(headers)
    headers = [p for p in headers if p.parts[0] in rooms and p not in seen]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        said = pool.map(lambda header: compile_alone(compiler, header, rooms[header.parts[0]]), headers)
        tree.finish([s for s in said if s], f"{len(headers)} of {whole} headers, the others by their sources")


if __name__ == "__main__":
    main()
