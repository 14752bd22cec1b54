# SPDX-License-Identifier: Apache-2.0
"""`check`, `background` and `cite` report what the program's commands of these names do."""

from __future__ import annotations

import copy
import json
import pickle
import re
import subprocess

import numpy as np
import pytest
import SimpleITK as sitk

import crema


@pytest.fixture
def files(masks, tmp_path):
    paths = [tmp_path / f"r{k}.nii.gz" for k in range(3)]
    for path, mask in zip(paths, masks, strict=False):
        crema.write(path, mask, geometry=crema.Geometry((45, 41, 7), (0.9, 0.9, 3.0)))
    return paths


@pytest.fixture
def run(program_path):
    return lambda *words: subprocess.run([program_path, *map(str, words)], capture_output=True, text=True, timeout=600)


def comparable(record):
    return {key: value for key, value in record.items() if key not in ("command", "run", "warnings")}


def test_good_files_are_fine_and_the_record_is_the_programs(files, run):
    reply = crema.check(files)
    assert reply and reply.fine and reply.problems == [] and [row["problems"] for row in reply.raters] == [[], [], []]
    assert comparable(reply.to_dict()) == comparable(json.loads(run("check", *files, "--json", "-").stdout))
    assert set(reply.raters.arrays()) == set(reply.raters[0])


def test_every_problem_of_every_file_is_told(files, run, tmp_path):
    (tmp_path / "cut.nii.gz").write_bytes(files[0].read_bytes()[:300])
    crema.write(tmp_path / "small.nii.gz", np.ones((3, 4, 5), np.uint8))
    given = [files[0], tmp_path / "cut.nii.gz", tmp_path / "small.nii.gz", tmp_path / "nowhere.nii.gz"]
    reply = crema.check(given)
    assert not reply and [row["fine"] for row in reply.raters] == [True, False, False, False]
    assert comparable(reply.to_dict()) == comparable(json.loads(run("check", *given, "--json", "-").stdout))


def test_every_problem_of_every_mask_in_memory_is_told(masks):
    good, two = masks[0], masks[1] * 2
    two[0, 0, 0] = 1
    given = {"a": good, "b": two, "c": good[:3], "d": np.full(good.shape, "x"), "e": masks[2]}
    reply = crema.check(given)
    assert not reply and [row["fine"] for row in reply.raters] == [True, False, False, False, True]
    for row, word in zip(reply.raters, ("", "labels 0, 1, 2", "shape", "dtype", ""), strict=True):
        assert not word or re.search(word, row["problems"][0]), row
    assert [row["voxels"] for row in reply.raters] == [int(good.sum()), None, None, None, int(masks[2].sum())]
    assert crema.check([two], threshold=0.5) and not crema.check([two])


def test_levels_in_memory_are_checked_as_a_fusion_takes_them(masks):
    maps = [mask * np.float32(0.7) + np.float32(0.1) for mask in masks]
    found = crema.check(maps, probabilities=True)
    assert found and [row["voxels"] for row in found.raters] == [int(mask.sum()) for mask in masks]
    assert not crema.check(maps)
    classes = [np.stack([1 - chance, chance]) for chance in maps]
    assert [row["voxels"] for row in crema.check(classes, probabilities=True, channels=0, labels="all").raters] == [
        int(mask.sum()) for mask in masks
    ]
    maps[1][0, 0, 0] = np.nan
    found = crema.check(maps, probabilities=True)
    assert [row["fine"] for row in found.raters] == [k != 1 for k in range(len(masks))]
    assert "1 voxel is NaN" in found.raters[1]["problems"][0]


def test_levels_of_files_have_the_record_of_the_program(masks, run, tmp_path):
    paths = [tmp_path / f"map-{k}.nii.gz" for k in range(2)]
    for path, mask in zip(paths, masks, strict=False):
        crema.write(path, mask * np.float32(0.7))
    record = json.loads(run("check", *paths, "--probabilities", "--json", "-").stdout)
    assert comparable(crema.check(paths, probabilities=True).to_dict()) == comparable(record)


def test_masks_in_memory_and_files_have_the_same_record(files):
    images = {str(path): crema.read(path) for path in files}
    own, read = crema.check(images, provenance=False).to_dict(), crema.check(files, provenance=False).to_dict()
    assert comparable(own) == comparable(read) and own.keys() == read.keys()


def test_images_on_other_grids_are_told(masks):
    images = [sitk.GetImageFromArray(mask) for mask in masks[:3]]
    images[1].SetOrigin((0.4, 0, 0))
    reply = crema.check(images)
    assert [row["fine"] for row in reply.raters] == [True, False, True] and "rater 2" in reply.raters[1]["problems"][0]


def test_the_warnings_of_a_fusion_are_told(masks):
    given = [masks[0], masks[0], 1 - masks[1]]
    fused = crema.fuse(given).warnings
    assert crema.check(given).warnings and set(crema.check(given).warnings) <= set(fused)


def test_a_keyword_of_another_call_is_refused(masks):
    with pytest.raises(TypeError, match=r"check\(\) has no keyword tie"):
        crema.check(masks, tie="foreground")
    with pytest.raises(TypeError, match=r"background\(\) has no keyword weights"):
        crema.background(masks, weights="auto")


@pytest.mark.parametrize("command", ["check", "background"])
def test_the_program_takes_the_same_settings(run, command):
    flags = set(re.findall(r"--[a-z-]+", run(command, "--help").stdout))
    own = {"--json", "--force", "--overwrite", "--quiet", "--help", "--output", "--dpi"}
    keywords = {"--" + name.replace("_", "-") for name in getattr(crema._core, f"{command}_settings")()}
    assert flags - own == {flag.replace("--provenance", "--no-provenance") for flag in keywords}


def test_the_background_is_the_programs(files, run):
    reply = crema.background(files)
    record = json.loads(run("background", *files, "--json", "-").stdout)
    assert comparable(reply.to_dict()) == comparable(record)
    assert reply.sizes == record["sizes"] and reply.methods == record["curves"]
    rows = reply.to_dict().arrays()["background"]
    assert len(rows["voxels"]) == len(reply.sizes) * len(reply.methods)
    of_jaccard = rows["voxels"][rows["method"] == "jaccard"]
    assert len(set(of_jaccard.tolist())) == 1 and of_jaccard[0] == crema.fuse(files).image.sum()


def test_the_background_has_a_picture_which_is_the_programs(files, run, tmp_path):
    run("background", *files, "-o", tmp_path / "its.svg")
    reply = crema.background(files)
    reply.figure().save(tmp_path / "own.svg")
    assert (tmp_path / "own.svg").read_bytes() == (tmp_path / "its.svg").read_bytes()
    assert reply._repr_html_() == reply.figure()._repr_html_()


@pytest.mark.parametrize("methods", ["jaccard", "paper", ["staple", "shape"]])
def test_whom_to_cite_is_what_the_program_prints(run, methods):
    reply = crema.cite(methods)
    names = methods if isinstance(methods, str) else ",".join(methods)
    assert run("cite", "--bibtex", "-m", names).stdout == reply.bibtex
    assert run("cite", "-m", names).stdout.split() == str(reply).split()
    with pytest.raises(ValueError, match="jaccard"):
        crema.cite("jacard")


def test_what_was_told_can_be_copied(masks):
    for reply in (crema.check(masks), crema.background(masks)):
        for other in (pickle.loads(pickle.dumps(reply)), copy.deepcopy(reply)):
            assert other == reply and other.to_dict() == reply.to_dict()
