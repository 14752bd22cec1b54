# SPDX-License-Identifier: Apache-2.0
"""clang-tidy finds nothing in the sources. Usage: tidy.py BUILD_FOLDER, which holds compile_commands.json

A file that was clean is looked at again only after it, a header it includes or the settings have changed.
Tests are left out: the macros of GoogleTest and RapidCheck are most of what would be looked at."""
import concurrent.futures
import hashlib
import json
import os
import pathlib
import re
import subprocess
import sys

import tree

FOLDERS = {"crema", "files", "cli"}
INCLUDE = re.compile(r'^#include "([^"]+)"', re.MULTILINE)


def digest(*parts):
    return hashlib.sha256(b"\0".join(parts)).hexdigest()


def sources(build):
    """What the build compiles, tests and benchmarks left out, relative to the root."""
    for entry in json.loads((build / "compile_commands.json").read_text()):
        file = pathlib.Path(entry["file"])
        if file.is_relative_to(tree.ROOT) and not file.stem.endswith(("_test", "_bench")):
            path = file.relative_to(tree.ROOT)
            if path.parts[0] in FOLDERS:
                yield path, entry["command"].encode()


def closure(path, seen=None):
    """The file and every header of the tree that it includes, directly or not."""
    seen = {} if seen is None else seen
    if path not in seen and (tree.ROOT / path).exists():
        seen[path] = (tree.ROOT / path).read_bytes()
        for included in INCLUDE.findall(seen[path].decode()):
            closure(pathlib.Path(included), seen)
    return seen


def look_at(build, path):
    """What clang-tidy says against this file; empty when it is clean."""
    # The sources are compiled with another compiler, which has warnings of its own to switch off.
    run = subprocess.run(["clang-tidy", "-quiet", "-p", str(build), "--extra-arg=-Wno-unknown-warning-option",
                          str(tree.ROOT / path)], text=True, capture_output=True)
    if run.returncode == 0:
        return []
    said = re.findall(r"^.*(?:warning|error): .*$", run.stdout, re.MULTILINE)
    return said or [f"{path}: clang-tidy failed: {run.stdout}{run.stderr}"]


def main():
    build = pathlib.Path(sys.argv[1]).resolve()
    stamps = build / "tidy"
    stamps.mkdir(exist_ok=True)
    settings = (tree.ROOT / ".clang-tidy").read_bytes()

    def check(item):
        path, command = item
        stamp = stamps / digest(settings, command, *closure(path).values())
        if stamp.exists():
            return []
        said = look_at(build, path)
        if not said:
            stamp.touch()
        return said

    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        problems = [p.replace(f"{tree.ROOT}/", "") for said in pool.map(check, sources(build)) for p in said]
    tree.finish(sorted(set(problems)), "tidy")


if __name__ == "__main__":
    main()
