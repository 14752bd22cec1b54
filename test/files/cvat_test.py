# SPDX-License-Identifier: Apache-2.0
"""Jobs of CVAT become one file: read by itself, and by datumaro where that is installed."""

import re
import shlex
import zipfile
from pathlib import Path
from xml.etree import ElementTree

import numpy
import pytest
from annotations_kit import NAMES, blob, consensus_of, crema, moved, plain_runs, program, random, read_png  # noqa: F401

LABELS = {"cell": "#24b353", "nucleus": "#fa3253"}


def cvat(pictures, objects):
    """CVAT's XML: pictures by name and shape, objects as (picture, element)."""
    text = '<?xml version="1.0" encoding="utf-8"?>\n<annotations><version>1.1</version><meta><job><labels>'
    for label, colour in LABELS.items():
        text += f"<label><name>{label}</name><color>{colour}</color><type>any</type></label>"
    text += "</labels></job></meta>"
    for number, (name, shape) in enumerate(pictures.items()):
        text += f'<image id="{number}" name="{name}.png" width="{shape[1]}" height="{shape[0]}">'
        text += "".join(element for on, element in objects if on == name) + "</image>"
    return text + "</annotations>"


def cvat_mask(mask, label="cell"):
    rows, columns = numpy.flatnonzero(mask.any(1)), numpy.flatnonzero(mask.any(0))
    part = mask[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
    counts = ", ".join(map(str, plain_runs(part.T)["counts"]))
    return (
        f'<mask label="{label}" source="manual" occluded="0" rle="{counts}" left="{columns[0]}" top="{rows[0]}" '
        f'width="{part.shape[1]}" height="{part.shape[0]}" z_order="0"></mask>'
    )


def three_jobs(tmp_path, random, labels=("cell",)):
    """An export of CVAT for each annotator; the pictures' shapes, and what everybody drew."""
    shapes = {"one": (23, 31), "two": (40, 17)}
    truth = {(name, label): blob(random, *shape) for name, shape in shapes.items() for label in labels}
    drawn = {who: {key: moved(random, mask) for key, mask in truth.items()} for who in NAMES}
    for who in NAMES:
        objects = [(name, cvat_mask(mask, label)) for (name, label), mask in drawn[who].items()]
        (tmp_path / f"{who}.xml").write_text(cvat(shapes, objects))
    return shapes, drawn


def pack(tmp_path):
    """As CVAT packs each job."""
    for who in NAMES:
        with zipfile.ZipFile(tmp_path / f"{who}.zip", "w", zipfile.ZIP_DEFLATED) as packed:
            packed.write(tmp_path / f"{who}.xml", "annotations.xml")
        (tmp_path / f"{who}.xml").unlink()


def test_three_jobs_of_cvat_become_one_file_that_datumaro_reads(crema, tmp_path, random):
    pytest.importorskip("datumaro", reason="datumaro is not installed")
    from datumaro import Dataset
    from PIL import Image

    shapes, drawn = three_jobs(tmp_path, random)
    written = consensus_of(crema, tmp_path, files=[f"{who}.xml" for who in NAMES], run=["--methods", "majority"])
    (tmp_path / "images").mkdir()
    for name, shape in shapes.items():
        Image.new("L", shape[::-1]).save(tmp_path / "images" / f"{name}.png")
    written.rename(tmp_path / "annotations.xml")
    items = {item.id: item for item in Dataset.import_from(str(tmp_path / "annotations.xml"), "cvat")}
    for name in shapes:
        (found,) = items[name].annotations
        assert (found.image == (sum(drawn[who][name, "cell"] for who in NAMES) >= 2)).all()


def mask_of_cvat(element, shape):
    """What a mask of CVAT holds, read without crema: runs of 0 and 1 along the rows of a box."""
    runs = [int(run) for run in element.get("rle").split(",")]
    left, top, width, height = (int(element.get(name)) for name in ("left", "top", "width", "height"))
    whole = numpy.zeros(shape, numpy.uint8)
    inside = numpy.repeat(numpy.arange(len(runs)) % 2, runs)
    whole[top : top + height, left : left + width] = inside.reshape(height, width)
    return whole


def line_of_the_readme(crema):
    readme = (Path(__file__).resolve().parents[2] / "README.md").read_text(encoding="utf-8")
    (line,) = re.findall(r"^    (crema annotations .*consensus\.xml)$", readme, re.MULTILINE)
    done = crema(*shlex.split(line)[1:])
    assert done.code == 0, done.err


@pytest.mark.parametrize("labels", [("cell",), ("cell", "nucleus")], ids="+".join)
def test_the_line_of_the_readme_makes_one_file_of_three_jobs(crema, tmp_path, random, labels):
    shapes, drawn = three_jobs(tmp_path, random, labels)
    pack(tmp_path)
    line_of_the_readme(crema)
    assert crema("import", *(f"{who}.zip" for who in NAMES), "-o", "jobs").code == 0
    written = ElementTree.parse(tmp_path / "consensus.xml")
    found = written.findall("meta/task/labels/label")  # where datumaro looks for them
    assert [label.findtext("name") for label in found] == list(LABELS)
    images = {image.get("name").split(".")[0]: image for image in written.findall("image")}
    assert set(images) == set(shapes)
    for name, image in images.items():
        assert sorted(mask.get("label") for mask in image.findall("mask")) == sorted(labels)
        for mask in image.findall("mask"):
            fused = mask_of_cvat(mask, shapes[name])
            votes = sum(drawn[who][name, mask.get("label")] for who in NAMES)
            assert fused[votes == 3].all() and not fused[votes == 0].any() and fused.any()
            if len(labels) == 1:
                masks = [f"jobs/masks/{name}/{who}.seg.nrrd" for who in NAMES]
                assert crema("fuse", *masks, "-o", f"{name}.png").code == 0
                assert (fused == read_png(tmp_path / f"{name}.png")).all()
