#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""STAPLE by crema against ITK's filter, in the same run on the same files.

    bench/itk_staple.py BUILD_FOLDER [--kind organ,lesions] [--size full] [--repeats 3] [--json FILE]

Needs python3-nibabel and a build with ITK (libinsighttoolkit5-dev), tests and benchmarks. Answers are compared first
and must agree to 1e-6. Then medians are taken of: masks in memory to a map in memory, and files to file, where both
read .nii.gz and write a .nii.gz of 32-bit numbers. crema has two threads; ITK's filter uses one whatever it is given.
"elapsed" is what a clock on the wall shows, "processor" what all threads together were at work; where other programs
want the processors too, the second is the steadier one, though it counts crema's two threads one after the other.

Exits 1 when crema is not 100 times as fast after loading, or not 30 times from files to file.
"""
import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

import nibabel
import numpy

CLOSE = 1e-6
GOALS = {"after loading": 100, "files to file": 30}
OURS_PER_THEIRS = 5  # ours is over too soon to be measured as rarely


def run(*command):
    """Seconds elapsed and on a processor, and what was printed."""
    start = time.perf_counter()
    process = subprocess.Popen([os.fspath(word) for word in command], stdout=subprocess.PIPE)
    printed = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    elapsed = time.perf_counter() - start
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}: exit {process.returncode}")
    return elapsed, usage.ru_utime + usage.ru_stime, printed


def phantom(build, folder, kind, size):
    """The raters' files. ITK 5.2 refuses some that have an sform alone, so they get a qform as well."""
    run(build / "cli/crema", "demo", "-o", folder / kind, "--kind", kind, "--size", size)
    raters = sorted((folder / kind).glob("rater-*.nii.gz"))
    for path in raters:
        image = nibabel.load(path)
        copy = nibabel.Nifti1Image(numpy.array(image.dataobj), image.affine, image.header)
        copy.set_qform(image.affine, 2)
        copy.to_filename(path)
    return raters


def add(times, elapsed, processor):
    times["elapsed"].append(elapsed)
    times["processor"].append(processor)


def files_to_file(build, folder, raters, repeats):
    ours, theirs = folder / "crema.nii.gz", folder / "itk.nii.gz"
    times = {who: {"elapsed": [], "processor": []} for who in ("itk", "crema")}
    fuse = [build / "cli/crema", "fuse", *raters, "-o", ours, "--force", "--quiet", "--method", "staple"]
    fuse += ["--threads", "2"]
    filtering = [build / "test/itk/itk_staple", "float32", theirs, *raters]
    run(*fuse)
    run(*filtering)
    maps = [numpy.asanyarray(nibabel.load(path).dataobj).astype(float) for path in (ours, theirs)]
    difference = float(abs(maps[0] - maps[1]).max())
    if not difference <= CLOSE:
        sys.exit(f"the maps differ by up to {difference}; nothing was timed")
    for _ in range(repeats):
        add(times["itk"], *run(*filtering)[:2])
        for _ in range(OURS_PER_THEIRS):
            add(times["crema"], *run(*fuse)[:2])
    return {"difference": difference, **times}


def report(kind, what, found):
    """Prints one line; says whether the goal is met."""
    medians = {who: {clock: statistics.median(found[who][clock]) for clock in found[who]} for who in ("itk", "crema")}
    found["times_faster"] = {c: medians["itk"][c] / medians["crema"][c] for c in ("elapsed", "processor")}
    met = found["times_faster"]["elapsed"] >= GOALS[what]
    print(f"{kind:8} {what:14}", end="")
    for clock in ("elapsed", "processor"):
        itk, crema = medians["itk"][clock], medians["crema"][clock]
        print(f" {itk:8.2f} s {crema:8.3f} s {itk / crema:6.0f}×", end="")
    print(f"  {found['difference']:.1e}  goal {GOALS[what]}×: {'met' if met else 'missed'}", flush=True)
    return met


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--kind", default="organ,lesions")
    parser.add_argument("--size", default="full")
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--json", type=pathlib.Path, help="write all times there")
    options = parser.parse_args()
    build, all_found, met = options.build.resolve(), {}, True
    load = os.getloadavg()[0]
    print(f"{os.cpu_count()} processors, {load:.1f} programs wanting them at the start; medians of {options.repeats}")
    print(f"{'':23} {'elapsed: ITK':>10} {'crema':>8} {'':7} {'processor: ITK':>12} {'crema':>8} {'':5} difference")
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for kind in options.kind.split(","):
            raters = phantom(build, folder, kind, options.size)
            in_memory = json.loads(run(build / "test/itk/itk_bench", str(options.repeats), *raters)[2])
            through_files = files_to_file(build, folder, raters, options.repeats)
            all_found[kind] = {"after loading": in_memory, "files to file": through_files, "load": load}
            for what in GOALS:
                met = report(kind, what, all_found[kind][what]) and met
    if options.json:
        options.json.write_text(json.dumps(all_found, indent=1) + "\n")
    sys.exit(0 if met else 1)


if __name__ == "__main__":
    main()
