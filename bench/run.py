#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Measures all numbers of docs/performance.md; run by scripts/bench, which makes what it needs.

    bench/run.py BUILD_FOLDER DATA_FOLDER [--quick] [--only NAME[,NAME]] [--page]

Answers are compared first. Then each piece of work is timed in turn with what it is measured against, and one table is
printed. A full run writes bench/results.json, docs/pictures/bench-*.svg and the tables of docs/performance.md; with
--only the other rows of results.json stay. --page writes page and plots again from results.json. A quick run writes
into the data folder. Exits with 1 when answers differ, and when a bar is missed at full size.
"""

import argparse
import dataclasses
import datetime
import importlib.metadata
import json
import os
import pathlib
import platform
import re
import subprocess
import sys

import plots
from page import fill, on_terminal

ROOT = pathlib.Path(__file__).resolve().parents[1]
PEERS = ("connected-components-3d", "edt", "numpy", "scipy", "SimpleITK")
BUSY = 0.5  # programs wanting the processors, above which times are not to be trusted


def sections():
    """What can be measured, in the order of the table: bars, then plots."""
    import bars_files
    import bars_scipy
    import bars_stages
    import sweeps

    bars = {
        "floor": bars_files.floor,
        "itk": bars_files.itk,
        "simpleitk": bars_stages.simple_itk,
        "memory-to-memory": bars_stages.components_and_distances,
        "ten": bars_files.ten_methods,
        "scipy": bars_scipy.reading,
        "background": bars_stages.background,
        "memory": bars_files.memory,
        "huge": bars_files.huge,
        "raters": bars_files.raters,
        "start-up": bars_files.start_up,
    }
    curves = {
        f"plot-{f.__name__}": f
        for f in (sweeps.voxels, sweeps.raters, sweeps.components, sweeps.background, sweeps.threads)
    }
    return bars, curves


def first_match(pattern, path, otherwise):
    try:
        found = re.search(pattern, pathlib.Path(path).read_text(), re.MULTILINE)
    except OSError:
        found = None
    return found.group(1).strip() if found else otherwise


def about_machine():
    memory = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    return {
        "processor": first_match(r"^model name\s*:\s*(.*)$", "/proc/cpuinfo", platform.machine()),
        "processors": os.cpu_count(),
        "memory_gb": round(memory / 1e9),
        "system": first_match(r'^PRETTY_NAME="(.*)"', "/etc/os-release", platform.system())
        + f", Linux {'.'.join(platform.release().split('.')[:2])}",
    }


def about_versions(bench):
    crema = subprocess.run([bench.crema, "--version"], capture_output=True, text=True).stdout.split()
    compiler = first_match(
        r'CMAKE_CXX_COMPILER_VERSION "(.*?)"',
        next(bench.build.glob("CMakeFiles/*/CMakeCXXCompiler.cmake"), "none"),
        "unknown",
    )
    itk = first_match(r"ITK-(\d\.\d)", bench.build / "compile_commands.json", "unknown")
    versions = {"crema": crema[1] if len(crema) > 1 else "unknown", "g++": compiler, "ITK": itk}
    return versions | {name: importlib.metadata.version(name) for name in PEERS}


def new_results(bench, load):
    now = datetime.datetime.now(datetime.timezone.utc)
    return {
        "date": now.strftime("%Y-%m-%d"),
        "machine": about_machine(),
        "versions": about_versions(bench),
        "load": load,
        "runs": bench.runs,
        "rows": [],
        "plots": [],
    }


def merge(old, new):
    """The new rows and plots in place of those of the same name, the others as they were, in the table's order."""
    for part in ("rows", "plots"):
        fresh = {item["name"]: item for item in new[part]}
        kept = [fresh.pop(item["name"], item) for item in old[part]]
        new[part] = kept + list(fresh.values())
    return new


def measure(bench, wanted, results, save):
    bars, curves = sections()
    for name in [name for name in bars if name in wanted]:
        print(f"\n{name}", flush=True)
        rows = [dataclasses.asdict(row) for row in bars[name](bench)]
        results["rows"] += rows
        print(on_terminal(rows), flush=True)
        for row in rows:
            if row["note"]:
                print(f"  {row['name']}: {row['note']}", flush=True)
        save()
    for name in [name for name in curves if name in wanted]:
        print(f"\n{name}", flush=True)
        for plot in curves[name](bench):
            results["plots"].append(dataclasses.asdict(plot))
            for line in plot.lines:
                print(f"  {line.name}: " + ", ".join(f"{x:.4g}: {y:.4g} ms" for x, y in line.points), flush=True)
        save()


def write_page(results, pictures, page):
    plots.write(pictures, results["plots"])
    page.write_text(fill(page.read_text(), results))


def choose(only):
    bars, curves = sections()
    known = {**bars, **curves}
    wanted = only.split(",") if only else list(known)
    for name in wanted:
        if name not in known:
            sys.exit(f"there is no '{name}'; there are {', '.join(known)}")
    return wanted


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("data", type=pathlib.Path)
    parser.add_argument("--quick", action="store_true", help="small sizes, to see that everything works")
    parser.add_argument("--only", metavar="NAME", help="measure these alone")
    parser.add_argument("--runs", type=int, help="runs of each, at least 5 for a result (default: 7, quick 5)")
    parser.add_argument("--page", action="store_true", help="measure nothing, write page and plots again")
    options = parser.parse_args()
    kept, page = ROOT / "bench/results.json", ROOT / "docs/performance.md"
    if options.page:
        return write_page(json.loads(kept.read_text()), ROOT / "docs/pictures", page)
    import answers
    import cases

    options.data.mkdir(parents=True, exist_ok=True)
    bench = cases.Bench(
        options.build.resolve(),
        options.data.resolve(),
        cases.QUICK if options.quick else cases.FULL,
        options.runs or (5 if options.quick else 7),
        options.quick,
    )
    wanted = choose(options.only)
    load = os.getloadavg()[0]
    if load > BUSY:
        print(f"{load:.1f} programs want the processors already: the times will be noisy", file=sys.stderr)
    path = options.data / "quick.json" if options.quick else kept
    results = new_results(bench, load)
    old = json.loads(path.read_text()) if options.only and path.exists() else {"rows": [], "plots": []}

    def save():
        path.write_text(json.dumps(merge(old, dict(results)), indent=1, ensure_ascii=False) + "\n")

    print("Comparing answers", flush=True)
    answers.compare_all(bench, wanted)
    measure(bench, wanted, results, save)
    everything = merge(old, dict(results))
    print("\n" + on_terminal(everything["rows"]))
    if options.quick:
        return print("\nThe bars are meant for full sizes.")
    if everything["plots"] and everything["rows"]:
        write_page(everything, ROOT / "docs/pictures", page)
    sys.exit(1 if any(row["met"] is False for row in results["rows"]) else 0)


if __name__ == "__main__":
    main()
