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


def cvat(pictures, objects):
    """CVAT's XML: pictures by name and shape, objects as (picture, element)."""
    text = '<?xml version="1.0" encoding="utf-8"?>\n<annotations><version>1.1</version><meta><job><labels>'
    text += "<label><name>cell</name><color>#24b353</color><type>any</type></label></labels></job></meta>"
    for number, (name, shape) in enumerate(pictures.items()):
        text += f'<image id="{number}" name="{name}.png" width="{shape[1]}" height="{shape[0]}">'
        text += "".join(element for on, element in objects if on == name) + "</image>"
    return text + "</annotations>"


def cvat_mask(mask):
    rows, columns = numpy.flatnonzero(mask.any(1)), numpy.flatnonzero(mask.any(0))
    part = mask[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
    counts = ", ".join(map(str, plain_runs(part.T)["counts"]))
    return (
        f'<mask label="cell" source="manual" occluded="0" rle="{counts}" left="{columns[0]}" top="{rows[0]}" '
        f'width="{part.shape[1]}" height="{part.shape[0]}" z_order="0"></mask>'
    )


def three_jobs(tmp_path, random):
    """An export of CVAT for each annotator; the pictures' shapes, and what everybody drew."""
    shapes = {"one": (23, 31), "two": (40, 17)}
    truth = {name: blob(random, *shape) for name, shape in shapes.items()}
    drawn = {who: {name: moved(random, mask) for name, mask in truth.items()} for who in NAMES}
    for who in NAMES:
        objects = [(name, cvat_mask(mask)) for name, mask in drawn[who].items()]
        (tmp_path / f"{who}.xml").write_text(cvat(shapes, objects))
    return shapes, drawn


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
        assert (found.image == (sum(drawn[who][name] for who in NAMES) >= 2)).all()


def mask_of_cvat(element, shape):
    """What a mask of CVAT holds, read without crema: runs of 0 and 1 along the rows of a box."""
    runs = [int(run) for run in element.get("rle").split(",")]
    left, top, width, height = (int(element.get(name)) for name in ("left", "top", "width", "height"))
    whole = numpy.zeros(shape, numpy.uint8)
    inside = numpy.repeat(numpy.arange(len(runs)) % 2, runs)
    whole[top : top + height, left : left + width] = inside.reshape(height, width)
    return whole


def test_the_line_of_the_readme_makes_one_file_of_three_jobs(crema, tmp_path, random):
    readme = (Path(__file__).resolve().parents[2] / "README.md").read_text(encoding="utf-8")
    (line,) = re.findall(r"^    (crema import .*consensus\.xml)$", readme, re.MULTILINE)
    shapes, _ = three_jobs(tmp_path, random)
    for who in NAMES:  # as CVAT packs each job
        with zipfile.ZipFile(tmp_path / f"{who}.zip", "w", zipfile.ZIP_DEFLATED) as packed:
            packed.write(tmp_path / f"{who}.xml", "annotations.xml")
        (tmp_path / f"{who}.xml").unlink()
    for words in map(shlex.split, line.split(" && ")):
        done = crema(*words[1:])
        assert done.code == 0, done.err
    written = ElementTree.parse(tmp_path / "consensus.xml")
    labels = written.findall("meta/task/labels/label")  # where datumaro looks for them
    assert [label.findtext("name") for label in labels] == ["cell"]
    images = written.findall("image")
    assert {image.get("name").split(".")[0] for image in images} == set(shapes)
    for image in images:
        name = image.get("name").split(".")[0]
        (mask,) = image.findall("mask")
        fused = read_png(tmp_path / "fused/cases" / name / "jaccard.png")
        assert fused.any() and (mask_of_cvat(mask, shapes[name]) == fused).all()
