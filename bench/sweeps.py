# SPDX-License-Identifier: Apache-2.0
"""How the time moves when one thing about a case changes: what the plots show."""

import dataclasses

import cases
import measuring
from measuring import median

KINDS = ("organ", "lesions")


@dataclasses.dataclass
class Line:
    name: str
    points: list  # (x, milliseconds)


@dataclasses.dataclass
class Plot:
    name: str
    title: str
    along: str
    lines: list
    note: str = ""


def ms(samples):
    return round(1e3 * median(samples), 3)


def in_memory(bench, threads=1, **case):
    """Milliseconds from masks in memory to the consensus in memory."""
    with measuring.Served(bench.build, **case) as served:
        served.ask("fuse", threads)
        return ms([served.seconds("fuse", threads) for _ in range(bench.runs)])


def voxels(bench):
    lines = []
    for kind in KINDS:
        whole, inside = Line(f"{kind}, files to file", []), Line(f"{kind}, in memory", [])
        floor = Line(f"{kind}, floor", [])
        for share in bench.sizes.shares:
            size = cases.scaled(getattr(bench.sizes, kind), share)
            raters = bench.case(kind=kind, size=size)
            count = cases.voxels_of(raters[0]) / 1e6
            bare = [bench.build / "bench/crema_floor", 2, bench.data / "floor.nii.gz", *raters]
            found = measuring.in_turn(
                bench.runs,
                {"whole": lambda r=raters: bench.fuse(r, 2), "floor": lambda b=bare: measuring.run(*b).elapsed},
            )
            whole.points.append((count, ms(found["whole"])))
            floor.points.append((count, ms(found["floor"])))
            inside.points.append((count, in_memory(bench, 2, kind=kind, size=size)))
        lines += [whole, inside, floor]
    yield Plot("voxels", "Time against voxels", "million voxels", lines, "jaccard, 2 threads, median")


def raters(bench):
    whole, inside = Line("files to file", []), Line("in memory", [])
    for count in bench.sizes.raters:
        files = bench.phantom("lesions", raters=count)
        whole.points.append((count, ms([bench.fuse(files, 2) for _ in range(bench.runs)])))
        inside.points.append((count, in_memory(bench, 2, kind="lesions", size=bench.sizes.lesions, raters=count)))
    first = whole.points[0]
    even = Line("in step with the raters", [(x, first[1] * x / first[0]) for x, _ in whole.points])
    yield Plot("raters", "Time against raters", "raters", [whole, inside, even], "jaccard, lesions, 2 threads, median")


def components(bench):
    line, after = Line("all of it", []), Line("after the votes", [])
    for count in bench.sizes.lesion_counts:
        with measuring.Served(bench.build, kind="lesions", size=bench.sizes.lesion_volume, lesions=count) as served:
            runs = [served.ask("stages", 1) for _ in range(bench.runs + 1)][1:]
        found = runs[0]["found"]
        line.points.append((found, round(median([run["ms"] for run in runs]), 3)))
        after.points.append((found, round(median([run["ms"] - run["votes"] for run in runs]), 3)))
    yield Plot(
        "components",
        "Time against components",
        "components of the union",
        [line, after],
        f"jaccard, in memory, 1 thread, {bench.sizes.lesion_volume.replace(',', '×')} voxels, median",
    )


def background(bench):
    lines = []
    for kind in KINDS:
        votes, after = Line(f"{kind}, votes", []), Line(f"{kind}, after the votes", [])
        for factor in (1, 3, 10, 30, 100):
            with measuring.Served(bench.build, kind=kind, size=bench.padded(kind), background=factor) as served:
                runs = [served.ask("stages", 1) for _ in range(bench.runs + 1)][1:]
            votes.points.append((factor, round(median([run["votes"] for run in runs]), 4)))
            after.points.append((factor, round(median([run["ms"] - run["votes"] for run in runs]), 4)))
        lines += [votes, after]
    yield Plot(
        "background",
        "Time against background",
        "times the volume, all of it background",
        lines,
        "jaccard, in memory, 1 thread, phantoms of half the full sides, median",
    )


def threads(bench):
    lines = []
    for kind in KINDS:
        files = bench.phantom(kind)
        whole, inside = Line(f"{kind}, files to file", []), Line(f"{kind}, in memory", [])
        for count in (1, 2):
            whole.points.append((count, ms([bench.fuse(files, count) for _ in range(bench.runs)])))
            inside.points.append((count, in_memory(bench, count, kind=kind, size=getattr(bench.sizes, kind))))
        lines += [whole, inside]
    yield Plot("threads", "Time against threads", "threads", lines, "jaccard, median")
