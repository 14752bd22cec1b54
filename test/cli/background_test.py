# SPDX-License-Identifier: Apache-2.0
"""`crema background`: the numbers are those of images that were really cut and padded."""

import itertools
import json
import re
from xml.etree import ElementTree

import numpy
import pytest
from conftest import AFFINE, blob
from plain import random_raters
from refusal_test import refused

PAPER = [
    "jaccard",
    "dice",
    "majority",
    "tanimoto",
    "soergel",
    "dice1",
    "dice2",
    "average",
    "ml-staple",
    "staple w=1/2",
    "staple w=mean",
    "staple w=mean²",
    "accuracy",
    "accuracy w=1/2",
    "shared",
    "shared w=1/2",
    "common",
    "common w=1/2",
]


@pytest.fixture
def study(crema):
    def run(*arguments):
        result = crema("background", *arguments, "--json", "-")
        assert result.code == 0, result
        return json.loads(result.out)

    return run


def rounded_raters(save, seed, size=(14, 12, 7)):
    """Random raters whose union is a whole number of slices, so that padding by slices gives any multiple."""
    names, masks = random_raters(save, seed, size=size)
    empty = numpy.argwhere(~numpy.any(masks, axis=0))
    slices = size[0] * size[1]
    for place in empty[: -int(numpy.any(masks, axis=0).sum()) % slices]:
        masks[0][tuple(place)] = 1
    save(names[0], masks[0])
    return names, masks


def resized(masks, size, name):
    """The masks in an image of that many voxels."""
    if name.startswith("box"):
        margin = int(name[6:] or 0)
        places = numpy.argwhere(numpy.any(masks, axis=0))
        low, high = numpy.maximum(places.min(axis=0) - margin, 0), places.max(axis=0) + 1 + margin
        return [numpy.ascontiguousarray(m[tuple(slice(a, b) for a, b in zip(low, high))]) for m in masks]
    x, y, z = masks[0].shape
    return [numpy.concatenate([m, numpy.zeros((x, y, size // (x * y) - z), numpy.uint8)], axis=2) for m in masks]


@pytest.mark.parametrize("which", ["box", "box + 2", "image", "5 × background", "100 × background"])
def test_real_images_of_each_size_give_the_same_numbers(crema, study, save, tmp_path, which):
    names, masks = rounded_raters(save, 51, (20, 18, 9))
    got = study(*names)
    at = [size["name"] for size in got["sizes"]].index(which)
    real = resized(masks, got["sizes"][at]["voxels"], which)
    assert real[0].size == got["sizes"][at]["voxels"]
    assert got["sizes"][at]["background"] == real[0].size - got["union_voxels"]
    real_names = [save(f"real{k}.nii.gz", mask) for k, mask in enumerate(real)]
    priors = {0: "0.5", 1: "mean", 2: f"{got['mean_voxels'] ** 2!r}/N^2"}
    for curve in got["curves"]:
        prior = [] if curve["alpha"] is None else ["--prior", priors[curve["alpha"]]]
        result = crema("fuse", *real_names, "-o", "o.nii.gz", "-m", curve["method"], *prior, "--json", "-", "--force")
        assert result.code == 0, result
        record = json.loads(result.out)
        assert curve["voxels"][at] == record["voxels"], curve["name"]
        assert curve["soft_volume"][at] == pytest.approx(record["soft_volume"], rel=1e-9), curve["name"]
        assert curve["entropy"][at] == pytest.approx(record["entropy"], rel=1e-9, abs=1e-9), curve["name"]


def test_every_method_of_the_paper_is_there(study, raters):
    got = study(*raters)
    names = [curve["name"] for curve in got["curves"]]
    assert set(PAPER) <= set(names) and len(set(names)) == len(names)
    sizes = [size["voxels"] for size in got["sizes"]]
    assert sizes == sorted(set(sizes)) and got["sizes"][got["image"]]["name"] == "image"
    for curve in got["curves"]:
        for field in ("voxels", "soft_volume", "entropy", "converged"):
            assert len(curve[field]) == len(sizes)


def test_only_staple_moves(study, save):
    names, _ = random_raters(save, 52, size=(24, 22, 12))
    got = study(*names)
    for curve in got["curves"]:
        if curve["method"] in ("jaccard", "dice", "majority", "tanimoto", "soergel", "dice1", "dice2", "average"):
            assert not curve["moves"] and not curve["sees_background"] and curve["percent"] == 0, curve["name"]
            assert len(set(curve["voxels"])) == len(set(curve["entropy"])) == 1
    moved = {curve["name"] for curve in got["curves"] if curve["moves"]}
    assert {"staple w=1/2", "staple w=mean"} <= moved
    half = next(c for c in got["curves"] if c["name"] == "staple w=1/2")
    assert half["voxels"][-1] == got["drawn_by_least"][0] == got["union_voxels"]


def test_people_read_tables_and_a_verdict(crema, save):
    names, _ = random_raters(save, 52, size=(24, 22, 12))
    result = crema("background", *names, "--json", "r.json")
    assert result.code == 0, result
    for part in (
        "size (voxels",
        "soft volume",
        "entropy",
        "full image",
        "focused box",
        "alpha = 0, w=1/2",
        "alpha = 2, w=mean²",
        "marked by 3 or more",
        "From the tight box to 100 × background:",
        "staple w=1/2: size ",
        "do not use it, solved once: jaccard, dice, majority",
    ):
        assert part in result.out, part
    assert re.search(r"^  \S*staple.*(rises|falls) by [0-9.]+ %", result.out, re.MULTILINE), result
    assert max(map(len, result.out.splitlines())) <= 110


def test_the_table_has_the_numbers_of_the_record(crema, save, tmp_path):
    names, _ = random_raters(save, 53, size=(24, 22, 12))
    result = crema("background", *names, "--json", "r.json")
    got = json.loads((tmp_path / "r.json").read_text())
    staple = next(curve for curve in got["curves"] if curve["name"] == "staple w=mean")
    assert re.search(
        rf"^  entropy +{staple['entropy'][got['image']]:.1f} +{staple['entropy'][0]:.1f}$", result.out, re.MULTILINE
    )
    assert re.search(rf"^  size +{staple['voxels'][got['image']]} +{staple['voxels'][0]}$", result.out, re.MULTILINE)


# the picture


def test_the_picture_stands_alone(crema, save, tmp_path):
    names = [save(f"<b>{k} & co.nii.gz", blob(k)) for k in range(3)]
    assert crema("background", *names, "-o", "p.svg").code == 0
    text = (tmp_path / "p.svg").read_text()
    root = ElementTree.fromstring(text)
    assert root.tag.endswith("svg") and {e.tag.split("}")[1] for e in root.iter()} <= {
        "svg",
        "title",
        "rect",
        "path",
        "text",
        "circle",
    }
    words = [e.text for e in root.iter() if e.tag.endswith("text")]
    assert any("<b>0 & co.nii.gz" in word for word in words)
    for name in PAPER:
        assert any(re.search(rf"(^|[ ,]){re.escape(name)}($|[ ,])", word) for word in words), name
    assert "this image" in words and "tight box" in words
    assert not re.search(r"href|url\(|<script|@import|nan|inf\b", text)
    assert text.count("http") == 1  # the name of the format itself


def test_names_in_the_picture_do_not_overlap(crema, save, tmp_path):
    names, _ = random_raters(save, 54)
    assert crema("background", *names, "-o", "p.svg").code == 0
    places = {}
    for e in ElementTree.parse(tmp_path / "p.svg").getroot().iter():
        if e.tag.endswith("text") and e.text.split(" ")[0] in ("staple", "ml-staple", *PAPER):
            places.setdefault(float(e.get("x")), []).append(float(e.get("y")))
    assert len(places) >= 2
    for heights in places.values():
        heights.sort()
        assert min([b - a for a, b in itertools.pairwise(heights)], default=15) >= 14.9


def test_the_picture_is_svg_png_or_pdf_by_its_name(crema, raters, tmp_path):
    for name, start in (("p.png", b"\x89PNG"), ("p.pdf", b"%PDF-"), ("p.svg", b"<svg")):
        assert crema("background", *raters, "-o", name, "--dpi", "40").code == 0
        assert (tmp_path / name).read_bytes().startswith(start)


def test_the_same_masks_give_the_same_picture(crema, raters, tmp_path):
    assert crema("background", *raters, "-o", "a.svg", "--threads", "1").code == 0
    assert crema("background", *raters, "-o", "b.svg", "--threads", "3", env={"LC_ALL": "de_DE.UTF-8"}).code == 0
    assert (tmp_path / "a.svg").read_bytes() == (tmp_path / "b.svg").read_bytes()


# odd cases and refusals


@pytest.mark.parametrize("value", [0, 1])
def test_all_empty_and_all_full_give_numbers(crema, study, save, value):
    names = [save(f"a{k}.nii.gz", numpy.full((4, 5, 6), value, numpy.uint8)) for k in range(3)]
    for curve in study(*names)["curves"]:
        assert set(curve["voxels"]) == {120 * value}, curve["name"]
        assert numpy.isfinite(curve["soft_volume"] + curve["entropy"]).all()
    assert crema("background", *names, "-o", "p.svg").code == 0


def test_one_rater_is_enough(study, save):
    got = study(save("a.nii.gz", blob(0)))
    for curve in got["curves"]:
        assert set(curve["voxels"]) == {int(blob(0).sum())}, curve["name"]


def test_places_that_are_refused(crema, raters, tmp_path):
    refused(crema("background", *raters, "-o", "p.jpg"), 2, "p.jpg", ".svg")
    refused(crema("background", *raters, "-o", "gone/p.svg"), 4, "gone")
    (tmp_path / "p.svg").write_text("mine")
    refused(crema("background", *raters, "-o", "p.svg"), 2, "p.svg", "--force")
    assert (tmp_path / "p.svg").read_text() == "mine"
    refused(crema("background", *raters, "-o", "q.svg", "--json", "./q.svg"), 2, "q.svg")
    refused(crema("background", *raters, "--json", raters[0], "--force"), 2, raters[0], "input")
    assert crema("background", *raters, "-o", "p.svg", "--force").code == 0
    assert not (tmp_path / "q.svg").exists()


def test_masks_that_do_not_fit_are_refused(crema, raters, save, tmp_path):
    between = AFFINE.copy()
    between[0, 3] = 0.5
    save("other.nii.gz", numpy.ones((12, 10, 7), numpy.uint8), between)
    refused(crema("background", *raters, "other.nii.gz", "-o", "p.svg"), 3, "other.nii.gz", "12×10×7")
    refused(crema("background"), 2, "RATER")
    assert not (tmp_path / "p.svg").exists()
