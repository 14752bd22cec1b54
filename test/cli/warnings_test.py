# SPDX-License-Identifier: Apache-2.0
"""What people are told beside a result: defects first, with their kind, and advice that this command can take."""

import json
import re

import numpy
import pytest
from conftest import blob
from fuse_test import warnings


def test_defects_come_first_and_each_warning_has_its_kind(crema, save, raters, tmp_path):
    save("empty.nii.gz", numpy.zeros_like(blob(0)))
    save("big.nii.gz", blob(1) * 255)
    result = crema("fuse", "big.nii.gz", *raters, "empty.nii.gz", raters[0], "-m", "staple", "--json", "r.json")
    assert result.code == 0, result
    record = json.loads((tmp_path / "r.json").read_text())
    kinds = record["warning_kinds"]
    assert len(kinds) == len(record["warnings"]) == len(warnings(result))
    severities = [kind["severity"] for kind in kinds]
    assert severities == sorted(severities, key=["defect", "caution", "note"].index)
    reply = {(kind["kind"], word) for kind, text in zip(kinds, record["warnings"]) for word in text.split()}
    assert {("empty-mask", "empty.nii.gz:"), ("copy", "twice."), ("values", "255;")} <= reply


def test_a_mirrored_mask_that_still_overlaps_is_told(crema, save):
    mask = numpy.zeros((40, 30, 6), numpy.uint8)
    mask[16:34, 8:20, 1:5] = 1
    names = [save(f"r{k}.nii.gz", numpy.roll(mask, k % 2, axis=1)) for k in range(3)]
    assert "mirrored" not in crema("fuse", *names).err
    names.append(save("flipped.nii.gz", mask[::-1]))
    result = crema("fuse", *names)
    assert "flipped.nii.gz overlaps little with the others" in result.err, result
    assert "mirrored along x it would match them" in result.err, result


def skipping(levels=False):
    """Four raters who drew a ball, of whom the third skipped slice 7."""
    x, y, z = numpy.mgrid[:14, :13, :16]
    far = numpy.hypot(numpy.hypot(x - 6.5, y - 6), z - 7.5)
    masks = [(far < radius) for radius in (5, 4.5, 5.2, 4.8)]
    masks[2][:, :, 7] = False
    return [
        numpy.where(mask, 0.75, 0.25).astype(numpy.float32) if levels else mask.astype(numpy.uint8) for mask in masks
    ]


SKIPPED = re.compile(r"rater 3 \(m2\.nii\.gz\) left slice z = 7 empty")


@pytest.mark.parametrize("kind", ["masks", "labels", "levels"])
@pytest.mark.parametrize("command", [["fuse", "-o", "f.nii.gz"], ["check"], ["agreement", "--no-surfaces"]])
def test_a_slice_that_one_rater_skipped_is_a_defect(crema, save, tmp_path, kind, command):
    options = {"masks": [], "labels": ["--labels", "all"], "levels": ["--probabilities"]}[kind]
    masks = skipping(levels=kind == "levels")
    if kind == "labels":
        for mask in masks:
            mask[:3, :3, :3] = 2
    names = [save(f"m{k}.nii.gz", mask) for k, mask in enumerate(masks)]
    result = crema(*command, *names, *options, "--json", "r.json")
    text = " ".join((result.out + result.err).split())
    assert SKIPPED.search(text), text
    kinds = json.loads((tmp_path / "r.json").read_text())["warning_kinds"]
    assert {"kind": "missing-slice", "severity": "defect"} in kinds


def test_a_skipped_slice_is_a_defect_of_a_cohort(crema, save, tmp_path):
    (tmp_path / "cases/one").mkdir(parents=True)
    for k, mask in enumerate(skipping()):
        save(f"cases/one/m{k}.nii.gz", mask)
    result = crema("cohort", "run", "cases", "-o", "run")
    assert result.code == 0 and "missing-slice in 1 case (one: m2)" in result.out + result.err, result


def test_an_image_among_the_masks_is_called_one(crema, save, raters):
    """Cut by a threshold it would pass for a rater."""
    ct = numpy.random.default_rng(1).integers(-1000, 1200, blob(0).shape).astype(numpy.int16)
    for image in (ct, ct.astype(numpy.float32) / 7, (ct + 1000).astype(numpy.uint16)):
        result = crema("fuse", *raters, save("ct.nii.gz", image))
        assert result.code == 3 and "looks like an image, not a mask; leave it out" in result.err, result
        assert "--image" not in result.err  # there is no such option here
    result = crema("figure", *raters, "ct.nii.gz", "-o", "f.svg")
    assert "leave it out, or give it with --image" in result.err, result
    result = crema("cohort", "run", ".", "--layout", "cases", "-o", "run")
    assert "leave it out, or give it with --image" in result.out, result
    result = crema("fuse", *raters, save("ct.nii.gz", ct), "--threshold", "-200")
    assert result.code == 0 and "ct.nii.gz) covers more than half of the image" in result.err, result
    scaled = numpy.random.default_rng(2).normal(0, 1, blob(0).shape).astype(numpy.float32)
    result = crema("fuse", *raters, save("scaled.nii.gz", scaled), "--threshold", "0.99")
    assert result.code == 0 and "scaled.nii.gz overlaps little with the others" in result.err, result


@pytest.mark.parametrize("command", [["figure", "-o", "f.svg"], ["report", "-o", "r.html"]])
def test_a_sheared_grid_is_not_shown_as_if_to_scale(crema, save, command):
    for shear, said in ((0.0, False), (0.4, True)):
        affine = numpy.diag([1.0, 1.0, 3.0, 1.0])
        affine[0, 1] = shear
        names = [save(f"s{k}.nii.gz", blob(k), affine) for k in range(3)]
        result = crema(*command, *names, "--force")
        assert result.code == 0 and ("not at right angles" in result.err) == said, (shear, result)


def test_names_are_shown_as_they_are(crema, save):
    result = crema("fuse", save("O'Brien.nii.gz", blob(0) * 0), save("b.nii.gz", blob(0)))
    assert "O'Brien.nii.gz: the mask is empty" in result.err, result


@pytest.mark.parametrize("method", ["jaccard", "shape-soft", "local-staple"])
def test_of_one_rater_nothing_is_said_that_a_method_belies(crema, save, method):
    """Some methods change the mask of the only rater."""
    result = crema("fuse", save("one.nii.gz", blob(0)), "-m", method)
    assert "one.nii.gz: is the only rater; a consensus needs at least two." in result.err, result
    assert "is this mask" not in result.err


STEPPING = ["staple", "ml-staple", "accuracy", "shared", "common", "simple", "staple-mrf", "local-staple"]


@pytest.mark.parametrize("method", STEPPING)
def test_what_did_not_converge_moved_or_is_not_said_to_move(crema, save, method):
    random = numpy.random.default_rng(3)
    names = [save(f"r{k}.nii.gz", blob(k % 3) ^ (random.random(blob(0).shape) < 0.1)) for k in range(5)]
    for steps in ("1", "2"):
        reply = crema("fuse", *names, "-m", method, "--max-iterations", steps).err
        assert "moved by 0;" not in reply and "1 iterations" not in reply, reply
        assert "converge" in reply or method == "ml-staple", reply


def disagreeing_maps(save):
    """Four maps of two labels that agree, and one that lies elsewhere."""
    near = numpy.zeros((24, 20, 8), numpy.uint8)
    near[6:12, 5:15, 2:6], near[12:16, 5:15, 2:6] = 1, 2
    far = numpy.zeros_like(near)
    far[17:22, 2:6, 1:3], far[17:22, 8:12, 1:3] = 1, 2
    maps = [near, numpy.roll(near, 1, 0), numpy.roll(near, 1, 1), numpy.roll(near, -1, 0), far]
    return [save(f"map-{k + 1}.nii.gz", labels) for k, labels in enumerate(maps)]


@pytest.mark.parametrize(
    ("structures", "whose"), [(["--labels", "all"], ""), (["--regions", "all=1+2,core=2"], "regions all and core: ")]
)
def test_raters_whom_simple_leaves_out_are_named_with_labels_too(crema, save, structures, whose):
    result = crema("fuse", *disagreeing_maps(save), *structures, "-m", "simple")
    left_out = "rater 5 (map-5.nii.gz) agreed too little with the others and has no influence."
    assert f"  {whose}simple: {left_out}" in result.err, result


def test_a_region_is_warned_of_as_its_mask_is(crema, save):
    """What an estimate of performance thinks of the raters."""
    maps = disagreeing_maps(save)
    masks = [name.replace("map", "mask") for name in maps]
    for name, mask in zip(maps, masks):
        assert crema("fuse", name, "--regions", "whole=1+2", "-o", mask, "-q").code == 0
    for method in ("staple", "simple"):
        alone = crema("fuse", *masks, "-m", method).err.replace("mask-", "map-")
        region = crema("fuse", *maps, "--regions", "whole=1+2", "-m", method).err
        reply = [line.strip() for line in alone.splitlines() if line.startswith(f"  {method}: ")]
        reply = [line.split("; compare with")[0] for line in reply]  # --roi is refused with --regions
        assert reply and all(f"region whole: {line}" in region for line in reply), (alone, region)
        assert "--roi" not in region and ("compare with another --prior" in region) == (method == "staple"), region


@pytest.mark.parametrize("method", ["staple", "simple"])
def test_what_an_estimate_thinks_of_raters_is_told_of_labels_too(crema, save, method):
    """Of a rater who lies elsewhere, and of one whose mask the result is."""
    maps = disagreeing_maps(save)
    worse = crema("fuse", *maps, "--labels", "all", "-m", method)
    assert "rater 5 (map-5.nii.gz) is estimated to be worse than chance" in worse.err, worse
    alone = crema("fuse", maps[0], maps[0], maps[4], "--labels", "all", "-m", method)
    reply = "raters 1 (map-1.nii.gz) and 2 (map-1.nii.gz) have sensitivity and specificity 1"
    assert reply in alone.err and "compare with the method jaccard" in alone.err, alone


# What each command needs besides raters.
COMMANDS = {
    "fuse": ["-o", "out.nii.gz"],
    "check": [],
    "agreement": [],
    "compare": [],
    "background": [],
    "certify": [],
    "figure": ["-o", "out.svg"],
    "report": ["-o", "out.html"],
}


def bad_inputs(save):
    random = numpy.random.default_rng(5)
    shape = blob(0).shape
    yield "probabilities", save("p.nii.gz", random.random(shape).astype(numpy.float32))
    yield "labels", save("l.nii.gz", random.integers(0, 4, shape).astype(numpy.uint8))
    yield "many labels", save("m.nii.gz", random.integers(0, 200, shape).astype(numpy.uint16))
    yield "an image", save("c.nii.gz", random.integers(-1000, 2000, shape).astype(numpy.int16))
    yield "two halves", save("h.nii.gz", (blob(0) * 0.5).astype(numpy.float32))
    yield "tiny values", save("t.nii.gz", (blob(0) * 1e-4).astype(numpy.float32))
    yield "another size", save("s.nii.gz", numpy.ones((12, 10, 7), numpy.uint8), numpy.diag([2.0, 1, 1, 1]))
    yield "empty", save("e.nii.gz", blob(0) * 0)


@pytest.mark.parametrize("command", COMMANDS)
def test_a_message_names_options_of_this_command_alone(crema, save, raters, command):
    """Whatever file is wrong: as a rater, as a consensus and as a region."""
    offered = set(re.findall(r"--[a-z][a-z-]*", crema(command, "--help").out))
    runs = []
    for what, name in bad_inputs(save):
        first = [raters[0]] if command == "certify" else []
        runs.append((what, [*first, *raters, name]))
        if command == "certify":
            runs.append((what, [name, *raters, "--distance", "jaccard"]))
        if "--roi" in offered and command in ("fuse", "compare", "report"):
            option = "--method" if command == "fuse" else "--methods"
            runs.append((what, [*raters, option, "staple", "--roi", name]))
    for what, words in runs:
        result = crema(command, *words, *COMMANDS[command], "--max-memory", "1G")
        reply = set(re.findall(r"--[a-z][a-z-]*", result.err))
        assert reply <= offered, (what, words, reply - offered, result)
