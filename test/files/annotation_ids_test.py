# SPDX-License-Identifier: Apache-2.0
"""Ids of pictures, categories and tasks: files number them by themselves, and what is written has each id once."""

import json
from xml.etree import ElementTree

import pytest
from annotations_kit import consensus_of, crema, program  # noqa: F401

SQUARE = [[5, 5, 20, 5, 20, 20, 5, 20]]
SHIFTED = [[15, 5, 30, 5, 30, 20, 15, 20]]


def coco(images, categories, drawn):
    """By id: names of images, names of categories; drawn: (image, category, polygon)."""
    return {
        "images": [{"id": i, "file_name": name, "width": 40, "height": 30} for i, name in images.items()],
        "categories": [{"id": i, "name": name, "supercategory": "tissue"} for i, name in categories.items()],
        "annotations": [
            {"id": number, "image_id": image, "category_id": category, "segmentation": ring}
            for number, (image, category, ring) in enumerate(drawn)
        ],
    }


def put(folder, **files):
    for name, content in files.items():
        (folder / f"{name}.json").write_text(json.dumps(content))
    return [f"{name}.json" for name in files]


def by_pycocotools(path):
    """(picture, category, left edge) of each annotation as pycocotools looks them up; names of both by id."""
    COCO = pytest.importorskip("pycocotools.coco", reason="pycocotools is not installed").COCO
    data = COCO(str(path))
    pictures = {i: one["file_name"] for i, one in data.imgs.items()}
    categories = {i: one["name"] for i, one in data.cats.items()}
    assert len(data.dataset["images"]) == len(pictures) and len(data.dataset["categories"]) == len(categories)
    found = {
        (pictures[i], categories[one["category_id"]], one["bbox"][0])
        for i in pictures
        for one in data.loadAnns(data.getAnnIds(imgIds=[i]))
    }
    return found, pictures, categories


def test_ids_that_two_files_give_to_different_things_do_not_move_an_annotation(crema, tmp_path):
    anna = coco({1: "x.jpg"}, {1: "cat"}, [(1, 1, SQUARE)])
    ben = coco({1: "y.jpg", 2: "x.jpg"}, {1: "dog", 2: "cat"}, [(2, 2, SQUARE), (1, 1, SHIFTED)])
    files = put(tmp_path, anna=anna, ben=ben)
    done = crema("import", *files, "-o", "apart")
    assert "1 picture gets a new id, because its id is taken: y.jpg had 1 and has 2 now." in done.err
    assert "1 category gets a new id, because its id is taken: dog had 1 and has 2 now." in done.err
    found, pictures, categories = by_pycocotools(consensus_of(crema, tmp_path, files=files, run=["--labels", "all"]))
    assert found == {("x.jpg", "cat", 5), ("y.jpg", "dog", 15)}
    assert pictures == {1: "x.jpg", 2: "y.jpg"} and categories == {1: "cat", 2: "dog"}


def test_ids_that_clash_with_nothing_come_back_with_zero_and_gaps_and_the_supercategory(crema, tmp_path):
    file = coco({0: "x.jpg", 9: "y.jpg"}, {0: "cat"}, [(9, 0, SQUARE)])
    written = consensus_of(crema, tmp_path, files=put(tmp_path, anna=file, ben=file))
    found, pictures, categories = by_pycocotools(written)
    assert found == {("y.jpg", "cat", 5)} and pictures == {0: "x.jpg", 9: "y.jpg"} and categories == {0: "cat"}
    assert json.loads(written.read_text())["categories"] == file["categories"]


@pytest.mark.parametrize("tool", ["cvat", "coco"])
def test_frames_of_two_jobs_of_cvat_have_one_id_each(crema, tmp_path, tool):
    for who, names in (("anna", "pq"), ("ben", "qr")):
        images = "".join(
            f'<image id="{number}" name="{name}.jpg" width="40" height="30">'
            f'<polygon label="cell" points="{ord(name) - 110},5;20,5;20,20"/></image>'
            for number, name in enumerate(names)
        )
        (tmp_path / f"{who}.xml").write_text(f"<annotations>{images}</annotations>")
    written = consensus_of(crema, tmp_path, files=["anna.xml", "ben.xml"], export=["--as", tool])
    if tool == "coco":
        found, pictures, categories = by_pycocotools(written)
        assert categories == {1: "cell"} and len(found) == 3
    else:
        pictures = {int(one.get("id")): one.get("name") for one in ElementTree.parse(written).findall("image")}
    assert pictures == {0: "p.jpg", 1: "q.jpg", 2: "r.jpg"}


def task(number, picture):
    region = {"id": "r", "type": "polygonlabels", "original_width": 50, "original_height": 40}
    region["value"] = {"points": [[10, 10], [50, 10], [50, 50]], "polygonlabels": ["cell"]}
    drawn = [{"id": who, "completed_by": who, "result": [region]} for who in (1, 2)]
    return {"id": number, "data": {"image": picture}, "annotations": drawn}


def test_tasks_of_two_projects_of_label_studio_have_one_id_each(crema, tmp_path):
    files = put(tmp_path, one=[task(5, "a.jpg")], two=[task(5, "b.jpg"), task(6, "c.jpg")])
    written = consensus_of(crema, tmp_path, files=files)
    assert {one["id"]: one["data"]["image"] for one in json.loads(written.read_text())} == {
        5: "a.jpg",
        1: "b.jpg",
        6: "c.jpg",
    }
    assert crema("export", "results", "-o", "coco.json", "--as", "coco").code == 0
    found, pictures, _ = by_pycocotools(tmp_path / "coco.json")
    assert pictures == {5: "a.jpg", 1: "b.jpg", 6: "c.jpg"} and len(found) == 3


def test_one_id_for_two_tasks_of_a_file_is_refused(crema, tmp_path):
    done = crema("import", *put(tmp_path, one=[task(5, "a.jpg"), task(5, "b.jpg")]), "-o", "data")
    assert done.code == 3 and "one.json: task[1]: the id 5 was used before; ids have to differ." in done.err


@pytest.mark.parametrize("what", ["pictures", "categories"])
def test_a_record_with_one_id_for_two_is_not_written_for_a_tool(crema, tmp_path, what):
    file = coco({1: "x.jpg", 2: "y.jpg"}, {1: "cat", 2: "dog"}, [(1, 1, SQUARE), (2, 2, SQUARE)])
    consensus_of(crema, tmp_path, files=put(tmp_path, anna=file), run=["--labels", "all"])
    record = json.loads((tmp_path / "data/annotations.json").read_text())
    record[what][1]["id"] = 1
    (tmp_path / "data/annotations.json").write_text(json.dumps(record))
    done = crema("export", "results", "-o", "again.json")
    assert done.code == 3 and f"annotations.json: {what}[1]: the id 1 was used before" in done.err, done.err
