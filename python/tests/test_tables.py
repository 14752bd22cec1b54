# SPDX-License-Identifier: Apache-2.0
"""Reports come as dicts, arrays and data frames, and all say the same as the program's tables."""

from __future__ import annotations

import csv
import pickle
import subprocess
import sys

import numpy as np
import pytest

import crema

pandas = pytest.importorskip("pandas", reason="NO DATA FRAMES: pandas is not installed")


@pytest.fixture
def files(masks, tmp_path):
    paths = [tmp_path / f"r{k}.nii.gz" for k in range(len(masks))]
    for k, (path, mask) in enumerate(zip(paths, masks, strict=True)):
        crema.write(path, mask * (k != 4), geometry=crema.Geometry((45, 41, 7), (0.9, 0.9, 3.0)))
    return paths


@pytest.fixture
def tables_of(program_path, tmp_path):
    def run(*words):
        folder = tmp_path / "csv"
        command = [program_path, *map(str, words), "--csv", str(folder)]
        done = subprocess.run(command, capture_output=True, text=True, timeout=600)
        assert done.returncode == 0, done.stderr
        return {path.stem: pandas.read_csv(path) for path in sorted(folder.iterdir())}

    return run


def assert_same(frame, its, name):
    assert list(frame.columns) == list(its.columns), name
    for column in frame.columns:
        own, other = frame[column], its[column]
        if not pandas.api.types.is_numeric_dtype(own):
            texts = [[None if pandas.isna(one) or one == "" else str(one) for one in both] for both in (own, other)]
            assert texts[0] == texts[1], (name, column)
        else:
            assert np.allclose(own.astype(float), other.astype(float), rtol=0, atol=0, equal_nan=True), (name, column)


def test_frames_are_the_tables_of_the_program(files, tmp_path, tables_of):
    reply = crema.fuse(files).agreement(case="c")
    its = tables_of("agreement", *files, "--case", "c")
    frames = reply.frames()
    assert set(frames) == set(its) == {"rater_pairs", "raters", "components", "component_raters"}
    for name, frame in frames.items():
        assert_same(frame, its[name], name)
    assert frames["rater_pairs"]["hd95_mm"].isna().sum() == 4  # one rater drew nothing


def test_frames_of_methods_are_the_tables_of_the_program(files, tmp_path, tables_of):
    frames = crema.fuse(files).compare("paper", case="c").frames()
    its = tables_of("compare", *files, "--case", "c")
    assert set(frames) == set(its) == {"methods", "method_pairs"}
    times = ["read_s", "count_s", "solve_s"]
    assert_same(frames["methods"].drop(columns=times), its["methods"].drop(columns=times), "methods")
    assert_same(frames["method_pairs"], its["method_pairs"], "method_pairs")


def test_arrays_have_the_type_of_what_they_hold(files):
    tables = crema.fuse(files).agreement(leave_one_out="fixed", review=5).arrays()
    assert tables["raters"]["voxels"].dtype == np.int64 and tables["raters"]["dice"].dtype == np.float64
    assert tables["components"]["kept"].dtype == np.bool_
    assert np.isnan(tables["rater_pairs"]["hd95_mm"]).any()
    assert len(tables["leave_one_out"]["dice"]) == 5
    ranks = tables["review"]["rank"]  # of decisions, at most five
    assert list(ranks) == list(range(1, len(ranks) + 1)) and 1 <= len(ranks) <= 5
    assert {len(column) for column in tables["review"].values()} == {len(ranks)}


def test_leave_one_out_and_bootstrap_are_tables_too(masks):
    result = crema.fuse(masks)
    left = result.leave_one_out("exact")
    assert left.arrays()["dice"].tolist() == [row["dice"] for row in left]
    assert left.frame()["change"].tolist() == [row["change"] for row in left]
    shaken = result.bootstrap(20, seed=3)
    frames = shaken.frames()
    assert frames["spread"].set_index("measure").loc["lmsd", "median"] == shaken["lmsd"]["median"]
    assert frames["components"]["kept"].tolist() == shaken["kept"]
    assert shaken.arrays()["components"]["component"].tolist() == list(range(1, len(result.components) + 1))


def test_records_are_dicts_and_can_be_pickled(masks):
    reply = crema.fuse(masks).agreement(surfaces=False)
    other = pickle.loads(pickle.dumps(reply))
    assert isinstance(reply, dict) and other == reply
    assert other.frames()["raters"].equals(reply.frames()["raters"])


def test_rows_of_csv_can_be_read_without_pandas(files, tmp_path, tables_of):
    tables_of("agreement", *files)
    with open(tmp_path / "csv" / "rater_pairs.csv", encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    reply = crema.fuse(files).agreement().arrays()["rater_pairs"]
    assert [float(row["dice"]) for row in rows] == reply["dice"].tolist()


def test_pandas_is_imported_when_frames_are_asked_for_and_not_before(tmp_path):
    code = """
import sys, crema
result = crema.fuse(crema.phantom("lesions", size=(6, 40, 40), raters=3).masks)
told = result.agreement(); told.arrays(); result.bootstrap(5).arrays(); result._repr_html_()
assert "pandas" not in sys.modules
told.frames()
assert "pandas" in sys.modules
"""
    subprocess.run([sys.executable, "-c", code], check=True, cwd=tmp_path)


def test_without_pandas_it_is_said(masks, monkeypatch):
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(ModuleNotFoundError, match=r"pip install pandas, or take arrays\(\)"):
        crema.fuse(masks).agreement(surfaces=False).frames()
