#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Instructions per voxel of the hot kernels, which no other program on the machine can upset.

    bench/instructions.py CREMA_KERNELS [--update]

Runs crema_kernels, a small phantom on one thread, under callgrind and compares with bench/kernels.json: exits with 1
when a kernel takes over 15 % more, with 77 (skipped) where counts cannot be compared. The processor is the one that
valgrind makes believe, which has AVX2 where the machine has and never AVX-512. --update writes what is found.
"""

import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

KEPT = pathlib.Path(__file__).resolve().parent / "kernels.json"
MOST = 1.15
LEAST = 0.85  # below this the numbers kept guard nothing any more
SMALL = 0.2  # instructions per voxel that no one need look at
SKIPPED = 77


def skip(why):
    print(f"skipped: {why}")
    sys.exit(SKIPPED)


def about(program):
    """What counts depend on besides the sources."""
    done = subprocess.run([program, "--about"], stdout=subprocess.PIPE, text=True)
    if done.returncode != 0:
        skip(done.stdout.strip() or "crema_kernels does not run")
    flags = pathlib.Path("/proc/cpuinfo").read_text() if pathlib.Path("/proc/cpuinfo").exists() else ""
    return {"compiled": done.stdout.strip(), "vectors": "AVX2" if " avx2" in flags else "none"}


def count(program):
    """Name of each kernel -> instructions per voxel."""
    with tempfile.TemporaryDirectory() as folder:
        out = pathlib.Path(folder) / "count"
        done = subprocess.run(
            ["valgrind", "--tool=callgrind", "--instr-atstart=no", f"--callgrind-out-file={out}", program, folder],
            capture_output=True,
            text=True,
        )
        if done.returncode != 0:
            sys.exit(f"crema_kernels under valgrind: exit {done.returncode}\n{done.stdout}{done.stderr}")
        instructions = {}
        for dump in pathlib.Path(folder).glob("count.*"):
            words = dump.read_text(errors="replace")
            name = re.search(r"^desc: Trigger: Client Request: (.*)$", words, re.MULTILINE)
            total = re.search(r"^(?:summary|totals): (\d+)", words, re.MULTILINE)
            if name and total:
                instructions[name.group(1)] = int(total.group(1))
    voxels = dict(line.rsplit(" ", 1) for line in done.stdout.splitlines())
    missing = voxels.keys() - instructions.keys()
    if missing or not voxels:
        sys.exit(f"callgrind counted nothing for: {', '.join(sorted(missing)) or 'any kernel'}")
    return {name: round(instructions[name] / int(n), 3) for name, n in voxels.items()}


def check(found, kept):
    """Prints each kernel; the names of those that take too many instructions, or are not in the list."""
    bad = []
    for name in sorted(found.keys() | kept.keys()):
        now, before = found.get(name), kept.get(name)
        if now is None or before is None:
            bad.append(name)
            print(f"{name:42} {'is not run any more' if now is None else 'is not in kernels.json'}; use --update")
            continue
        word = ""
        if now > before * MOST and now - before > SMALL:
            bad.append(name)
            word = f"over {MOST:g} times what it was"
        elif now < before * LEAST and before - now > SMALL:
            word = "less than it was; --update keeps it so"
        print(f"{name:42} {before:10.2f} → {now:10.2f} per voxel  {word}".rstrip())
    return bad


def main():
    arguments = [word for word in sys.argv[1:] if word != "--update"]
    if len(arguments) != 1:
        sys.exit(__doc__)
    program = pathlib.Path(arguments[0]).resolve()
    if not shutil.which("valgrind"):
        skip("valgrind is not installed")
    here = about(program)
    kept = json.loads(KEPT.read_text()) if KEPT.exists() else {"about": here, "per_voxel": {}}
    if "--update" in sys.argv:
        KEPT.write_text(json.dumps({"about": here, "per_voxel": count(program)}, indent=1) + "\n")
        print(f"written: {KEPT.name}")
        return
    if kept["about"] != here:
        skip(f"the numbers were counted with {kept['about']}, this is {here}")
    bad = check(count(program), kept["per_voxel"])
    if bad:
        sys.exit(f"{len(bad)} kernels take more instructions than they may: {', '.join(bad)}")


if __name__ == "__main__":
    main()
