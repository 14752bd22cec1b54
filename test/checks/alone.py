# SPDX-License-Identifier: Apache-2.0
"""Every source of the product compiles alone, though a build compiles several together, and so does every header.
Usage: alone.py BUILD_FOLDER, which holds compile_commands.json

clang reads them with common headers of the standard library precompiled, in half the time; includes.py looks for those
that a file forgot. A header that some source includes before anything else is compiled alone with that source."""

import concurrent.futures
import itertools
import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

import includes
import tidy
import tree

INCLUDE = re.compile(r'^#include ["<]([^">]+)[">]', re.MULTILINE)
COMMON = sorted(set(includes.USES) - {"rapidcheck.h"})


def first_include(path):
    found = INCLUDE.search((tree.ROOT / path).read_text())
    return pathlib.Path(found[1]) if found else None


def options_of(command):
    """Where a command finds headers of others, and what it defines."""
    words = shlex.split(command)
    found = [word for word in words if word.startswith(("-I", "-D"))]
    for option, folder in itertools.pairwise(words):
        if option == "-isystem":
            found += [option, folder]
    return found


def to_compile(commands):
    """Each source of the product with its options, and each header that none begins with, with those of its room."""
    entries = tidy.batches(commands)
    sources = {path: options_of(entry["command"]) for entry in entries for path in entry["paths"]}
    rooms = {path.parts[0]: options for path, options in sources.items()}
    firsts = {first_include(path) for path in sources}
    headers = [p for p in tree.cpp() if p.suffix == ".h" and p.parts[0] in rooms and p not in firsts]
    return {**sources, **{path: rooms[path.parts[0]] for path in headers}}


class Compiler:
    """clang with the common headers precompiled into a folder."""

    def __init__(self, folder):
        program = shutil.which("clang++") or "clang++-14"
        self.command = [program, "-std=c++20", "-fPIC", "-fvisibility=hidden", "-w"]
        common = folder / "common.h"
        common.write_text("".join(f"#include <{header}>\n" for header in COMMON))
        self.precompiled = folder / "common.pch"
        subprocess.run([*self.command, "-x", "c++-header", common, "-o", self.precompiled], check=True)

    def errors(self, path, options):
        """What it says of a file that holds nothing but this include; empty when there is no error."""
        command = [*self.command, "-fsyntax-only", "-include-pch", self.precompiled, *options, f"-I{tree.ROOT}"]
        text = f'#include "{path.as_posix()}"\n'
        run = subprocess.run([*command, "-x", "c++", "-"], input=text, text=True, capture_output=True)
        return "" if run.returncode == 0 else f"{path}: does not compile alone\n{run.stderr}"


def main():
    files = to_compile(json.loads((pathlib.Path(sys.argv[1]) / "compile_commands.json").read_text()))
    left_out = sorted(set(tree.PRODUCT) - {path.parts[0] for path in files})
    if left_out:
        print(f"left out, for this build does not compile them: {', '.join(left_out)}")
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        compiler = Compiler(pathlib.Path(folder))
        errors = pool.map(lambda item: compiler.errors(*item), files.items())
        tree.finish([e for e in errors if e], f"{len(files)} sources and headers")


if __name__ == "__main__":
    main()
