# SPDX-License-Identifier: Apache-2.0
"""What the suites of statistics over cases share: a small cohort from which raters are missing, and plain NumPy."""

import csv
import subprocess
import sys
from pathlib import Path

import numpy
import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from subject import Result, program  # noqa: F401

WHY = "is not installed; scripts/test makes its environment"
nibabel = pytest.importorskip("nibabel", reason=f"nibabel {WHY}")
stats = pytest.importorskip("scipy.stats", reason=f"scipy {WHY}")
METHODS = ["jaccard", "majority", "staple"]


def read_table(path):
    with open(path, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def write_table(path, rows):
    with open(path, "w", newline="", encoding="utf-8") as file:
        table = csv.DictWriter(file, rows[0])
        table.writeheader()
        table.writerows(rows)


def blob(random, centre, radius, size=(20, 18, 6)):
    grid = numpy.stack(numpy.meshgrid(*map(numpy.arange, size), indexing="ij"), axis=-1)
    noise = random.normal(0, 0.4, 3)
    return (((grid - centre - noise) / [1, 1, 0.5]) ** 2).sum(axis=-1) < (radius + random.normal(0, 0.5)) ** 2


def save(path, mask):
    path.parent.mkdir(parents=True, exist_ok=True)
    nibabel.Nifti1Image(mask.astype(numpy.uint8), numpy.diag([1, 1, 2, 1])).to_filename(path)


def make_run(program, folder):
    """Fourteen cases of four raters, of whom some are missing, with candidates for all cases but one."""
    random = numpy.random.default_rng(7)
    for c in range(14):
        centre, radius = random.uniform([7, 6, 2], [12, 11, 4]), random.uniform(3, 6)
        for k in range(4):
            if k < 2 or random.random() < 0.75:
                save(folder / f"data/case{c:02}/rater-{k}.nii.gz", blob(random, centre, radius + 0.4 * k))
        if c != 5:
            save(folder / f"predictions/case{c:02}.nii.gz", blob(random, centre, radius))
    words = ["cohort", "run", "data", "-o", "run", "--methods", ",".join(METHODS), "--no-images", "-q"]
    subprocess.run([program, *words], cwd=folder, check=True)


@pytest.fixture(scope="module")
def folder(program, tmp_path_factory):
    built = tmp_path_factory.mktemp("study")
    make_run(program, built)
    return built


@pytest.fixture
def study(program, folder):
    def run(name, *words, runs="run", code=0):
        done = subprocess.run([program, "study", runs, "-o", name, *words], cwd=folder, capture_output=True)
        result = Result(done)
        assert result.code == code, result
        return result

    return run


def masks_of(folder, case):
    paths = sorted((folder / "data" / case).iterdir())
    return {path.name.split(".")[0]: numpy.asarray(nibabel.load(path).dataobj) > 0 for path in paths}


def dice(a, b):
    return 1.0 if a.sum() + b.sum() == 0 else 2 * (a & b).sum() / (a.sum() + b.sum())


def close_to_bootstrap(values, low, high):
    """Within the error of 2000 draws of SciPy's own."""
    theirs = stats.bootstrap(
        (numpy.asarray(values),), numpy.mean, n_resamples=20000, method="percentile", rng=numpy.random.default_rng(1)
    ) if numpy.ptp(values) > 0 else None  # fmt: skip
    if theirs is None:
        return low == high
    width = theirs.confidence_interval.high - theirs.confidence_interval.low
    return (
        abs(low - theirs.confidence_interval.low) < 0.08 * width
        and abs(high - theirs.confidence_interval.high) < 0.08 * width
    )
