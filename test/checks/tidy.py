# SPDX-License-Identifier: Apache-2.0
"""clang-tidy finds nothing in the sources. BUILD_FOLDER holds compile_commands.json.

Usage: tidy.py BUILD_FOLDER --all        every source of the program, the library and the Python package
       tidy.py BUILD_FOLDER --changed    those that differ from the main branch, themselves or by a header they include

Sources that are compiled together are read together, in half the time; alone.py compiles each of them alone. What was
clean is read again only after it, a header it includes or the settings have changed.
Tests are left out: the macros of GoogleTest and RapidCheck are most of what would be read."""

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
HEADERS = "({})/.*\\.(h|cpp)$".format("|".join(tree.PRODUCT))
# clang cannot read what GCC has precompiled, nor has it all of its options.
PRECOMPILED = re.compile(
    r" -include \S*cmake_pch\.hxx| -Winvalid-pch| -fpch-preprocess| -Xclang \S*cmake_pch\S*| --param \S+"
)


def digest(*parts):
    return hashlib.sha256(b"\0".join(parts)).hexdigest()


def product_sources(entry):
    """The sources of the product that a command compiles, tests and benchmarks left out."""
    file = pathlib.Path(entry["file"])
    if file.parent.name == "together":
        names = [pathlib.Path(name) for name in INCLUDE.findall(file.read_text())]
    else:
        names = [file.relative_to(tree.ROOT)] if file.is_relative_to(tree.ROOT) else []
    return [n for n in names if n.parts[0] in tree.PRODUCT and not n.stem.endswith(("_test", "_bench"))]


def batches(commands):
    """The commands of a build that compile sources of the product, as clang understands them, with those sources."""
    found = ({**entry, "paths": product_sources(entry)} for entry in commands)
    return [{**entry, "command": PRECOMPILED.sub("", entry["command"])} for entry in found if entry["paths"]]


def for_clang_tidy(entry, folder):
    """The command of a batch, whose file is copied under a name by which clang's analyser knows that the sources in it
    are to be analysed like a main file."""
    file = pathlib.Path(entry["file"])
    if file.parent.name != "together":
        return entry
    copy = folder / f"UnifiedSource-{file.name}"
    if not copy.exists() or copy.read_bytes() != file.read_bytes():
        copy.write_bytes(file.read_bytes())
    return {**entry, "file": str(copy), "command": entry["command"].replace(entry["file"], str(copy))}


def closure(path, seen=None):
    """The file and every header of the tree that it includes, directly or not."""
    seen = {} if seen is None else seen
    if path not in seen and (tree.ROOT / path).exists():
        seen[path] = (tree.ROOT / path).read_bytes()
        for included in INCLUDE.findall(seen[path].decode()):
            closure(pathlib.Path(included), seen)
    return seen


def closure_of(entry):
    """The same of all sources of a batch."""
    seen = {}
    for path in entry["paths"]:
        closure(path, seen)
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


def findings(folder, file):
    """What clang-tidy says against this file; empty when it is clean."""
    # The sources are compiled with another compiler, which has warnings of its own to switch off.
    command = [TIDY, "-quiet", "-p", str(folder), f"--config-file={tree.ROOT / '.clang-tidy'}",
               f"-header-filter={HEADERS}", "--extra-arg=-Wno-unknown-warning-option"]  # fmt: skip
    # That is what a batch is.
    run = subprocess.run([*command, "--checks=-bugprone-suspicious-include", file], text=True, capture_output=True)
    if run.returncode == 0:
        return []
    found = re.findall(r"^.*(?:warning|error): .*$", run.stdout, re.MULTILINE)
    return found or [f"{file}: clang-tidy failed: {run.stdout}{run.stderr}"]


def chosen(entries, how):
    if how == "--all":
        return entries
    changed = changed_files()
    if pathlib.Path(".clang-tidy") in changed:
        return entries
    return [entry for entry in entries if changed & closure_of(entry).keys()]


def main():
    build = pathlib.Path(sys.argv[1]).resolve()
    stamps = build / "tidy"
    stamps.mkdir(exist_ok=True)
    settings = (tree.ROOT / ".clang-tidy").read_bytes() + HEADERS.encode()
    commands = json.loads((build / "compile_commands.json").read_text())
    entries = [for_clang_tidy(entry, stamps) for entry in batches(commands)]
    database = [{key: entry[key] for key in ("directory", "command", "file")} for entry in entries]
    (stamps / "compile_commands.json").write_text(json.dumps(database))

    def check(entry):
        stamp = stamps / digest(settings, entry["command"].encode(), *closure_of(entry).values())
        if stamp.exists():
            return []
        found = findings(stamps, entry["file"])
        if not found:
            stamp.touch()
        return found

    # The longest come first, so that no processor waits for the last one.
    picked = sorted(chosen(entries, sys.argv[2]), key=lambda entry: -len(entry["paths"]))
    covered = {path.parts[0] for entry in entries for path in entry["paths"]}
    missing = {p.parts[0] for p in tree.cpp() if p.parts[0] in tree.PRODUCT} - covered
    problems = [
        f"{room}/: not in this build, so it is not checked (python/ requires -DCREMA_BINDINGS=ON)"
        for room in sorted(missing)
    ]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        problems += [p.replace(f"{tree.ROOT}/", "") for found in pool.map(check, picked) for p in found]
    count = sum(len(entry["paths"]) for entry in picked)
    tree.finish(sorted(set(problems)), f"tidy on {count} of {sum(len(entry['paths']) for entry in entries)} sources")


if __name__ == "__main__":
    main()
