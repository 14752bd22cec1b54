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


def least(limit, one, other):
    """The costs of two commands with the least processor time, each of several runs: more in turn while the other takes
    more than `limit` times as long, since the machine may be busy during any of them."""
    costs = []
    for _ in range(10):
        costs.append((one(), other()))
        found = [min(column, key=lambda cost: cost.processor) for column in zip(*costs, strict=True)]
        if found[1].processor <= limit * found[0].processor:
            break
    return found


@pytest.mark.skipif(SLOWDOWN != 1, reason="a sanitizer's time and memory are its own")
def test_a_hundred_labels_cost_little_more_than_one(program, raters, tmp_path):
    labels, masks = raters
    out = str(tmp_path / "out.nii.gz")
    one, many = least(
        4, lambda: bench.run(program, masks, out), lambda: bench.run(program, labels, out, "--labels", "all")
    )
    assert many.peak <= 3 * one.peak, (many, one)
    assert many.processor <= 4 * one.processor, (many, one)


@pytest.mark.skipif(SLOWDOWN != 1, reason="a sanitizer's time is its own")
def test_time_is_linear_in_the_labels(program, tmp_path):
    """Ten times the labels on the same voxels; a search through all labels would take a hundred times as long."""

    def runs_of(labels):
        names = bench.many_labels(str(tmp_path / str(labels)), labels)
        return lambda: bench.run(program, names, str(tmp_path / f"{labels}.nii.gz"), "--labels", "all")

    few, many = least(25, runs_of(6553), runs_of(65530))
    assert many.processor <= 25 * few.processor, (few, many)


@pytest.mark.skipif(SLOWDOWN != 1, reason="a sanitizer's time is its own")
@pytest.mark.parametrize(
    "words",
    [
        ["fuse", "-m", "simple"],
        ["fuse", "-m", "staple"],
        ["fuse", "-m", "local-majority"],
        ["agreement", "--no-surfaces"],
        ["compare", "-m", "jaccard"],
    ],
    ids=" ".join,
)
def test_every_method_and_measure_is_linear_in_the_labels(program, tmp_path, words):
    seconds = {}
    for labels in (2000, 16000):
        names = bench.many_labels(str(tmp_path / str(labels)), labels)
        seconds[labels] = bench.seconds(program, words[0], *names, "--labels", "all", "-q", *words[1:])
    assert seconds[16000] <= 2 * 8 * seconds[2000], seconds


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
    assert result.code == 0 and "confusion matrices of 4000 labels are left out of the record" in result.err, result
    assert "confusion" not in record.read_text().replace("confusion matrices", "")
