# SPDX-License-Identifier: Apache-2.0
"""Annotations in and out, against the tools' own libraries: pycocotools, label-studio-sdk, SciPy."""

import itertools
import json

import numpy
import pytest
from annotations_kit import (  # noqa: F401
    NAMES,
    blob,
    brush_of_label_studio,
    consensus_of,
    crema,
    moved,
    plain_runs,
    program,
    random,
    read_png,
)

mask_tools = pytest.importorskip("pycocotools.mask", reason="pycocotools is not installed")


def packed(mask):
    runs = mask_tools.encode(numpy.asfortranarray(mask))
    return {"size": list(runs["size"]), "counts": runs["counts"].decode()}


def coco(pictures, objects, categories=("cell",)):
    """A file of COCO: pictures by name and shape, objects as (picture, category, segmentation)."""
    ids = {name: 100 + number for number, name in enumerate(pictures)}
    return {
        "images": [
            {"id": ids[name], "file_name": f"{name}.jpg", "height": shape[0], "width": shape[1]}
            for name, shape in pictures.items()
        ],
        "categories": [{"id": 10 + number, "name": name} for number, name in enumerate(categories)],
        "annotations": [
            {
                "id": number,
                "image_id": ids[name],
                "category_id": 10 + categories.index(category),
                "segmentation": segmentation,
                "iscrowd": 0,
            }
            for number, (name, category, segmentation) in enumerate(objects)
        ],
    }


def decoded(annotation):
    return mask_tools.decode({**annotation["segmentation"], "counts": annotation["segmentation"]["counts"].encode()})


def test_masks_of_coco_come_in_as_pycocotools_decodes_them_and_go_out_as_it_decodes_them(crema, tmp_path, random):
    shapes = {"one": (23, 31), "two": (40, 17), "three": (9, 64)}
    truth = {name: blob(random, *shape) for name, shape in shapes.items()}
    drawn = {}
    for number, who in enumerate(NAMES):
        drawn[who] = {name: moved(random, mask) for name, mask in truth.items()}
        write = plain_runs if number == 1 else packed
        objects = [(name, "cell", write(mask)) for name, mask in drawn[who].items()]
        (tmp_path / f"{who}.json").write_text(json.dumps(coco(shapes, objects)))
    written = consensus_of(crema, tmp_path, files=[f"{who}.json" for who in NAMES], run=["--methods", "majority"])
    for who, name in itertools.product(NAMES, shapes):
        assert (read_png(tmp_path / "data/masks" / name / f"{who}.png") == drawn[who][name]).all()
    result = json.loads(written.read_text())
    assert [image["id"] for image in result["images"]] == [100, 101, 102]
    majority = {name: sum(drawn[who][name] for who in NAMES) >= 2 for name in shapes}
    assert len(result["annotations"]) == sum(mask.any() for mask in majority.values())
    for annotation in result["annotations"]:
        name = result["images"][annotation["image_id"] - 100]["file_name"][:-4]
        assert (decoded(annotation) == majority[name]).all()
        runs = {**annotation["segmentation"], "counts": annotation["segmentation"]["counts"].encode()}
        assert annotation["area"] == mask_tools.area(runs)
        assert annotation["bbox"] == mask_tools.toBbox(runs).tolist()


def test_the_whole_export_is_a_data_set_of_pycocotools(crema, tmp_path, random, capsys):
    from pycocotools.coco import COCO

    shapes = {"one": (30, 30)}
    for who in NAMES:
        objects = [("one", "cell", packed(blob(random, 30, 30))), ("one", "nucleus", packed(blob(random, 30, 30)))]
        (tmp_path / f"{who}.json").write_text(json.dumps(coco(shapes, objects, ("cell", "nucleus"))))
    written = consensus_of(
        crema, tmp_path, files=[f"{who}.json" for who in NAMES], run=["--labels", "all", "--methods", "average"]
    )
    data = COCO(str(written))
    assert {one["name"] for one in data.loadCats(data.getCatIds())} == {"cell", "nucleus"}
    for annotation in data.loadAnns(data.getAnnIds()):
        assert data.annToMask(annotation).sum() == annotation["area"] > 0


def test_polygons_are_filled_by_pixel_centres_and_differ_from_pycocotools_at_edges_alone(crema, tmp_path, random):
    """pycocotools traces the outline on a grid of fifths; here a pixel is inside when its centre is."""
    size = 48
    rings = []
    for _ in range(20):
        angles = numpy.sort(random.uniform(0, 2 * numpy.pi, 12))
        reach = random.uniform(8, 20, 12)
        rings.append(numpy.stack([24 + reach * numpy.cos(angles), 24 + reach * numpy.sin(angles)], 1))
    shapes = {f"p{number:02}": (size, size) for number in range(len(rings))}
    objects = [(name, "cell", [ring.ravel().tolist()]) for name, ring in zip(shapes, rings)]
    (tmp_path / "anna.json").write_text(json.dumps(coco(shapes, objects)))
    assert crema("import", "anna.json", "-o", "data").code == 0
    y, x = numpy.mgrid[:size, :size] + 0.5
    for name, ring in zip(shapes, rings):
        ours = read_png(tmp_path / "data/masks" / name / "anna.png")
        inside = numpy.zeros((size, size), int)
        distance = numpy.full((size, size), numpy.inf)
        for (ax, ay), (bx, by) in zip(ring, numpy.roll(ring, -1, 0)):
            crosses = (ay <= y) != (by <= y)
            inside += crosses & (ax + (y - ay) * (bx - ax) / (by - ay) <= x)
            along = numpy.clip(((x - ax) * (bx - ax) + (y - ay) * (by - ay)) / ((bx - ax) ** 2 + (by - ay) ** 2), 0, 1)
            distance = numpy.minimum(distance, numpy.hypot(x - ax - along * (bx - ax), y - ay - along * (by - ay)))
        assert (ours == inside % 2).all()
        (theirs,) = mask_tools.frPyObjects([ring.ravel().tolist()], size, size)
        other = mask_tools.decode(theirs) != ours
        assert distance[other].max(initial=0) < 0.75
        assert other.sum() < 0.15 * ours.sum()


def test_brushes_of_label_studio_come_in_and_go_out_as_its_sdk_reads_them(crema, tmp_path, random):
    brush = brush_of_label_studio()
    shape = (23, 31)
    truth = blob(random, *shape)
    drawn = {number: moved(random, truth) for number in (3, 8, 11)}
    task = {"id": 5, "data": {"image": "/data/upload/1/one.jpg"}, "annotations": []}
    for who, mask in drawn.items():
        region = {
            "id": f"r{who}",
            "type": "brushlabels",
            "from_name": "brush",
            "to_name": "picture",
            "original_width": shape[1],
            "original_height": shape[0],
            "image_rotation": 0,
            "value": {"format": "rle", "rle": brush.mask2rle(mask * 255), "brushlabels": ["cell"]},
        }
        task["annotations"].append({"id": who, "completed_by": who, "result": [region]})
    (tmp_path / "tasks.json").write_text(json.dumps([task]))
    written = consensus_of(crema, tmp_path, files=["tasks.json"], run=["--methods", "majority"])
    for who, mask in drawn.items():
        assert (read_png(tmp_path / "data/masks/one" / f"{who}.png") == mask).all()
    (result,) = json.loads(written.read_text())
    assert result["data"] == task["data"]
    (region,) = result["annotations"][0]["result"]
    assert (region["from_name"], region["to_name"]) == ("brush", "picture")
    back = brush.decode_rle(region["value"]["rle"]).reshape(*shape, 4)[:, :, 3]
    assert ((back > 0) == (sum(drawn.values()) >= 2)).all()


def worth_of(a, b, overlap):
    common = int((a & b).sum())
    return common / (int(a.sum()) + int(b.sum()) - common if overlap == "iou" else min(int(a.sum()), int(b.sum())))


def clusters_by_scipy(objects, threshold, overlap):
    """Objects as (annotator, mask): SciPy's assignment for each two annotators, then pairs joined, the best first."""
    from scipy.optimize import linear_sum_assignment

    def worth(a, b):
        return worth_of(objects[a][1], objects[b][1], overlap)

    pairs = []
    whose = {who: [i for i, one in enumerate(objects) if one[0] == who] for who in {one[0] for one in objects}}
    for a, b in itertools.combinations(sorted(whose), 2):
        gains = numpy.array([[worth(i, j) for j in whose[b]] for i in whose[a]])
        gains[gains < threshold] = 0
        for row, column in zip(*linear_sum_assignment(gains, maximize=True)):
            if gains[row, column] > 0:
                pairs.append((-gains[row, column], whose[a][row], whose[b][column]))
    clusters = [{i} for i in range(len(objects))]
    for _, i, j in sorted(pairs):
        first, second = (next(c for c in clusters if k in c) for k in (i, j))
        names = [objects[k][0] for k in first | second]
        if first is not second and len(set(names)) == len(names):
            clusters.remove(second)
            first |= second
    return {frozenset(objects[k][0] + str(objects[k][1].sum()) for k in cluster) for cluster in clusters}


@pytest.mark.parametrize("overlap", ["iou", "smaller"])
def test_objects_are_matched_as_by_scipy(crema, tmp_path, random, overlap):
    pytest.importorskip("scipy", reason="SciPy is not installed")
    shape = (60, 60)
    y, x = numpy.mgrid[:60, :60]
    values = [1.0, 1.0]
    # Pairs of one worth could be matched in several ways, and objects of one size are named alike here.
    while len(set(values)) < len(values):
        objects = []
        centres = random.uniform(8, 52, (6, 2))
        for who in NAMES:
            for centre in centres[random.permutation(6)[:5]]:
                place = centre + random.uniform(2, 4, 2) * random.choice([-1, 1], 2)
                objects.append((who, numpy.hypot(y - place[0], x - place[1]) < random.uniform(5, 8)))
        pairs = [worth_of(a[1], b[1], overlap) for a, b in itertools.combinations(objects, 2) if a[0] != b[0]]
        values = [value for value in pairs if value >= 0.5] + [f"{who}{mask.sum()}" for who, mask in objects]
    for who in NAMES:
        mine = [("one", "cell", packed(mask.astype(numpy.uint8))) for owner, mask in objects if owner == who]
        (tmp_path / f"{who}.json").write_text(json.dumps(coco({"one": shape}, mine)))
    done = crema(
        "import", *(f"{who}.json" for who in NAMES), "-o", "data", "--instances", "--quorum", "1", "--overlap", overlap
    )
    assert done.code == 0, done.err
    found = set()
    for case in (tmp_path / "data/masks").iterdir():
        found.add(frozenset(f"{path.stem}{read_png(path).sum()}" for path in case.iterdir()))
    assert found == clusters_by_scipy(objects, 0.5, overlap)


def test_each_object_is_fused_by_itself_and_lands_where_it_was(crema, tmp_path, random):
    shape = (50, 70)
    y, x = numpy.mgrid[:50, :70]
    drawn = {}
    for who in NAMES:
        # At most 1.7 pixels apart, discs of this size have an IoU above 0.6, and all of them are matched.
        places = numpy.array([(12, 15), (14, 22), (35, 50)]) + random.uniform(-0.6, 0.6, (3, 2))
        drawn[who] = [(numpy.hypot(y - a, x - b) < 4.5).astype(numpy.uint8) for a, b in places]
    for number, who in enumerate(NAMES):
        objects = [("one", "cell", packed(mask)) for mask in drawn[who][: 3 if number < 2 else 2]]
        (tmp_path / f"{who}.json").write_text(json.dumps(coco({"one": shape}, objects)))
    written = consensus_of(
        crema,
        tmp_path,
        files=[f"{who}.json" for who in NAMES],
        imported=["--instances"],
        run=["--methods", "majority", "--tie", "foreground"],
    )
    result = [decoded(one) for one in json.loads(written.read_text())["annotations"]]
    assert len(result) == 3
    for number in range(3):
        votes = sum(drawn[who][number] for who in NAMES[: 2 if number == 2 else 3])
        assert any((mask == (votes >= (1 if number == 2 else 2))).all() for mask in result)


def test_a_crowd_is_no_object_and_counts_in_a_picture(crema, tmp_path, random):
    masks = [blob(random, 40, 50), blob(random, 40, 50)]
    content = coco({"one": (40, 50)}, [("one", "cell", packed(mask)) for mask in masks])
    content["annotations"][1]["iscrowd"] = 1
    (tmp_path / "anna.json").write_text(json.dumps(content))
    done = crema("import", "anna.json", "-o", "objects", "--instances", "--quorum", "1")
    assert "1 outline is left out: iscrowd says that several objects are in it." in done.err
    assert len(list((tmp_path / "objects/masks").iterdir())) == 1
    done = crema("import", "anna.json", "-o", "pictures")
    assert done.code == 0 and "iscrowd" not in done.err
    assert (read_png(tmp_path / "pictures/masks/one/anna.png") == masks[0] | masks[1]).all()


def test_the_rule_of_cvat_gives_one_annotators_object(crema, tmp_path, random):
    shape = (40, 40)
    drawn = {who: blob(random, *shape) for who in NAMES[:1]}
    drawn["ben"], drawn["carl"] = numpy.roll(drawn["anna"], 1, 0), numpy.roll(drawn["anna"], 2, 0)
    for who in NAMES:
        (tmp_path / f"{who}.json").write_text(json.dumps(coco({"one": shape}, [("one", "cell", packed(drawn[who]))])))
    written = consensus_of(
        crema, tmp_path, files=[f"{who}.json" for who in NAMES], imported=["--instances", "--preset", "cvat"]
    )
    (result,) = json.loads(written.read_text())["annotations"]
    rows, columns = (numpy.flatnonzero(drawn["ben"].any(axis)) for axis in (1, 0))
    box = numpy.zeros(shape, bool)  # the mean of all boxes, which is the middle one
    box[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1] = True
    nearest = max(NAMES, key=lambda who: (drawn[who].astype(bool) & box).sum() / (drawn[who].astype(bool) | box).sum())
    assert (decoded(result) == drawn[nearest]).all()
