# SPDX-License-Identifier: Apache-2.0
"""Regions that hold each other, through the program."""

import json

import numpy
import pytest
from labels_test import SIZE, ball, liver_and_tumour, load


@pytest.fixture
def label_maps(save):
    return [save(f"rater-{k + 1}.nii.gz", labels) for k, labels in enumerate(liver_and_tumour(1))]


def tumour_maps(seed, raters=3):
    """BraTS labels: oedema (2) around a core (1) around what enhances (4), by raters who disagree."""
    random = numpy.random.default_rng(seed)
    maps = []
    for _ in range(raters):
        labels = numpy.zeros(SIZE, numpy.uint8)
        for label, radius in ((2, 9), (1, 6), (4, 4)):
            labels[
                ball((11 + random.integers(-2, 3), 10 + random.integers(-2, 3), 4), radius + random.integers(-2, 2))
            ] = label
        maps.append(labels)
    return maps


REGIONS = {"whole": (1, 2, 4), "core": (1, 4), "enhancing": (4,)}


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("method", ["jaccard", "majority", "local-majority", "tanimoto"])
def test_regions_lie_inside_each_other(crema, save, tmp_path, seed, method):
    names = [save(f"r{k}.nii.gz", labels) for k, labels in enumerate(tumour_maps(seed))]
    table = "whole=1+2+4,core=1+4,enhancing=4"
    done = crema("fuse", *names, "-o", "out.nii.gz", "--regions", table, "-m", method, "--json", "record.json")
    assert done.code == 0, done.err
    assert "lies inside" in done.err
    labels, _ = load(tmp_path, "out.nii.gz")
    assert set(numpy.unique(labels)) <= {0, 1, 2, 4}
    record = json.loads((tmp_path / "record.json").read_text())
    outer = numpy.ones(SIZE, bool)
    for name, values in REGIONS.items():
        region = numpy.isin(labels, values)
        assert not (region & ~outer).any()
        outer = region
        binary = [save(f"b{k}.nii.gz", numpy.isin(labels_k, values).astype(numpy.uint8))
                  for k, labels_k in enumerate(tumour_maps(seed))]  # fmt: skip
        extra = ["--threshold-output", "0.5"] if method == "tanimoto" else []
        done = crema("fuse", *binary, "-o", "alone.nii.gz", "-m", method, "--force", *extra)
        assert done.code == 0, done.err
        alone = load(tmp_path, "alone.nii.gz")[0] == 1
        assert not (region & ~alone).any()
        row = next(row for row in record["label_table"] if row["name"] == name)
        assert row["voxels"] == region.sum()
    cut = record["cut"]
    assert crema("fuse", *names, "-o", "brats.nii.gz", "--regions", "brats", "-m", method).code == 0
    assert (tmp_path / "brats.nii.gz").read_bytes() == (tmp_path / "out.nii.gz").read_bytes()
    assert cut >= 0


def test_a_region_may_be_named_in_another(crema, save, tmp_path):
    names = [save(f"r{k}.nii.gz", labels) for k, labels in enumerate(tumour_maps(3))]
    for out, table in (("a.nii.gz", "brats"), ("b.nii.gz", "enhancing=4,core=enhancing+1,whole=core+2")):
        assert crema("fuse", *names, "-o", out, "--regions", table).code == 0
    assert (tmp_path / "a.nii.gz").read_bytes() == (tmp_path / "b.nii.gz").read_bytes()


def test_regions_that_name_a_label_nobody_has(crema, label_maps):
    done = crema("fuse", *label_maps, "--regions", "whole=1+2+9,inner=2")
    assert done.code == 3
    assert "9" in done.err and "1 and 2" in done.err
    assert crema("fuse", *label_maps, "--regions", "brats").code == 0  # a case in which nothing enhances


@pytest.mark.parametrize(
    "method", ["simple", "staple", "ml-staple", "staple-mrf", "local-staple", "shape", "shape-soft"]
)
def test_every_binary_method_fuses_regions(crema, save, tmp_path, method):
    maps = tumour_maps(2)
    names = [save(f"r{k}.nii.gz", labels) for k, labels in enumerate(maps)]
    done = crema("fuse", *names, "-o", "out.nii.gz", "--regions", "brats", "-m", method)
    assert done.code == 0, done.err
    labels, _ = load(tmp_path, "out.nii.gz")
    outer = numpy.ones(SIZE, bool)
    for values in REGIONS.values():
        binary = [save(f"b{k}.nii.gz", numpy.isin(own, values).astype(numpy.uint8)) for k, own in enumerate(maps)]
        cut = ["--threshold-output", "0.5"] if method in ("staple", "local-staple", "shape-soft") else []
        assert crema("fuse", *binary, "-o", "alone.nii.gz", "-m", method, "--force", *cut).code == 0
        outer &= load(tmp_path, "alone.nii.gz")[0] == 1
        numpy.testing.assert_array_equal(numpy.isin(labels, values), outer)


def test_a_dispute_names_the_region_that_a_rater_said(crema, save, tmp_path):
    """Which of a region's labels a rater wrote is neither seen nor called nobody."""
    rows = [[1, 1, 1, 1, 1, 3, 3, 3, 3, 0], [1, 1, 1, 2, 2, 2, 3, 3, 3, 3], [1, 1, 1, 1, 1, 1, 3, 3, 3, 3]]
    names = [save(f"r{k}.nii", numpy.array(row, numpy.uint8).reshape(10, 1, 1)) for k, row in enumerate(rows)]
    done = crema("fuse", *names, "-o", "out.nii", "--regions", "a=1+2,b=3", "--json", "record.json")
    assert done.code == 0, done.err
    assert "raters: b (3), a (1), a (1)" in " ".join(done.err.split())
    record = json.loads((tmp_path / "record.json").read_text())
    assert [block["said"] for block in record["disputes"]] == [[3, 1, 1]]
    assert record["lmsd_alone"] <= record["lmsd"]
