# SPDX-License-Identifier: Apache-2.0
"""Segments that overlap, where sets of methods hold some that need one label per voxel."""

import csv
import json

import pytest
from labels_test import ball
from segments_test import write_segments

SAID = "staple needs one label per voxel, but segments overlap; it is left out."


@pytest.fixture
def names(tmp_path):
    made = []
    for k in range(3):
        layers = [ball((11 + k, 10, 4), 8), ball((13, 10 + k, 4), 4)]
        made.append(write_segments(tmp_path / f"r{k}.seg.nrrd", layers, [("liver", 0, 1), ("tumour", 1, 1)]))
    return made


def words(text):
    return " ".join(text.split())


def test_a_page_and_a_comparison_do_without_methods_of_one_label_per_voxel(crema, names, tmp_path):
    for command in (("report", "-o", "page.html"), ("compare", "--csv", "tables"), ("fuse", "-m", "paper")):
        done = crema(command[0], *names, "--labels", "all", *command[1:])
        assert done.code == 0 and words(done.err).count(SAID) == 1, done.err
    rows = list(csv.DictReader((tmp_path / "tables/methods.csv").open()))
    methods = [row["method"] for row in rows]
    assert "jaccard" in methods and "staple" not in methods
    assert "MML STAPLE" not in (tmp_path / "page.html").read_text(encoding="utf-8").split("<script")[0]


def test_a_folder_of_methods_holds_the_others(crema, names, tmp_path):
    given = ("--labels", "all", "-m", "staple,jaccard,dice", "-o", "out", "--json", "record.json")
    done = crema("fuse", *names, *given)
    assert done.code == 0 and SAID in words(done.err), done.err
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == ["dice.seg.nrrd", "jaccard.seg.nrrd"]
    record = json.loads((tmp_path / "record.json").read_text())
    assert [one["method"] for one in record["results"]] == ["jaccard", "dice"]
    assert crema("fuse", *names, "--labels", "all", "-m", "dice", "-o", "dice.seg.nrrd").code == 0
    assert (tmp_path / "dice.seg.nrrd").read_bytes() == (tmp_path / "out/dice.seg.nrrd").read_bytes()
    alone = crema("fuse", *names, "--labels", "all", "-m", "staple,ml-staple")
    assert alone.code == 2 and "overlap" in alone.err


def test_a_cohort_goes_on_with_the_others(crema, names, tmp_path):
    for case in ("a", "b"):
        (tmp_path / "data" / case).mkdir(parents=True)
        for name in names:
            (tmp_path / "data" / case / name).write_bytes((tmp_path / name).read_bytes())
    given = ("cohort", "run", "data", "--layout", "cases", "-o", "run", "--labels", "all", "-m", "paper", "--report")
    done = crema(*given)
    assert done.code == 0, done
    rows = list(csv.DictReader((tmp_path / "run/methods.csv").open()))
    assert {row["method"] for row in rows} == {
        "jaccard", "dice", "majority", "tanimoto", "soergel", "dice1", "dice2", "average",
    }  # fmt: skip
    assert SAID.split(",")[0] in (tmp_path / "run/cases/a/result.json").read_text()
    assert "0 made, 2 already there" in crema(*given).out
