# SPDX-License-Identifier: Apache-2.0
"""Bars for the whole program, from files to files."""

import json
import shutil
import subprocess
import sys

import cases
import measuring
from measuring import Row, compare, faster, in_turn, limit, median, not_available

KINDS = ("organ", "lesions")
THREADS = 2
LOW_MEMORY = "--low-memory"


def floor(bench):
    """Against a bare program that inflates all inputs and deflates one mask, and does nothing else."""
    for kind in KINDS:
        raters = bench.phantom(kind)
        bare = [bench.build / "bench/crema_floor", THREADS, bench.data / "floor.nii.gz", *raters]
        samples = in_turn(
            bench.runs,
            {"crema": lambda r=raters: bench.fuse(r, THREADS), "floor": lambda b=bare: measuring.run(*b).elapsed},
        )
        yield compare(
            f"floor {kind}",
            f"files to file, `jaccard`, {kind}, {THREADS} threads",
            samples["crema"],
            samples["floor"],
            "floor",
            at_most=2.5,
        )


def start_up(bench):
    samples = [1e3 * measuring.run(bench.crema, "--version").elapsed for _ in range(4 * bench.runs)]
    yield limit("start-up", "start-up of `crema --version`", samples, 20, "ms")


def ten_methods(bench):
    """The paper's ten methods from one reading and one tally, against the time of one."""
    for kind in KINDS:
        raters = bench.phantom(kind)
        folder = bench.data / "ten"

        def all_ten(raters=raters, folder=folder):
            shutil.rmtree(folder, ignore_errors=True)
            return measuring.run(*bench.fuse_words(raters, folder, THREADS, "paper")).elapsed

        samples = in_turn(bench.runs, {"one": lambda r=raters: bench.fuse(r, THREADS), "ten": all_ten})
        written = sum(path.stat().st_size for path in folder.glob("*.nii.gz"))
        shutil.rmtree(folder, ignore_errors=True)
        yield compare(
            f"ten {kind}",
            f"ten methods of the paper, files to ten files, {kind}, {THREADS} threads",
            samples["ten"],
            samples["one"],
            "`jaccard` alone",
            at_most=2.5,
            note=f"six of the ten write maps of 32-bit numbers; {written / 1e6:.1f} MB in all",
        )
        yield from ten_in_memory(bench, kind)


def ten_in_memory(bench, kind):
    with measuring.Served(bench.build, kind=kind, size=getattr(bench.sizes, kind)) as served:
        solved = []

        def ten():
            answer = served.ask("paper", THREADS)
            solved.append((answer["tallied"] + answer["solved"]) / 1e3)
            return answer["ms"] / 1e3

        samples = in_turn(bench.runs, {"one": lambda: served.seconds("fuse", THREADS, "jaccard"), "ten": ten})
    yield compare(
        f"ten in memory {kind}",
        f"the same in memory, {kind}",
        samples["ten"],
        samples["one"],
        "`jaccard` alone",
        note="painting ten images in memory included, nothing written",
    )
    yield compare(
        f"ten tallied {kind}",
        f"the same in memory, not painted, {kind}",
        solved[1:],
        samples["one"],
        "`jaccard` alone, painted",
    )


def has_option(bench, option):
    help_text = subprocess.run([bench.crema, "fuse", "--help"], capture_output=True, text=True).stdout
    return option in help_text


def memory(bench):
    """Peak resident bytes per voxel, of which what `crema --version` needs is taken off."""
    base = bench.peak(bench.crema, "--version")
    for kind in KINDS:
        raters = bench.phantom(kind, raters=5)
        voxels = cases.voxels_of(raters[0])
        for most, more in ((4, ()), (1.5, (LOW_MEMORY,))):
            work = f"peak memory{' with `--low-memory`' if more else ''}, {kind}, 5 raters, {THREADS} threads"
            name = f"peak memory{' low' if more else ''} {kind}"
            if more and not has_option(bench, LOW_MEMORY):
                yield not_available(name, work, f"≤ {most:g} B/voxel", "not available: there is no such option")
                continue
            words = bench.fuse_words(raters, bench.data / "out.nii.gz", THREADS, "jaccard", *more)
            peaks = [bench.peak(*words) for _ in range(5)]
            yield limit(
                name,
                work,
                [(peak - base) / voxels for peak in peaks],
                most,
                "B/voxel",
                note=f"{median(peaks) / 1e6:.0f} MB in all, of which {base / 1e6:.0f} MB are the program's own",
            )


def huge(bench):
    """Two thousand million voxels: the memory, and the time of a voxel against that of the usual phantom."""
    size = bench.sizes.huge
    for kind, more in (("organ", {}), ("lesions", {"lesions": bench.sizes.huge_lesions})):
        raters = bench.case(kind=kind, size=size, raters=5, **more)
        usual = bench.phantom(kind, raters=5)
        samples = in_turn(
            {"huge": 3, "usual": bench.runs},
            {"huge": lambda r=raters: bench.fuse(r, THREADS), "usual": lambda u=usual: bench.fuse(u, THREADS)},
        )
        words = bench.fuse_words(raters, bench.data / "out.nii.gz", THREADS, "jaccard")
        per_voxel = {
            name: [1e9 * s / cases.voxels_of(files[0]) for s in samples[name]]
            for name, files in (("huge", raters), ("usual", usual))
        }
        what = f"{size.replace(',', '×')}, 5 raters, {kind}"
        if more:
            what = what.replace("lesions", f"{more['lesions']} lesions")
        yield limit(f"huge memory {kind}", f"{what}: peak memory", [bench.peak(*words) / 1e9], 12, "GB")
        row = compare(
            f"huge time {kind}",
            f"{what}: time per voxel, files to file",
            per_voxel["huge"],
            per_voxel["usual"],
            f"{kind} of {getattr(bench.sizes, kind).replace(',', '×')}",
            at_most=2,
            note=f"{median(samples['huge']):.2f} s in all",
        )
        row.unit = "ns"
        yield row


def raters(bench):
    """From two to 64 raters the time may grow no faster than their number."""
    files = {k: bench.phantom("lesions", raters=k) for k in bench.sizes.raters}
    samples = in_turn(bench.runs, {k: lambda f=f: bench.fuse(f, THREADS) for k, f in files.items()})
    found = {k: median(times) for k, times in samples.items()}
    few, many = min(found), max(found)
    row = compare(
        "raters",
        f"lesions, {few} to {many} raters, files to file, {THREADS} threads: growth of the time",
        samples[many],
        samples[few],
        f"{few} raters",
        at_most=many / few,
    )
    row.note = "; ".join(f"K = {k}: {1e3 * t:.0f} ms" for k, t in found.items())
    yield row
    steps = [(b / a) / (found[b] / found[a]) for a, b in zip(found, list(found)[1:])]
    yield Row(
        "raters step",
        "the same, the step that grows fastest against its share of raters",
        1 / min(steps),
        "×",
        runs=bench.runs,
    )
    with measuring.Served(bench.build, kind="lesions", size=bench.sizes.lesions, raters=few) as served:
        start = [served.seconds("fuse", 1) for _ in range(bench.runs)]
    with measuring.Served(bench.build, kind="lesions", size=bench.sizes.lesions, raters=many) as served:
        end = [served.seconds("fuse", 1) for _ in range(bench.runs)]
    yield compare("raters in memory", "the same in memory, 1 thread", end, start, f"{few} raters", at_most=many / few)


def itk(bench):
    """ITK's filters, which take seconds and so run less often."""
    if not (bench.build / "test/itk/itk_staple").exists():
        sys.exit("the build has no ITK to compare with: install libinsighttoolkit5-dev and configure again")
    few = 2 if bench.quick else 3
    for kind in KINDS:
        raters = bench.phantom(kind)
        theirs = [bench.build / "test/itk/itk_staple", "float32", bench.data / "itk.nii.gz", *raters]
        voting = [bench.build / "test/itk/itk_voting", bench.data / "itk.nii.gz", *raters]
        samples = in_turn(
            {"jaccard": bench.runs, "staple": bench.runs, "majority": bench.runs, "itk": few, "voting": few},
            {
                "jaccard": lambda r=raters: bench.fuse(r, THREADS),
                "staple": lambda r=raters: bench.fuse(r, THREADS, "staple"),
                "majority": lambda r=raters: bench.fuse(r, THREADS, "majority"),
                "itk": lambda t=theirs: measuring.run(*t).elapsed,
                "voting": lambda v=voting: measuring.run(*v).elapsed,
            },
        )
        yield faster(
            f"itk {kind}",
            f"files to file, `jaccard`, {kind}, {THREADS} threads",
            samples["jaccard"],
            samples["itk"],
            "ITK's STAPLE",
            at_least=50,
            note=f"ITK: {few} runs",
        )
        yield faster(
            f"itk staple {kind}",
            f"files to file, `staple`, {kind}",
            samples["staple"],
            samples["itk"],
            "ITK's STAPLE",
            at_least=30,
            note=f"ITK: {few} runs; both write a map of 32-bit numbers",
        )
        yield faster(
            f"itk voting {kind}",
            f"files to file, `majority`, {kind}",
            samples["majority"],
            samples["voting"],
            "ITK's label voting",
            note=f"ITK: {few} runs",
        )
        yield from itk_in_memory(bench, kind, raters)


def itk_in_memory(bench, kind, raters):
    for what, method, peer, bar in (
        ("staple", "staple", "ITK's STAPLE", 100),
        ("voting", "majority", "ITK's label voting", None),
    ):
        found = json.loads(
            measuring.run(bench.build / "test/itk/itk_bench", what, 2 if bench.quick else 3, *raters).printed
        )
        yield faster(
            f"itk memory {what} {kind}",
            f"memory to memory, `{method}`, {kind}, {THREADS} threads",
            found["crema"]["elapsed"],
            found["itk"]["elapsed"],
            peer,
            at_least=bar,
        )
