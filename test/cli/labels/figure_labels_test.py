# SPDX-License-Identifier: Apache-2.0
"""`crema figure --labels`: each label has its panel, its slice and its colour."""

import re

import nibabel
import numpy
import pytest
from figure_test import Picture, area, figure  # noqa: F401
from segments_test import COLOURS, write_segments

SIZE = (24, 20, 8)


def three_labels(shift):
    """Label 1 beside label 2 on low slices, label 3 by itself on high ones."""
    labels = numpy.zeros(SIZE, numpy.uint8)
    labels[2 + shift : 10, 4:14, 0:4] = 1
    labels[10:18, 4 : 14 - shift, 0:4] = 2
    labels[4:12, 6 + shift : 16, 6:8] = 3
    return labels


@pytest.fixture
def maps(save):
    return [save(f"rater-{k + 1}.nii.gz", three_labels(k)) for k in range(3)]


def titles(drawn):
    return [next(panel.iter("{http://www.w3.org/2000/svg}text")).text for panel in drawn.of_class("panel")]


def test_each_label_has_a_panel_with_its_consensus(crema, figure, maps, tmp_path):
    assert crema("fuse", *maps, "--labels", "all", "-o", "c.nii.gz").code == 0
    fused = numpy.asarray(nibabel.load(tmp_path / "c.nii.gz").dataobj)
    for label, letter, index in [(1, "z", 2), (2, "z", 2), (3, "z", 7)]:
        drawn = figure(*maps, "--labels", str(label), "--slice", f"{letter}={index}")
        (path,) = drawn.of_class("consensus")
        scale = float(drawn.pictures()[0].get("data-scale"))
        # Alone each label may take more than beside the others, but not here.
        assert area(path, scale) == pytest.approx((fused[:, :, index] == label).sum(), rel=2e-3)
    drawn = figure(*maps, "--labels", "all")
    assert titles(drawn) == ["label 1", "label 2", "label 3"]
    assert len(drawn.of_class("consensus")) == 3
    assert [len(drawn.of_class("rater", panel)) for panel in drawn.of_class("panel")] == [3, 3, 3]


def test_auto_finds_for_each_label_a_slice_on_which_it_lies(figure, maps):
    drawn = figure(*maps, "--labels", "all")
    places = [int(found.group(1)) for word in drawn.words() if (found := re.match(r"slice z = (\d+) ", word or ""))]
    assert len(places) == 3
    assert max(places[:2]) < 4 and places[2] >= 6
    for panel in drawn.of_class("panel"):
        assert all(path.get("d") for path in drawn.of_class("consensus", panel))


def test_a_slice_without_a_label_is_told_by_its_name(crema, maps):
    done = crema("figure", *maps, "--labels", "all", "--slice", "z=7", "-o", "f.svg")
    assert done.code == 0
    assert "labels 1 and 2: no rater marked anything on slice z=7" in done.err


def test_labels_have_colours_and_the_legend_says_whose(figure, maps):
    drawn = figure(*maps, "--labels", "all")
    colours = [path.get("stroke") for path in drawn.of_class("consensus")]
    assert len(set(colours)) == 3
    samples = [path.get("stroke") for path in drawn.of_class("legend") if not path.get("data-rater")]
    assert [colour for colour in samples if colour in colours] == colours
    assert [f"label {n}: consensus (jaccard)" in drawn.words() for n in (1, 2, 3)] == [True] * 3


def test_segments_keep_the_colours_of_their_file(figure, tmp_path):
    segments = [("liver", 0, 1), ("tumour", 0, 2)]
    names = [write_segments(tmp_path / f"{k}.seg.nrrd", [three_labels(k)], segments) for k in range(3)]
    drawn = figure(*names, "--labels", "liver,tumour")
    assert titles(drawn) == ["liver", "tumour"]
    stated = [[int(255 * float(n) + 0.5) for n in COLOURS[name].split()] for name in ("liver", "tumour")]
    shown = [path.get("stroke") for path in drawn.of_class("consensus")]
    assert [[int(text[at : at + 2], 16) for at in (1, 3, 5)] for text in shown] == stated


def test_several_methods_have_panels_of_their_own_for_each_label(figure, maps):
    drawn = figure(*maps, "--labels", "1,3", "-m", "jaccard,majority")
    assert titles(drawn) == ["label 1, jaccard", "label 1, majority", "label 3, jaccard", "label 3, majority"]


@pytest.mark.parametrize("show", ["votes", "levels", "subcrowns"])
def test_other_pictures_have_a_panel_for_each_label(figure, maps, show):
    drawn = figure(*maps, "--labels", "all", "--show", show)
    assert titles(drawn) == ["label 1", "label 2", "label 3"]
    assert all(drawn.of_class("paint", panel) for panel in drawn.of_class("panel"))


def test_traces_are_those_of_each_label(figure, maps):
    words = figure(*maps, "--labels", "all", "--show", "trace").words()
    assert sum((word or "").startswith(f"label {n}, jaccard, component 1") for word in words for n in (1, 2, 3)) == 3


def test_all_components_are_those_of_each_label(figure, maps):
    drawn = figure(*maps, "--labels", "1,3", "--slice", "all-components")
    assert [title.split(":")[0] for title in titles(drawn)] == ["label 1, component 1", "label 3, component 1"]


def test_of_very_many_labels_those_with_most_disagreement_are_drawn(crema, save, tmp_path):
    raters = []
    for k in range(2):
        labels = numpy.zeros(SIZE, numpy.uint8)
        for n in range(30):
            x, y = 4 * (n % 6), 4 * (n // 6)
            labels[x : x + 3 - (k if n >= 6 else 0), y : y + 3, 2:5] = n + 1
        raters.append(save(f"r{k}.nii.gz", labels))
    done = crema("figure", *raters, "--labels", "all", "-o", "f.svg")
    assert done.code == 0
    assert "24 of 30 labels are shown" in done.err
    assert titles(Picture(tmp_path / "f.svg")) == [f"label {n}" for n in range(7, 31)]
