# SPDX-License-Identifier: Apache-2.0
"""clang-tidy finds nothing in the sources. BUILD_FOLDER holds compile_commands.json.

Usage: tidy.py BUILD_FOLDER --all        every source of the program, the library and the Python package
       tidy.py BUILD_FOLDER --changed    those that differ from the main branch, themselves or by a header they include

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

# PyPI's passes over the headers of others, which are most of what Debian's reads: a quarter of the time.
TIDY = str(pathlib.Path(sys.executable).with_name("clang-tidy"))
INCLUDE = re.compile(r'^#include "([^"]+)"', re.MULTILINE)
HEADERS = "({})/.*\\.h$".format("|".join(tree.PRODUCT))
# clang cannot read what GCC has precompiled, nor has it all of its options.
PRECOMPILED = re.compile(
    r" -include \S*cmake_pch\.hxx| -Winvalid-pch| -fpch-preprocess| -Xclang \S*cmake_pch\S*| --param \S+"
)


def digest(*parts):
    return hashlib.sha256(b"\0".join(parts)).hexdigest()


def each_alone(commands):
    """The commands of a build, with one for each source of those that are compiled together."""
    for entry in commands:
        file = pathlib.Path(entry["file"])
        if file.parent.name == "together":
            for source in INCLUDE.findall(file.read_text()):
                alone = str(tree.ROOT / source)
                yield {**entry, "file": alone, "command": entry["command"].replace(entry["file"], alone)}
        else:
            yield entry


def looked_at(commands):
    """Those commands of a build that are for sources looked at here, as clang understands them."""
    found = []
    for entry in each_alone(commands):
        file = pathlib.Path(entry["file"])
        if file.is_relative_to(tree.ROOT) and not file.stem.endswith(("_test", "_bench")):
            path = file.relative_to(tree.ROOT)
            if path.parts[0] in tree.PRODUCT:
                found.append({**entry, "command": PRECOMPILED.sub("", entry["command"]), "path": path})
    return found


def closure(path, seen=None):
    """The file and every header of the tree that it includes, directly or not."""
    seen = {} if seen is None else seen
    if path not in seen and (tree.ROOT / path).exists():
        seen[path] = (tree.ROOT / path).read_bytes()
        for included in INCLUDE.findall(seen[path].decode()):
            closure(pathlib.Path(included), seen)
    return seen


def git(*words):
    run = subprocess.run(["git", "-C", str(tree.ROOT), *words], text=True, capture_output=True)
    return run.stdout.strip() if run.returncode == 0 else ""


def changed_files():
    """What differs from where this branch left the main one, committed or not."""
    base = git("merge-base", "HEAD", "origin/main") or git("merge-base", "HEAD", "main") or "HEAD"
    names = (
        git("diff", "--name-only", base).splitlines() + git("ls-files", "--others", "--exclude-standard").splitlines()
    )
    return {pathlib.Path(name) for name in names}


def look_at(folder, path):
    """What clang-tidy says against this file; empty when it is clean."""
    # The sources are compiled with another compiler, which has warnings of its own to switch off.
    command = [TIDY, "-quiet", "-p", str(folder), f"-header-filter={HEADERS}"]
    run = subprocess.run([*command, "--extra-arg=-Wno-unknown-warning-option", str(tree.ROOT / path)],
                         text=True, capture_output=True)  # fmt: skip
    if run.returncode == 0:
        return []
    said = re.findall(r"^.*(?:warning|error): .*$", run.stdout, re.MULTILINE)
    return said or [f"{path}: clang-tidy failed: {run.stdout}{run.stderr}"]


def chosen(commands, how):
    if how == "--all":
        return commands
    changed = changed_files()
    if pathlib.Path(".clang-tidy") in changed:
        return commands
    return [entry for entry in commands if changed & closure(entry["path"]).keys()]


def main():
    build = pathlib.Path(sys.argv[1]).resolve()
    stamps = build / "tidy"
    stamps.mkdir(exist_ok=True)
    settings = (tree.ROOT / ".clang-tidy").read_bytes() + HEADERS.encode()
    commands = looked_at(json.loads((build / "compile_commands.json").read_text()))
    database = [{key: entry[key] for key in ("directory", "command", "file")} for entry in commands]
    (stamps / "compile_commands.json").write_text(json.dumps(database))

    def check(entry):
        stamp = stamps / digest(settings, entry["command"].encode(), *closure(entry["path"]).values())
        if stamp.exists():
            return []
        said = look_at(stamps, entry["path"])
        if not said:
            stamp.touch()
        return said

    picked = chosen(commands, sys.argv[2])
    missing = {p.parts[0] for p in tree.cpp() if p.parts[0] in tree.PRODUCT} - {e["path"].parts[0] for e in commands}
    problems = [
        f"{room}/: not in this build, so nothing looks at it (python/ wants -DCREMA_BINDINGS=ON)"
        for room in sorted(missing)
    ]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        problems += [p.replace(f"{tree.ROOT}/", "") for said in pool.map(check, picked) for p in said]
    tree.finish(sorted(set(problems)), f"tidy on {len(picked)} of {len(commands)} sources")


if __name__ == "__main__":
    main()
