# SPDX-License-Identifier: Apache-2.0
"""Bars for masks in memory: the whole way, and single stages against the libraries known to be fast at them."""

import answers
import cases
import cc3d
import edt
import measuring
import numpy
import SimpleITK
from measuring import Row, clock, compare, faster, in_turn, median

KINDS = ("organ", "lesions")
AFTER_VOTES = ("components", "distances", "crowns", "solve", "paint")


def label(union):
    return cc3d.connected_components(union, connectivity=26, binary_image=True)


def layouts(masks):
    """Ways to hand the union to cc3d; the fastest counts."""
    union = answers.union_of(masks)
    return {"bool": union, "uint8": union.view(numpy.uint8)}


def best_layout(masks):
    """The union in the layout that cc3d is fastest with, Fortran order in each."""
    tried = layouts(masks)
    times = in_turn(5, {name: lambda u=u: clock(lambda: label(u)) for name, u in tried.items()})
    name = min(times, key=lambda n: median(times[n]))
    return name, tried[name]


def crops_of(masks):
    """What edt measures on: each component's box, once for each rater who drew some of it but not all."""
    labels = cc3d.connected_components(answers.union_of(masks), connectivity=26)
    boxes = cc3d.statistics(labels)["bounding_boxes"]
    crops = []
    for number, box in enumerate(boxes):
        if number == 0:
            continue
        inside = labels[box] == number
        for mask in masks:
            mine = mask[box] & inside
            if mine.any() and not numpy.array_equal(mine, inside):
                crops.append(numpy.asfortranarray(~mine))
    return crops


def measure_all(crops):
    return [edt.edtsq(crop, anisotropy=(1, 1, 1), black_border=False, parallel=1) for crop in crops]


def components_and_distances(bench):
    """Everything in memory with one thread, against cc3d and edt."""
    for kind in KINDS:
        masks = cases.masks_of(bench.phantom(kind))
        layout, union = best_layout(masks)
        crops = crops_of(masks)
        del masks
        with measuring.Served(bench.build, kind=kind, size=getattr(bench.sizes, kind)) as served:
            stages = []

            def staged(served=served, stages=stages):
                stages.append(served.ask("stages", 1))
                return stages[-1]["ms"] / 1e3

            samples = in_turn(
                2 * bench.runs,
                {
                    "fuse": lambda s=served: s.seconds("fuse", 1),
                    "cc3d": lambda u=union: clock(lambda: label(u)),
                    "stages": staged,
                    "edt": lambda c=crops: clock(lambda: measure_all(c)),
                },
            )
        stages = stages[1:]
        of = {name: [run[name] / 1e3 for run in stages] for name in ("votes", *AFTER_VOTES)}
        yield compare(
            f"in memory {kind}",
            f"masks in memory to consensus in memory, {kind}, 1 thread",
            samples["fuse"],
            samples["cc3d"],
            "cc3d labelling the union",
            at_most=1,
            note=f"cc3d was given {layout}",
        )
        yield compare(
            f"components {kind}",
            f"components alone, {kind}, 1 thread",
            of["components"],
            samples["cc3d"],
            "cc3d",
            at_most=1,
        )
        both = [run["votes"] / 1e3 + run["components"] / 1e3 for run in stages]
        yield compare(
            f"votes and components {kind}",
            f"votes and components, {kind}, 1 thread",
            both,
            samples["cc3d"],
            "cc3d",
            note="cc3d is handed the union; here it is found from the masks",
        )
        yield compare(
            f"distances {kind}",
            f"distances alone, {kind}, 1 thread",
            of["distances"],
            samples["edt"],
            f"edt, {len(crops)} maps",
            at_most=1,
            note="edt is handed cropped masks and its maps are not summed",
        )
        for name in ("votes", *AFTER_VOTES):
            yield Row(
                f"stage {name} {kind}",
                f"stage {name}, {kind}, 1 thread",
                median(of[name]),
                "s",
                runs=len(stages),
                spread=measuring.spread(of[name]),
            )


def background(bench):
    """What comes after the votes must not feel how much background there is."""
    for kind in KINDS:
        size = bench.padded(kind)
        small = measuring.Served(bench.build, kind=kind, size=size)
        large = measuring.Served(bench.build, kind=kind, size=size, background=100)
        runs = {1: [], 100: []}

        def ask(factor, runs=runs, served={1: small, 100: large}):  # noqa: B006, never changed
            runs[factor].append(served[factor].ask("stages", 1))
            return runs[factor][-1]["ms"] / 1e3

        with small, large:
            in_turn(2 * bench.runs, {1: lambda: ask(1), 100: lambda: ask(100)})
        times = {
            factor: [sum(run[name] for name in AFTER_VOTES) / 1e3 for run in found[1:]]
            for factor, found in runs.items()
        }
        row = compare(
            f"background {kind}",
            f"time after the votes, background grown 100 ×, {kind}, {size.replace(',', '×')} at first",
            times[100],
            times[1],
            "×1",
            at_most=1.1,
        )
        row.note = "; ".join(
            f"{name} {median([run[name] for run in runs[1][1:]]):.2f} → "
            f"{median([run[name] for run in runs[100][1:]]):.2f} ms"
            for name in AFTER_VOTES
        )
        yield row


def simple_itk(bench):
    """SimpleITK as it comes from PyPI, in this process, one file after the other read and written."""
    few = 2 if bench.quick else 3
    for kind in KINDS:
        raters = bench.phantom(kind)
        out = str(bench.data / "simple.nii.gz")

        def fuse(filtered, raters=raters, out=out):
            images = [SimpleITK.ReadImage(str(path), SimpleITK.sitkUInt8) for path in raters]
            SimpleITK.WriteImage(SimpleITK.Cast(filtered(images), SimpleITK.sitkFloat32), out, True)

        samples = in_turn(
            {"staple": bench.runs, "majority": bench.runs, "their staple": few, "their voting": few},
            {
                "staple": lambda r=raters: bench.fuse(r, 2, "staple"),
                "majority": lambda r=raters: bench.fuse(r, 2, "majority"),
                "their staple": lambda f=fuse: clock(lambda: f(lambda images: SimpleITK.STAPLE(images, 1.0))),
                "their voting": lambda f=fuse: clock(lambda: f(lambda images: SimpleITK.LabelVoting(images, 2))),
            },
        )
        yield faster(
            f"simpleitk staple {kind}",
            f"files to file, `staple`, {kind}, 2 threads",
            samples["staple"],
            samples["their staple"],
            "SimpleITK's STAPLE",
            note=f"SimpleITK: {few} runs",
        )
        yield faster(
            f"simpleitk voting {kind}",
            f"files to file, `majority`, {kind}, 2 threads",
            samples["majority"],
            samples["their voting"],
            "SimpleITK's LabelVoting",
            note=f"SimpleITK: {few} runs",
        )
