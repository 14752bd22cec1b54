# SPDX-License-Identifier: Apache-2.0
"""Boxes and ellipses are areas as polygons are; what has none is left out, and whoever drew it is no empty vote."""

import json

import numpy
import pytest
from annotations_kit import crema, program, read_png  # noqa: F401

WIDTH, HEIGHT = 50, 40
Y, X = numpy.mgrid[:HEIGHT, :WIDTH] + 0.5


def turned(centre, degrees):
    """Centres of pixels as seen from a shape that is turned clockwise about its centre."""
    angle = numpy.deg2rad(degrees)
    right, below = X - centre[0], Y - centre[1]
    return right * numpy.cos(angle) + below * numpy.sin(angle), below * numpy.cos(angle) - right * numpy.sin(angle)


def box(centre, width, height, degrees):
    along, across = turned(centre, degrees)
    return (abs(along) < width / 2) & (abs(across) < height / 2)


def ellipse(centre, rx, ry, degrees):
    along, across = turned(centre, degrees)
    return (along / rx) ** 2 + (across / ry) ** 2 <= 1


def cvat(drawn):
    return (
        f'<annotations><image id="0" name="a.png" width="{WIDTH}" height="{HEIGHT}">{"".join(drawn)}</image>'
        f'<image id="1" name="b.png" width="{WIDTH}" height="{HEIGHT}">'
        '<polygon label="cell" points="5,5;20,5;20,20"/></image></annotations>'
    )


def coco(annotation):
    size = {"width": WIDTH, "height": HEIGHT}
    return {
        "images": [{"id": 1, "file_name": "a.png", **size}, {"id": 2, "file_name": "b.png", **size}],
        "categories": [{"id": 1, "name": "cell"}],
        "annotations": [
            {"id": 1, "image_id": 1, "category_id": 1, **annotation},
            {"id": 2, "image_id": 2, "category_id": 1, "segmentation": [[5, 5, 20, 5, 20, 20]]},
        ],
    }


def label_studio(kind, value):
    def region(what, inside):
        size = {"original_width": WIDTH, "original_height": HEIGHT}
        return {"id": what, "type": what, "value": {what: ["cell"], **inside}, **size}

    polygon = region("polygonlabels", {"points": [[10, 10], [50, 10], [50, 50]]})

    def task(number, name, drawn):
        annotation = {"id": number, "completed_by": "anna", "result": [drawn]}
        return {"id": number, "data": {"image": name}, "annotations": [annotation]}

    return [task(1, "a.png", region(kind, value)), task(2, "b.png", polygon)]


def drawn_on(crema, folder, content, name="anna.json"):
    """The mask on a.png; none where nobody counts as having looked at it. And what was said."""
    (folder / name).write_text(content if isinstance(content, str) else json.dumps(content))
    done = crema("import", name, "-o", "data")
    assert done.code == 0, done.err
    masks = list((folder / "data/masks").glob("a/*.png"))
    return (read_png(masks[0]) != 0) if masks else None, done.err


@pytest.mark.parametrize("degrees", [0, 90, 270, 33.3, -410])
def test_boxes_and_ellipses_of_cvat(crema, tmp_path, degrees):
    centre = (24.3, 19.1)
    corners = f'xtl="{centre[0] - 9}" ytl="{centre[1] - 4}" xbr="{centre[0] + 9}" ybr="{centre[1] + 4}"'
    mask, _ = drawn_on(crema, tmp_path, cvat([f'<box label="cell" {corners} rotation="{degrees}"/>']), "box.xml")
    assert (mask == box(centre, 18, 8, degrees)).all()
    (tmp_path / "data").rename(tmp_path / "boxes")
    radii = f'cx="{centre[0]}" cy="{centre[1]}" rx="12.2" ry="5.1"'
    mask, _ = drawn_on(crema, tmp_path, cvat([f'<ellipse label="cell" {radii} rotation="{degrees}"/>']), "round.xml")
    assert (mask == ellipse(centre, 12.2, 5.1, degrees)).all() and mask.any()


def test_a_box_of_coco_counts_where_there_is_no_segmentation(crema, tmp_path):
    mask, _ = drawn_on(crema, tmp_path, coco({"segmentation": [], "bbox": [4.2, 6.6, 20, 9.3]}))
    assert (mask == box((14.2, 11.25), 20, 9.3, 0)).all()
    (tmp_path / "data").rename(tmp_path / "boxes")
    outline = {"segmentation": [[5, 5, 20, 5, 20, 20]], "bbox": [0, 0, 40, 40]}
    mask, _ = drawn_on(crema, tmp_path, coco(outline))
    assert 0 < mask.sum() < 200


@pytest.mark.parametrize("degrees", [0, 90, 33.3])
def test_boxes_and_ellipses_of_label_studio(crema, tmp_path, degrees):
    """In percent; a box is turned about its corner, an ellipse about its centre."""
    corner, size = numpy.array([21.2, 12.4]), numpy.array([18.0, 9.0])
    place = {"x": corner[0] / WIDTH * 100, "y": corner[1] / HEIGHT * 100, "rotation": degrees}
    extent = {"width": size[0] / WIDTH * 100, "height": size[1] / HEIGHT * 100}
    mask, _ = drawn_on(crema, tmp_path, label_studio("rectanglelabels", {**place, **extent}))
    angle = numpy.deg2rad(degrees)
    middle = numpy.array([[numpy.cos(angle), -numpy.sin(angle)], [numpy.sin(angle), numpy.cos(angle)]]) @ (size / 2)
    assert (mask == box(corner + middle, *size, degrees)).all()
    (tmp_path / "data").rename(tmp_path / "boxes")
    radii = {"radiusX": 7.3 / WIDTH * 100, "radiusY": 3.1 / HEIGHT * 100}
    mask, _ = drawn_on(crema, tmp_path, label_studio("ellipselabels", {**place, **radii}))
    assert (mask == ellipse(corner, 7.3, 3.1, degrees)).all() and mask.any()


def test_a_polygon_and_two_boxes_have_a_consensus(crema, tmp_path):
    corners = 'xtl="5" ytl="5" xbr="20" ybr="20"'
    (tmp_path / "anna.xml").write_text(cvat(['<polygon label="cell" points="5,5;20,5;20,20;5,20"/>']))
    for who in ("ben", "carl"):
        (tmp_path / f"{who}.xml").write_text(cvat([f'<box label="cell" {corners}/>']))
    assert crema("import", "anna.xml", "ben.xml", "carl.xml", "-o", "data").code == 0
    assert crema("cohort", "run", "data", "-o", "results").code == 0
    assert (read_png(tmp_path / "results/cases/a/jaccard.png") == box((12.5, 12.5), 15, 15, 0)).all()


NO_AREA = {
    "points": ("anna.xml", cvat(['<points label="cell" points="5,5"/>'])),
    "polyline": ("anna.xml", cvat(['<polyline label="cell" points="5,5;9,9"/>'])),
    "keypoint": ("anna.json", label_studio("keypointlabels", {"x": 5, "y": 5, "width": 1})),
    "open polygon": (
        "anna.json",
        label_studio("polygonlabels", {"points": [[10, 10], [50, 10], [50, 50]], "closed": False}),
    ),
    "bitmask": ("anna.json", label_studio("bitmask", {"imageDataURL": "data:image/png;base64,AAAA"})),
    "nothing": ("anna.json", coco({"segmentation": [], "bbox": [5, 5, 0, 0]})),
}


@pytest.mark.parametrize("kind", NO_AREA)
def test_what_has_no_area_is_named_and_is_no_vote_for_nothing(crema, tmp_path, kind):
    name, content = NO_AREA[kind]
    mask, said = drawn_on(crema, tmp_path, content, name)
    assert mask is None
    assert "1 point, line or other shape that cannot be fused is left out (anna on a.png)." in said
    assert "1 picture of an annotator holds nothing else and does not count as looked at (anna on a.png)." in said
    assert crema("cohort", "run", "data", "-o", "results").code == 0
    for tool in ("coco", "cvat", "label-studio"):
        assert crema("export", "results", "-o", tool, "--as", tool).code == 0
        assert crema("import", tool, "-o", f"again-{tool}").code == 0, tool


def test_who_drew_an_area_as_well_counts(crema, tmp_path):
    drawn = ['<points label="cell" points="5,5"/>', '<box label="cell" xtl="2" ytl="2" xbr="9" ybr="9"/>']
    mask, said = drawn_on(crema, tmp_path, cvat(drawn), "anna.xml")
    assert mask.sum() == 49 and "is left out (anna on a.png)" in said and "looked at" not in said


@pytest.mark.parametrize("options", [(), ("--instances", "--quorum", "1")])
def test_outlines_that_mark_no_pixel_are_counted(crema, tmp_path, options):
    (tmp_path / "anna.json").write_text(json.dumps(coco({"segmentation": [[5, 5, 5.3, 5, 5.3, 5.3]]})))
    done = crema("import", "anna.json", "-o", "data", *options)
    assert done.code == 0, done.err
    assert "1 outline lies between the centres of pixels and marks none (anna on a.png)." in done.err


def test_a_task_of_label_studio_on_which_nobody_drew_comes_back_without_a_region(crema, tmp_path):
    """How large its picture is stands nowhere."""
    tasks = label_studio("rectanglelabels", {"x": 10, "y": 10, "width": 50, "height": 50})
    tasks[0]["annotations"][0]["result"] = []
    mask, said = drawn_on(crema, tmp_path, tasks)
    assert mask is None and "1 picture is left out: nobody drew an area on it" in said
    assert crema("cohort", "run", "data", "-o", "results").code == 0
    assert crema("export", "results", "-o", "out.json").code == 0
    written = json.loads((tmp_path / "out.json").read_text())
    regions = {one["data"]["image"]: one["annotations"][0]["result"] for one in written}
    assert regions["a.png"] == [] and len(regions["b.png"]) == 1
