# SPDX-License-Identifier: Apache-2.0
"""`crema report --labels`: an overview of all labels, and everything about each of them. test/report/ opens it."""

import base64
import gzip
import json
import re

import nibabel
import numpy
import pytest
from every_command_test import LABELS, labels_of, maps  # noqa: F401
from labels_test import liver_and_tumour
from report_test import Page
from segments_test import COLOURS, write_segments


def page_of(crema, tmp_path, *arguments, name="page.html"):
    done = crema("report", *arguments, "-o", name, "--force")
    assert done.code == 0, done.err
    return Page((tmp_path / name).read_text())


def unpacked(text):
    return numpy.frombuffer(gzip.decompress(base64.b64decode(text)), numpy.uint8)


def structure(page, number):
    """What the script reads of a structure: its facts, and by method the voxels it has."""
    behind = f"-{number}" if number else ""
    facts = json.loads(unpacked(page.blocks["data" + behind]).tobytes())
    low, high = facts["box"]
    size = [to - first for first, to in zip(low, high)]
    painted = json.loads(page.blocks["painted" + behind])
    boxes = {name: unpacked(text).reshape(size, order="F") for name, text in painted.items()}
    return facts, boxes


def test_the_overview_tells_of_every_label_what_fuse_and_agreement_tell(crema, save, tmp_path):
    maps = [save(f"rater-{k + 1}.nii.gz", labels) for k, labels in enumerate(liver_and_tumour(1))]
    page = page_of(crema, tmp_path, *maps, "--labels", "all")
    assert crema("fuse", *maps, "--labels", "all", "--json", "fuse.json").code == 0
    assert crema("agreement", *maps, "--labels", "all", "--json", "agreement.json").code == 0
    fused = json.loads((tmp_path / "fuse.json").read_text())
    agreed = json.loads((tmp_path / "agreement.json").read_text())["structures"]
    head, *rows = page.tables["labels"]
    assert [row[0] for row in rows] == ["label 1", "label 2"]
    cells = [dict(zip(head, row)) for row in rows]
    for cell, row, part in zip(cells, fused["label_table"], agreed, strict=True):
        assert int(re.sub(r"\D", "", cell["Voxels"])) == row["voxels"]
        assert float(cell["LMSD"]) == pytest.approx(row["lmsd"], abs=1e-4)
        assert float(cell["Positive agreement"]) == pytest.approx(part["positive_agreement"], abs=1e-3)
    assert "Volume, ml" in head
    claimed = fused["claimed_twice"]
    assert claimed > 0, "the case is one in which labels meet"
    assert re.search(rf"{claimed} voxels? (was|were) claimed by several labels", page.text())
    assert len(page.tables["disputes"]) == 1 + len(fused["disputes"])
    assert f"{fused['unlabelled']} voxels labelled by every rater got no label" in page.text()


def test_each_label_is_there_as_fuse_writes_it(crema, maps, tmp_path):
    page = page_of(crema, tmp_path, *maps, "--labels", "all")
    assert crema("fuse", *maps, "--labels", "all", "-o", "c.nii.gz").code == 0
    fused = numpy.asanyarray(nibabel.load(tmp_path / "c.nii.gz").dataobj)
    for number, label in enumerate(LABELS):
        facts, boxes = structure(page, number)
        assert facts["label"] == f"label {label}"
        low, high = facts["box"]
        part = fused[tuple(slice(a, b) for a, b in zip(low, high))] == label
        assert (boxes["jaccard"] == 255 * part).all() and part.sum() == (fused == label).sum()
        assert sum(facts["rows"]["voxels"]) == sum(labels_of(k) == label for k in range(4)).astype(bool).sum()


def test_one_structure_is_shown_and_the_others_wait(crema, maps, tmp_path):
    page_of(crema, tmp_path, *maps, "--labels", "all")
    text = (tmp_path / "page.html").read_text()
    assert [text.count(f'<template id="case-{n}">') for n in (1, 2, 3)] == [1, 1, 0]
    assert len(re.findall(r'<button type="button" data-structure="\d"', text)) == 3
    assert text.index('id="case"') < text.index("<template") < text.index('id="overview"') < text.index('id="cite"')


def test_a_page_of_masks_has_neither_overview_nor_chooser(crema, raters, tmp_path):
    page_of(crema, tmp_path, *raters)
    text = (tmp_path / "page.html").read_text()
    assert 'id="overview"' not in text and '<div id="chooser"' not in text and "<template" not in text


def test_what_if_offers_the_methods_of_the_table(crema, raters, tmp_path):
    offered = {one["name"]: one["criterion"] for one in page_of(crema, tmp_path, *raters).data()["what_if"]}
    table = {one["name"]: one for one in json.loads(crema("methods", "--json").out)}
    assert set(offered) <= set(table)
    assert offered["jaccard"] and offered["dice2"] and not offered["majority"] and "staple" not in offered


def test_labels_keep_the_colours_of_their_file(crema, tmp_path):
    segments = [("liver", 0, 1), ("tumour", 0, 2)]
    names = [write_segments(tmp_path / f"{k}.seg.nrrd", [m], segments) for k, m in enumerate(liver_and_tumour(5))]
    page = page_of(crema, tmp_path, *names, "--labels", "all")
    for number, name in enumerate(("liver", "tumour")):
        facts, _ = structure(page, number)
        stated = [int(255 * float(n) + 0.5) for n in COLOURS[name].split()]
        assert facts["label"] == name
        assert [int(facts["colour"][at : at + 2], 16) for at in (1, 3, 5)] == stated


def test_a_name_that_looks_like_markup_stays_a_name(crema, tmp_path):
    segments = [("<b>x</b>", 0, 1), ("</script>&", 0, 2)]
    names = [write_segments(tmp_path / f"{k}.seg.nrrd", [m], segments) for k, m in enumerate(liver_and_tumour(5))]
    page = page_of(crema, tmp_path, *names, "--labels", "all")
    assert [row[0] for row in page.tables["labels"][1:]] == ["<b>x</b>", "</script>&"]
    assert structure(page, 1)[0]["label"] == "</script>&"


def test_the_image_is_in_the_page_once(crema, maps, save, tmp_path):
    size = labels_of(0).shape
    image = save("image.nii.gz", numpy.arange(numpy.prod(size), dtype=numpy.float32).reshape(size))
    page = page_of(crema, tmp_path, *maps, "--labels", "all", "--image", image)
    low, high = structure(page, 0)[0]["grey_box"]
    size = json.loads(page.blocks["grey-scale"])["bytes"] * numpy.prod(numpy.subtract(high, low))
    assert unpacked(page.blocks["grey"]).size == size
    for number in range(3):
        facts, _ = structure(page, number)
        assert facts["grey_box"] == [low, high]
        assert (numpy.array(facts["box"][0]) >= low).all() and (numpy.array(facts["box"][1]) <= high).all()


def test_fuse_writes_the_same_page(crema, maps, tmp_path):
    done = crema("fuse", *maps, "--labels", "all", "-o", "c.nii.gz", "-m", "jaccard", "--report", "fuse.html")
    assert done.code == 0, done.err
    page = Page((tmp_path / "fuse.html").read_text())
    assert [row[0] for row in page.tables["labels"][1:]] == [f"label {label}" for label in LABELS]


def test_sizes_that_no_file_states_are_voxels(crema, tmp_path):
    PIL = pytest.importorskip("PIL.Image")
    names = []
    for k in range(3):
        names.append(f"r{k}.png")
        PIL.fromarray(numpy.ascontiguousarray(labels_of(k)[:, :, 3].T)).save(tmp_path / names[-1])
    page = page_of(crema, tmp_path, *names, "--labels", "all")
    assert not any("ml" in head or "mm" in head for head in page.tables["labels"][0])
