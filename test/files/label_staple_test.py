# SPDX-License-Identifier: Apache-2.0
"""Several labels as SimpleITK fuses them."""

import json
import os
import subprocess

import numpy
import pytest

SimpleITK = pytest.importorskip("SimpleITK")


def label_maps(seed, raters=3, labels=3):
    random = numpy.random.default_rng(seed)
    at = numpy.indices((6, 16, 18))
    maps = []
    centres = [random.uniform((1, 4, 4), (5, 12, 14)) for _ in range(labels)]
    for _ in range(raters):
        image = numpy.zeros(at.shape[1:], numpy.uint8)
        for label, centre in enumerate(centres):
            moved = centre + random.uniform(-1, 1, 3)
            image[sum((at[a] - moved[a]) ** 2 for a in range(3)) < random.uniform(9, 20)] = label + 1
        maps.append(image)
    return maps


def fused(folder, maps, method):
    names = []
    for k, labels in enumerate(maps):
        names.append(folder / f"r{k}.nrrd")
        SimpleITK.WriteImage(SimpleITK.GetImageFromArray(labels), os.fspath(names[-1]))
    out = folder / "out.nrrd"
    subprocess.run(
        [os.environ["CREMA"], "fuse", *names, "-o", out, "--labels", "all", "-m", method, "--preset", "itk", "-q"]
        + ["--json", folder / "record.json"],
        check=True,
    )
    return SimpleITK.GetArrayFromImage(SimpleITK.ReadImage(os.fspath(out)))


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("raters", [3, 4])
def test_a_vote_is_label_voting(tmp_path, seed, raters):
    maps = label_maps(seed, raters)
    images = [SimpleITK.GetImageFromArray(labels) for labels in maps]
    theirs = SimpleITK.GetArrayFromImage(SimpleITK.LabelVoting(images))
    numpy.testing.assert_array_equal(fused(tmp_path, maps, "majority"), theirs)


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("raters", [3, 4])
def test_staple_is_multi_label_staple(tmp_path, seed, raters):
    maps = label_maps(seed, raters)
    images = [SimpleITK.GetImageFromArray(labels) for labels in maps]
    theirs = SimpleITK.GetArrayFromImage(SimpleITK.MultiLabelSTAPLE(images))
    mine = fused(tmp_path, maps, "staple")
    assert (mine != theirs).mean() <= 1e-6


@pytest.mark.parametrize("seed", range(5))
def test_confusion_matrices_are_multi_label_staple_s(tmp_path, seed):
    maps = label_maps(seed)
    staple = SimpleITK.MultiLabelSTAPLEImageFilter()
    staple.Execute([SimpleITK.GetImageFromArray(labels) for labels in maps])
    fused(tmp_path, maps, "staple")
    record = json.loads((tmp_path / "record.json").read_text())
    count = len(record["label_table"]) + 1
    for k, rater in enumerate(record["raters"]):
        theirs = numpy.array(staple.GetConfusionMatrix(k)).reshape(-1, count)
        numpy.testing.assert_allclose(rater["confusion"], theirs[:count], rtol=0, atol=1e-6)
