# SPDX-License-Identifier: Apache-2.0
"""Projects of Label Studio: what comes back is of the control that the project has."""

import json

import numpy
import pytest
from annotations_kit import blob, consensus_of, crema, program, random, read_png  # noqa: F401

SHAPE = (40, 50)


def polygon(points, **more):
    region = {"id": "r", "type": "polygonlabels", "from_name": "label", "to_name": "img", "image_rotation": 0}
    size = {"original_width": SHAPE[1], "original_height": SHAPE[0]}
    return {**region, **size, "value": {"points": points, "closed": True, "polygonlabels": ["cell"]}, **more}


def task(number, *results, **more):
    drawn = [{"id": who, "completed_by": who, "result": list(result)} for who, result in enumerate(results)]
    return {"id": number, "data": {"image": f"{number}.jpg"}, "annotations": drawn, **more}


def filled(ring):
    """Even-odd, by the centres of pixels."""
    y, x = numpy.mgrid[: SHAPE[0], : SHAPE[1]] + 0.5
    inside = numpy.zeros(SHAPE, bool)
    ring = numpy.array(ring) * (SHAPE[1], SHAPE[0]) / 100
    for (ax, ay), (bx, by) in zip(ring, numpy.roll(ring, -1, 0)):
        if ay != by:
            inside ^= ((ay <= y) != (by <= y)) & (ax + (y - ay) * (bx - ax) / (by - ay) <= x)
    return inside


def regions_of(written, number):
    (own,) = [one for one in json.loads(written.read_text()) if one["id"] == number]
    return own["annotations"][0]["result"]


def test_a_project_of_polygons_gets_polygons_of_its_own_control_with_the_same_pixels(crema, tmp_path, random):
    """A ring around others, so that the consensus has holes and parts."""
    rings = []
    for radius in (14, 11, 8, 4):
        angles = numpy.linspace(0, 2 * numpy.pi, 30)[:-1]
        rings.append([[50 + 2 * radius * numpy.cos(a), 50 + 2.5 * radius * numpy.sin(a)] for a in angles])
    outer = polygon(rings[0] + [rings[0][0]] + rings[1][::-1] + [rings[1][-1]])
    drawn = [outer, polygon(rings[2] + [rings[2][0]] + rings[3][::-1] + [rings[3][-1]], id="s")]
    (tmp_path / "tasks.json").write_text(json.dumps([task(1, drawn, drawn, drawn[:1])]))
    written = consensus_of(crema, tmp_path, files=["tasks.json"], run=["--methods", "majority"])
    regions = regions_of(written, 1)
    assert len(regions) == 2 and len({one["id"] for one in regions}) == 2
    for one in regions:
        assert (one["type"], one["from_name"], one["to_name"]) == ("polygonlabels", "label", "img")
        assert one["value"]["closed"] is True and one["value"]["polygonlabels"] == ["cell"]
    together = sum(filled(one["value"]["points"]).astype(int) for one in regions)
    assert together.max() == 1
    assert (together == read_png(tmp_path / "results/cases/1/majority.png")).all()
    assert crema("import", "consensus", "-o", "again").code == 0
    (again,) = (tmp_path / "again/masks").rglob("*.png")
    assert (read_png(again) == together).all()


def test_a_task_without_a_control_that_can_show_the_consensus_takes_that_of_another(crema, tmp_path):
    box = {"x": 10, "y": 10, "width": 50, "height": 50, "rectanglelabels": ["cell"]}
    boxed = polygon([], type="rectanglelabels", from_name="box", value=box)
    tasks = [task(1, [boxed]), task(2, [polygon([[10, 10], [60, 10], [60, 60]])])]
    (tmp_path / "tasks.json").write_text(json.dumps(tasks))
    written = consensus_of(crema, tmp_path, files=["tasks.json"])
    for number in (1, 2):
        (region,) = regions_of(written, number)
        assert (region["type"], region["from_name"]) == ("polygonlabels", "label")


def test_tasks_with_predictions_alone_are_passed_over(crema, tmp_path):
    predicted = {"id": 7, "data": {"image": "7.jpg"}, "predictions": [{"result": []}]}
    (tmp_path / "tasks.json").write_text(json.dumps([predicted, task(2, [polygon([[10, 10], [60, 10], [60, 60]])])]))
    written = consensus_of(crema, tmp_path, files=["tasks.json"])
    assert [one["id"] for one in json.loads(written.read_text())] == [2]


@pytest.mark.parametrize("kind", ["utf-8-sig", "utf-16", "utf-16-le", "utf-32", "iso-8859-1"])
def test_json_and_xml_are_read_in_utf_8_with_or_without_its_mark(crema, tmp_path, kind):
    tasks = json.dumps([task(1, [polygon([[10, 10], [60, 10], [60, 60]], id="Bär")])], ensure_ascii=False)
    name = kind.replace("-sig", "")
    xml = (
        f'<?xml version="1.0" encoding="{name}"?><annotations><image id="0" name="Bär.png" width="40" height="30">'
        '<polygon label="Bär" points="1,1;20,1;20,20"/></image></annotations>'
    )
    for file, text in (("tasks.json", tasks), ("job.xml", xml), ("bare.xml", xml[xml.index("<a") :])):
        (tmp_path / file).write_bytes(text.encode(kind))
        done = crema("import", file, "-o", f"data-{file}")
        if kind == "utf-8-sig":
            assert done.code == 0, done.err
        else:
            assert done.code == 3 and "UTF-8" in done.err, done.err
            assert not (tmp_path / f"data-{file}").exists()


def test_an_encoding_that_a_declaration_names_is_refused_by_that_name(crema, tmp_path):
    (tmp_path / "job.xml").write_text('<?xml version="1.0" encoding="iso-8859-1"?><annotations/>')
    done = crema("import", "job.xml", "-o", "data")
    assert done.code == 3 and "job.xml: is in the encoding iso-8859-1, which is not read; save it as UTF-8." in done.err
