#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How fast cohorts go: bench/cohort.py build/test/cli/crema [--cases 1000] [--manifest 100000]

Small cases (64³ voxels, 4 raters) from files to files, beside a shell loop over `crema fuse` and with another method
set; then planning and merging a manifest of many cases whose results are copies. Prints the numbers of docs/cohort.md.
"""

import argparse
import hashlib
import os
import pathlib
import resource
import shutil
import subprocess
import tempfile
import time


def timed(*words, check=True):
    start = time.perf_counter()
    done = subprocess.run(list(map(str, words)), capture_output=True, text=True)
    seconds = time.perf_counter() - start
    if check and done.returncode != 0:
        raise SystemExit(f"{words}: {done.stderr}")
    return seconds, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024


def make_cases(crema, folder, count, different=20):
    """So many cases; a few different ones, the others are links to their bytes under names of their own."""
    folder.mkdir()
    for case in range(count):
        path = folder / f"case{case:06}"
        if case < different:
            kind = ["organ", "lesions"][case % 2]
            timed(crema, "demo", "-o", path, "--size", "64,64,64", "--raters", 4, "--seed", case + 1, "--kind", kind)
        else:
            path.mkdir()
            for mask in (folder / f"case{case % different:06}").iterdir():
                shutil.copy(mask, path / mask.name)


def small_cases(crema, folder, count):
    make_cases(crema, folder / "data", count)
    for name, options in [
        ("jaccard", []),
        ("jaccard, no surfaces", ["--no-surfaces"]),
        ("ten methods of the paper", ["--methods", "paper"]),
    ]:
        run = folder / f"run-{len(os.listdir(folder))}"
        seconds, memory = timed(crema, "cohort", "run", folder / "data", "-o", run, *options)
        print(f"{count} cases, {name}: {seconds:.2f} s, {count / seconds:.0f} cases/s, {memory:.0f} MB", flush=True)
        seconds, _ = timed(crema, "cohort", "run", folder / "data", "-o", run, *options)
        print(f"  again, nothing to do: {seconds:.2f} s", flush=True)
    some = min(count, 50)
    start = time.perf_counter()
    for case in sorted((folder / "data").iterdir())[:some]:
        timed(
            crema,
            "fuse",
            *sorted(case.iterdir()),
            "-o",
            folder / f"{case.name}.nii.gz",
            "--json",
            folder / f"{case.name}.json",
        )
    seconds = time.perf_counter() - start
    print(f"a shell loop over crema fuse: {some / seconds:.0f} cases/s")


def many_cases(crema, folder, count):
    """Plans a manifest of so many cases, gives each the result of one, and merges."""
    one = folder / "one"
    timed(crema, "demo", "-o", one, "--size", "64,64,64", "--raters", 4)
    masks = sorted(one.iterdir())
    manifest = folder / "many.tsv"
    with open(manifest, "w", encoding="utf-8") as file:
        file.write("case\trater\tpath\n")
        for case in range(count):
            for rater, mask in enumerate(masks):
                file.write(f"case{case:07}\t{rater}\t{mask}\n")
    run = folder / "many"
    seconds, memory = timed(crema, "cohort", "plan", manifest, "-o", run, "--shards", 1000)
    print(f"planning {count} cases: {seconds:.1f} s, {memory:.0f} MB", flush=True)
    timed(crema, "cohort", "run", "--shard", 1, "-o", run)
    done = next((run / "cases").iterdir())
    result = (done / "result.json").read_bytes()
    times = (done / "times.csv").read_bytes()
    for case in range(count):
        path = run / "cases" / f"case{case:07}"
        path.mkdir(exist_ok=True)
        own = result[: result.rindex(b',\n  "sha256"')].replace(done.name.encode(), path.name.encode())
        seal = b',\n  "sha256": "%s"\n}\n' % hashlib.sha256(own).hexdigest().encode()
        (path / "result.json").write_bytes(own + seal)
        (path / "times.csv").write_bytes(times.replace(done.name.encode(), path.name.encode()))
    seconds, memory = timed(crema, "cohort", "merge", run)
    print(f"merging {count} cases: {seconds:.1f} s, {memory:.0f} MB, {len(result)} bytes each")
    seconds, memory = timed(crema, "cohort", "status", run, check=False)
    print(f"status of {count} cases: {seconds:.1f} s")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("crema", type=pathlib.Path)
    parser.add_argument("--cases", type=int, default=1000)
    parser.add_argument("--manifest", type=int, default=100000)
    parser.add_argument("--folder", help="where to work (default: a folder for temporary files)")
    arguments = parser.parse_args()
    crema = arguments.crema.resolve()
    with tempfile.TemporaryDirectory(dir=arguments.folder) as folder:
        folder = pathlib.Path(folder)
        if arguments.cases:
            (folder / "small").mkdir()
            small_cases(crema, folder / "small", arguments.cases)
        if arguments.manifest:
            many_cases(crema, folder, arguments.manifest)


if __name__ == "__main__":
    main()
