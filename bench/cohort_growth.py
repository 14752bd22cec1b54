#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How a cohort grows: bench/cohort_growth.py build/test/cli/crema [--cases 1000 10000 100000]

Tiny cases (8³ voxels, 3 raters) whose masks are the same few files: what is left is what each case costs besides its
voxels. Plans, runs every shard, runs all of them again with nothing to do, merges all tables, makes the study; prints
processor seconds and peak memory for each step, and by which power of the number of cases they grow. Processor time is
little disturbed by others on the machine. What is measured is printed at once, so that a run that is cut short is not
lost.
"""

import argparse
import math
import os
import pathlib
import subprocess
import tempfile

STEPS = ["plan", "run", "again", "status", "merge", "study"]


def spent(*words):
    """Processor seconds and peak memory in MB."""
    child = subprocess.Popen(list(map(str, words)), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode not in (0, 5):
        raise SystemExit(f"{words}: exit code {child.returncode}")
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def added(parts):
    """All seconds, and the memory of the largest."""
    return sum(seconds for seconds, _ in parts), max(memory for _, memory in parts)


def measure(crema, folder, cases):
    masks = folder / "masks"
    if not masks.exists():
        spent(crema, "demo", "-o", masks, "--size", "8,8,8", "--raters", 3)
        for path in masks.iterdir():
            os.utime(path, (1, 1))
    manifest = folder / f"{cases}.tsv"
    with open(manifest, "w", encoding="utf-8") as file:
        file.write("case\trater\tpath\n")
        for case in range(cases):
            for rater, mask in enumerate(sorted(masks.iterdir())):
                file.write(f"case{case:07}\t{rater}\t{mask}\n")
    run, shards = folder / f"run{cases}", max(1, cases // 1000)
    each = [[crema, "cohort", "run", "--shard", s, "--threads", 1, "-q", "-o", run] for s in range(1, shards + 1)]
    steps = {
        "plan": [[crema, "cohort", "plan", manifest, "-o", run, "--shards", shards, "-q"]],
        "run": each,
        "again": each,
        "status": [[crema, "cohort", "status", run]],
        "merge": [[crema, "cohort", "merge", run, "-q", "--tables", "full"]],
        "study": [[crema, "study", run, "-o", folder / f"study{cases}", "-q"]],
    }
    found = {}
    for step in STEPS:
        found[step] = added([spent(*words) for words in steps[step]])
        print(f"{cases} cases, {step}: {found[step][0]:.2f} s, {found[step][1]:.0f} MB", flush=True)
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("crema", type=pathlib.Path)
    parser.add_argument("--cases", type=int, nargs="+", default=[1000, 10000, 100000])
    parser.add_argument("--folder", help="where to work (default: a folder for temporary files)")
    arguments = parser.parse_args()
    crema, counts = arguments.crema.resolve(), sorted(arguments.cases)
    with tempfile.TemporaryDirectory(dir=arguments.folder) as folder:
        found = {cases: measure(crema, pathlib.Path(folder), cases) for cases in counts}
    print("\n| | " + " | ".join(f"{cases} cases" for cases in counts) + " | growth |")
    print("|---" * (len(counts) + 2) + "|")
    for step in STEPS:
        cells = [f"{seconds:.2f} s, {memory:.0f} MB" for seconds, memory in (found[cases][step] for cases in counts)]
        first, last = found[counts[0]][step][0], found[counts[-1]][step][0]
        power = math.log(last / first) / math.log(counts[-1] / counts[0]) if len(counts) > 1 else math.nan
        print(f"| {step} | " + " | ".join(cells) + f" | {power:.2f} |")


if __name__ == "__main__":
    main()
