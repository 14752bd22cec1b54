# SPDX-License-Identifier: Apache-2.0
"""Answers are compared before anything is timed: a fast wrong one is worth nothing."""

import json
import sys

import cases
import cc3d
import measuring
import numpy
import scipy_macchiato
import SimpleITK

CLOSE = 1e-6  # two maps of 32-bit levels


def demand(fine, sentence):
    if not fine:
        sys.exit(f"{sentence}; nothing was timed")
    print(f"  agrees: {sentence}", flush=True)


def union_of(masks):
    union = masks[0].copy(order="F")
    for mask in masks[1:]:
        union |= mask
    return union


def same_partition(ours, theirs):
    """Whether two images of labels, 0 the background, differ in their names alone."""
    if not numpy.array_equal(ours != 0, theirs != 0):
        return False
    a, b = ours[ours != 0].astype(numpy.uint64), theirs[theirs != 0].astype(numpy.uint64)
    pairs = numpy.unique(a << numpy.uint64(32) | b)
    return len(pairs) == len(numpy.unique(a)) == len(numpy.unique(b))


def components_agree(bench, kind):
    """crema's components of the union are those of cc3d."""
    path = bench.data / "labels.raw"
    with measuring.Served(bench.build, path, kind=kind, size=getattr(bench.sizes, kind)) as served:
        ours = numpy.fromfile(path, "<u4").reshape(served.about["size"], order="F")
    path.unlink()
    theirs, count = cc3d.connected_components(
        union_of(cases.masks_of(bench.phantom(kind))), connectivity=26, return_N=True
    )
    demand(same_partition(ours, theirs), f"{kind}: crema and cc3d find the same {count} components")


def staple_agrees(bench, kind):
    """crema's STAPLE map is ITK's, and SimpleITK's."""
    raters = bench.phantom(kind)
    ours, theirs = bench.data / "staple-crema.nii.gz", bench.data / "staple-itk.nii.gz"
    measuring.run(*bench.fuse_words(raters, ours, 2, "staple"))
    measuring.run(bench.build / "test/itk/itk_staple", "float32", theirs, *raters)
    far = float(abs(cases.image_of(ours).astype(float) - cases.image_of(theirs)).max())
    demand(far <= CLOSE, f"{kind}: the STAPLE maps of crema and ITK differ by at most {far:.1e}")


def votes_agree(bench, kind):
    """crema's majority is ITK's label voting: with an odd number of raters there are no ties."""
    raters = bench.phantom(kind)
    ours, theirs = bench.data / "majority.nii.gz", bench.data / "voting.nii.gz"
    measuring.run(*bench.fuse_words(raters, ours, 2, "majority"))
    measuring.run(bench.build / "test/itk/itk_voting", theirs, *raters)
    mask = cases.image_of(ours)
    simple = SimpleITK.LabelVoting([SimpleITK.ReadImage(str(path)) for path in raters], 2)
    same = numpy.array_equal(mask, cases.image_of(theirs))
    same_simple = numpy.array_equal(mask, SimpleITK.GetArrayViewFromImage(simple).T)
    demand(same and same_simple, f"{kind}: majority is what ITK's and SimpleITK's label voting give")


def reading_agrees(bench, kind, size):
    """LMSD of crema is never above that of the SciPy reading; says where the images differ."""
    raters = bench.case(kind=kind, size=size)
    masks, _ = scipy_macchiato.load(raters)
    for method in scipy_macchiato.HARD + scipy_macchiato.SOFT:
        facts = compare_reading(bench, raters, masks, method)
        demand(facts["excess"] <= 1e-9, f"{kind} {size}, {method}: {words_of(facts)}")


def words_of(facts):
    return (
        f"LMSD of crema {facts['ours']:.9f}, of the SciPy reading {facts['theirs']:.9f}; images differ in "
        f"{facts['different']} of {facts['components']} components"
    )


def compare_reading(bench, raters, masks, method, fused=None):
    """Where and why crema and the SciPy reading differ, component by component."""
    out, level = bench.data / "reading.nii.gz", 0.5 if method in scipy_macchiato.HARD else 0.0
    record = json.loads(measuring.run(*bench.fuse_words(raters, out, 2, method, "--json", "-")).printed)
    ours = cases.image_of(out).astype(float)
    theirs, criteria = fused or scipy_macchiato.fuse(masks, method, on="counts")
    facts = {
        "method": method,
        "components": len(criteria),
        "different": 0,
        "lower": 0,
        "same_criterion": 0,
        "higher": 0,
        "farthest": 0.0,
        "ours": 0.0,
        "theirs": float(sum(criteria)),
        "excess": 0.0,
    }
    for (box, inside, part), criterion in zip(scipy_macchiato.components(masks, on="counts"), criteria):
        mine, other = ours[box][inside], theirs[box][inside].astype(float)
        far = float(abs(mine - other).max())
        levels = numpy.zeros(len(part.distances))
        levels[part.row_of_voxel] = mine
        value = part.criterion(levels, method)
        facts["ours"] += value
        if far > (level or CLOSE):
            facts["different"] += 1
            gain = criterion - value
            facts["lower" if gain > 1e-9 else "higher" if gain < -1e-9 else "same_criterion"] += 1
        facts["farthest"] = max(facts["farthest"], far)
    # The image holds 32-bit levels; the record has the LMSD to the last digit.
    if abs(facts["ours"] - record["lmsd"]) > CLOSE:
        sys.exit(f"{method}: crema's record says LMSD {record['lmsd']}, its image has {facts['ours']}")
    facts["ours"] = record["lmsd"]
    facts["excess"] = facts["ours"] - facts["theirs"]
    return facts


def floor_works(bench, kind):
    """The bare program inflates what is there: the file it writes holds the first rater's mask."""
    raters, out = bench.phantom(kind), bench.data / "floor.nii.gz"
    measuring.run(bench.build / "bench/crema_floor", 2, out, *raters)
    demand(numpy.array_equal(cases.image_of(out), cases.image_of(raters[0])), f"{kind}: the floor reads and writes")


def compare_all(bench, wanted):
    """All that belongs to the parts that are to be measured."""
    for kind in ("organ", "lesions"):
        if "floor" in wanted:
            floor_works(bench, kind)
        if "memory-to-memory" in wanted:
            components_agree(bench, kind)
        if "itk" in wanted or "simpleitk" in wanted:
            votes_agree(bench, kind)
            staple_agrees(bench, kind)
    if "scipy" in wanted:
        reading_agrees(bench, "lesions", "small")
