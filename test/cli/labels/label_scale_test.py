# SPDX-License-Identifier: Apache-2.0
"""Processor time and memory grow with the voxels drawn, not with labels × image: 117 labels against one mask."""

import pathlib
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[3] / "bench"))
import labels as bench
from conftest import SLOWDOWN


@pytest.fixture(scope="module")
def raters(tmp_path_factory):
    bench.SIZE = (80, 240, 240)  # an eighth of what the bench measures
    return bench.phantom(str(tmp_path_factory.mktemp("raters")), 117)


@pytest.mark.skipif(SLOWDOWN != 1, reason="a sanitizer's time and memory are its own")
def test_a_hundred_labels_cost_little_more_than_one(program, raters, tmp_path):
    labels, masks = raters
    out = str(tmp_path / "out.nii.gz")
    one, many = bench.run(program, masks, out), bench.run(program, labels, out, "--labels", "all")
    assert many.peak <= 3 * one.peak, (many, one)
    assert many.processor <= 4 * one.processor, (many, one)


@pytest.mark.skipif(SLOWDOWN != 1, reason="a sanitizer's time is its own")
def test_time_is_linear_in_the_labels(program, tmp_path):
    """Ten times the labels on the same voxels; a search through all labels would take a hundred times as long."""
    seconds = {}
    for labels in (6553, 65530):
        names = bench.many_labels(str(tmp_path / str(labels)), labels)
        out = str(tmp_path / f"{labels}.nii.gz")
        seconds[labels] = bench.run(program, names, out, "--labels", "all").processor
    assert seconds[65530] <= 25 * seconds[6553], f"{seconds[65530]:.2f} s instead of {seconds[6553]:.2f}"


@pytest.mark.skipif(SLOWDOWN != 1, reason="a sanitizer's memory is its own")
def test_staple_of_many_labels_keeps_no_whole_matrices(program, crema, tmp_path):
    """One of 4000 × 4000 for each rater took hundreds of megabytes, --max-memory or not, and more in a record."""
    names = bench.many_labels(str(tmp_path / "maps"), 4000)
    out, record = str(tmp_path / "out.nii.gz"), tmp_path / "record.json"
    peak = {
        method: bench.run(program, names, out, "--labels", "all", "-m", method).peak
        for method in ("majority", "staple")
    }
    assert peak["staple"] <= 1.5 * peak["majority"] + 16, peak  # megabytes
    result = crema("fuse", *names, "--labels", "all", "-m", "staple", "--json", record)
    assert result.code == 0 and "confusion matrices of 4000 labels are left out of records" in result.err, result
    assert "confusion" not in record.read_text().replace("confusion matrices", "")
