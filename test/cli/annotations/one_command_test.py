# SPDX-License-Identifier: Apache-2.0
"""crema annotations: what import, cohort run and export make together, without their folders."""

import json
import os

import pytest

NAMES = ("anna", "ben", "carl")


def coco(by, categories=("cell", "nucleus")):
    square = [4 + by, 4, 14 + by, 4, 14 + by, 14, 4 + by, 14]
    pictures = [{"id": i, "file_name": f"{i}.jpg", "width": 40, "height": 30} for i in (1, 2)]
    return {
        "images": pictures,
        "categories": [{"id": i, "name": name} for i, name in enumerate(categories)],
        "annotations": [
            {"id": i, "image_id": 1, "category_id": i, "segmentation": [square]} for i, _ in enumerate(categories)
        ],
    }


@pytest.fixture
def put(tmp_path, monkeypatch):
    """Three files; what is temporary goes into a folder of its own."""
    (tmp_path / "scratch").mkdir()
    monkeypatch.setenv("TMPDIR", str(tmp_path / "scratch"))

    def write(*categories):
        for by, who in enumerate(NAMES):
            (tmp_path / f"{who}.json").write_text(json.dumps(coco(by, categories)))
        return [f"{who}.json" for who in NAMES]

    return write


@pytest.mark.parametrize("categories", [("cell",), ("cell", "nucleus")], ids="+".join)
@pytest.mark.parametrize("how", [[], ["--instances", "--quorum", "1", "--overlap", "smaller"]], ids=["all", "each"])
@pytest.mark.parametrize("tool", ["coco", "cvat", "label-studio"])
def test_it_writes_what_the_three_steps_write(crema, put, tmp_path, categories, how, tool):
    files = put(*categories)
    done = crema("annotations", *files, "-o", "one", *how, "--as", tool, "--method", "dice", "--tie", "foreground")
    assert done.code == 0, done.err
    assert "3 files of COCO: 2 pictures, 3 annotators" in done.out and "in one" in done.out
    assert os.listdir(tmp_path / "scratch") == []
    labels = ["--labels", "all"] if len(categories) > 1 and not how else []
    for step in (
        ("import", *files, "-o", "data", *how),
        ("cohort", "run", "data", "-o", "run", "--methods", "dice", "--tie", "foreground", *labels),
        ("export", "run", "-o", "three", "--as", tool),
    ):
        assert crema(*step).code == 0, step
    assert (tmp_path / "one").read_bytes() == (tmp_path / "three").read_bytes()


def test_nothing_is_replaced_unless_it_is_forced_and_never_an_input(crema, put, tmp_path):
    files = put("cell")
    before = (tmp_path / "anna.json").read_bytes()
    assert crema("annotations", *files, "-o", "out.json").code == 0
    done = crema("annotations", *files, "-o", "out.json")
    assert done.code == 2 and "out.json" in done.err
    assert crema("annotations", *files, "-o", "out.json", "--force").code == 0
    done = crema("annotations", *files, "-o", "anna.json", "--force")
    assert done.code == 2 and "is the input anna.json" in done.err
    assert (tmp_path / "anna.json").read_bytes() == before and os.listdir(tmp_path / "scratch") == []


def test_what_is_refused_leaves_nothing(crema, put, tmp_path):
    files = put("cell")
    (tmp_path / "ben.json").write_text("{")
    there = sorted(os.listdir(tmp_path))
    for words, code in (
        ([*files, "-o", "out.json"], 3),
        ([files[0], "-o", "out.json", "--method", "median"], 2),
        ([files[0], "-o", "out.json", "--quorum", "2"], 2),
        ([files[0], "-o", "missing/out.json"], 4),
    ):
        done = crema("annotations", *words)
        assert done.code == code, (words, done)
        assert sorted(os.listdir(tmp_path)) == there and os.listdir(tmp_path / "scratch") == []


def test_quiet_says_nothing_and_a_place_without_room_for_folders_is_named(crema, put, monkeypatch, tmp_path):
    files = put("cell")
    done = crema("annotations", *files, "-o", "out.json", "-q")
    assert (done.code, done.out, done.err) == (0, "", "")
    monkeypatch.setenv("TMPDIR", str(tmp_path / "anna.json"))
    done = crema("annotations", *files, "-o", "more.json")
    assert done.code == 4 and "TMPDIR" in done.err, done
