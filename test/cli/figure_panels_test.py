# SPDX-License-Identifier: Apache-2.0
"""Panels with settings of their own, several methods in one panel, several slices, and strips."""

import re

import numpy
import pytest
from conftest import blob
from figure_test import SVG, Image, Picture, area, disagreement, needs_pillow
from plain import random_raters
from refusal_test import refused


@pytest.fixture
def figure(crema, tmp_path):
    def run(*arguments, name="figure.svg"):
        result = crema("figure", *arguments, "-o", name, "--force")
        assert result.code == 0, result
        return Picture(tmp_path / name)

    return run


@pytest.fixture
def fused(crema, tmp_path):
    """The voxels of a slice that `crema fuse` puts into its mask, or has above one half."""
    import nibabel

    def run(names, index, *options):
        assert crema("fuse", *names, "-o", "c.nii.gz", "--force", "-q", *options).code == 0
        return (numpy.asarray(nibabel.load(tmp_path / "c.nii.gz").dataobj)[:, :, index] > 0.5).sum()

    return run


def titles(drawn):
    return [next(panel.iter(f"{SVG}text")).text for panel in drawn.of_class("panel")]


def outlined(drawn, panel):
    """What each consensus of a panel encloses, in mm²."""
    (picture,) = drawn.of_class("picture", panel)
    return [area(path, float(picture.get("data-scale"))) for path in drawn.of_class("consensus", picture)]


def test_each_panel_has_settings_of_its_own(figure, fused, save):
    names, masks = random_raters(save, 11, size=(14, 12, 7))
    index = int(disagreement(masks, 2).argmax())
    wanted = ["staple", "staple --roi box", "staple --prior 0.5", "jaccard --slice-wise", "jaccard --tie foreground"]
    drawn = figure(*names, "--slice", f"z={index}", *(w for text in wanted for w in ("--panel", text)))
    assert titles(drawn) == wanted
    for text, panel in zip(wanted, drawn.of_class("panel")):
        method, *options = text.split()
        (found,) = outlined(drawn, panel)
        assert found == pytest.approx(fused(names, index, "-m", method, *options), rel=2e-3, abs=1e-3), text


def test_several_methods_lie_in_one_panel_each_in_its_colour(figure, fused, save):
    names, masks = random_raters(save, 12, size=(14, 12, 7))
    index = int(disagreement(masks, 2).argmax())
    methods = ["majority", "staple", "tanimoto"]
    where = ["--slice", f"z={index}", "--show", "votes"]
    drawn = figure(*names, *where, "--panel", "--show votes", "--panel", ",".join(methods))
    assert titles(drawn) == ["votes", "majority, staple, tanimoto"]
    first, second = drawn.of_class("panel")
    assert not drawn.of_class("consensus", first)
    paths = drawn.of_class("consensus", second)
    colours = [path.get("stroke") for path in paths]
    assert len(set(colours)) == 3
    for method, found in zip(methods, outlined(drawn, second)):
        assert found == pytest.approx(fused(names, index, "-m", method), rel=4e-3, abs=0.02), method
    legend = [p.get("stroke") for p in drawn.of_class("legend")]
    assert [colour for colour in legend if colour in colours] == colours


def test_several_slices_have_a_panel_each(figure, save):
    names, masks = random_raters(save, 13, size=(14, 12, 7))
    drawn = figure(*names, "--slice", "z=2,4", "-m", "majority,jaccard")
    places = [word for word in drawn.words() if (word or "").startswith("slice z = ")]
    assert [re.match(r"slice z = (\d)", place).group(1) for place in places] == ["2", "2", "4", "4"]
    assert titles(drawn) == ["majority", "jaccard"] * 2
    scale = float(drawn.pictures()[2].get("data-scale"))
    for path, mask in zip(drawn.of_class("rater", drawn.pictures()[2]), masks):
        assert area(path, scale) == pytest.approx(mask[:, :, 4].sum(), rel=2e-3, abs=1e-3)


@pytest.mark.parametrize("show", ["votes", "levels", "subcrowns"])
def test_raters_lie_on_top_where_that_is_wanted(figure, raters, show):
    assert not figure(*raters, "--show", show).of_class("rater")
    drawn = figure(*raters, "--show", show, "--outlines")
    assert [p.get("data-rater") for p in drawn.of_class("rater")] == ["1", "2", "3"]
    assert len([p for p in drawn.of_class("legend") if p.get("data-rater")]) == 3


def test_auto_takes_a_slice_that_the_consensus_meets(figure, save):
    # The raters disagree most on z = 4, where no two of them drew the same.
    masks = numpy.zeros((3, 20, 20, 6), numpy.uint8)
    masks[:, 8:12, 8:12, 1:4] = 1
    masks[0, 8:12, 8:12, 4] = masks[1, 0:8, 0:8, 4] = masks[2, 12:20, 12:20, 4] = 1
    names = [save(f"r{k}.nii.gz", mask) for k, mask in enumerate(masks)]
    assert int(disagreement(masks, 2).argmax()) == 4
    drawn = figure(*names, "-m", "majority")
    assert outlined(drawn, drawn.of_class("panel")[0])[0] > 0
    assert any((word or "").startswith("slice z = 4") for word in figure(*names, "--show", "votes").words())


def test_raters_who_are_not_on_the_slice_are_marked_in_the_legend(figure, save):
    masks = [blob(0), blob(1), numpy.zeros_like(blob(0))]
    masks[2][0, 0, 0] = 1
    names = [save(f"{name}.nii.gz", mask) for name, mask in zip(["ann", "bob", "cleo"], masks)]
    words = figure(*names, "--slice", "z=2").words()
    assert "ann" in words and "bob" in words and "cleo (not on this slice)" in words


@needs_pillow
def test_no_legend_is_cut_off(crema, save, tmp_path):
    masks = numpy.zeros((4, 40, 8, 1), numpy.uint8)
    for k, mask in enumerate(masks):
        mask[: 1 + 4 * k, 3:5] = 1
    names = [save(f"r{k}.nii.gz", mask) for k, mask in enumerate(masks)]
    for show in ("subcrowns", "distances", "construction"):
        assert crema("figure", *names, "--show", show, "-o", "f.png", "--dpi", "96", "--force").code == 0
        edge = numpy.asarray(Image.open(tmp_path / "f.png").convert("L"))[:, -10:]
        assert edge.min() == 255, show


def test_the_construction_is_masks_distances_their_sum_and_subcrowns(figure, save):
    masks = numpy.zeros((2, 9, 7, 1), numpy.uint8)
    masks[0, 1:6, 2:5] = masks[1, 3:8, 1:4] = 1
    names = [save(f"{name}.nii.gz", mask) for name, mask in zip(["ann", "bob"], masks)]
    drawn = figure(*names, "--show", "construction", "--whole")
    assert titles(drawn) == [
        "masks",
        "distance to ann",
        "distance to bob",
        "total distance",
        "subcrowns, a colour each",
    ]

    def numbers(panel):
        """By the place of a cell; its size is read off the first panel with a number in each cell."""
        texts = [t for t in drawn.pictures()[panel].iter(f"{SVG}text") if t.get("text-anchor") == "middle"]
        return [int(t.text) for t in texts if (t.text or "").isdigit()]

    from scipy.ndimage import distance_transform_cdt

    flat = masks[:, :, :, 0].astype(bool)
    steps = [distance_transform_cdt(~mask, "chessboard") for mask in flat]
    for k in range(2):
        assert sorted(numbers(1 + k)) == sorted(steps[k].ravel().tolist())
    union = flat.any(axis=0)
    assert sorted(numbers(3)) == sorted((steps[0] + steps[1])[union].tolist())
    kinds = {(int(d), tuple(v)) for d, v in zip((steps[0] + steps[1])[union], flat[:, union].T.tolist())}
    (paint,) = drawn.of_class("paint", drawn.pictures()[4])
    fills = [path.get("fill") for path in paint]
    assert len(fills) == len(set(fills)) == len(kinds)


def test_an_iteration_goes_step_by_step_from_one_criterion_to_the_next(figure, save):
    names, _ = random_raters(save, 14, size=(14, 12, 1))
    drawn = figure(*names, "--show", "iteration")
    steps = [re.match(r"\d+\. \{(.+)\} at (\d+): (\S+) → (\S+)", title).groups() for title in titles(drawn)]
    assert steps
    held = None
    for (_, _, before, after), panel in zip(steps, drawn.pictures()):
        assert held is None or before == held
        fills = {path.get("fill") for path in drawn.of_class("paint", panel)[0]}
        removed = "#d55e00" in fills
        assert removed == (float(after) < float(before)), (before, after)
        held = after if removed else before


def test_panels_that_make_no_sense_are_refused(crema, raters):
    def wrong(code, *words, panel, more=()):
        refused(crema("figure", *raters, "--panel", panel, *more, "-o", "f.svg"), code, "--panel", *words)

    wrong(2, "--rio", "--roi", panel="staple --rio box")
    wrong(2, "stapel", panel="stapel")
    wrong(2, "one method", panel="average,tanimoto --show levels")
    wrong(2, "name a method", panel="--show levels")
    wrong(2, "separate figure", panel="jaccard --show trace")
    wrong(2, "draws no consensus", panel="jaccard --show construction")
    wrong(2, "quotation mark", panel="staple --roi 'box")
    wrong(2, "name methods", panel="")
    wrong(2, "name methods", panel="  ")
    wrong(2, "--prior", panel="jaccard --prior 0.5")
    wrong(2, "--method", panel="jaccard", more=("-m", "dice"))


def test_one_of_a_kind_is_not_many(crema, raters, tmp_path):
    result = crema("figure", raters[0], "--slice", "all-components", "--show", "contours", "-o", "f.svg")
    assert result.code == 0, result
    assert "<title>contours of 1 rater, 1 component</title>" in (tmp_path / "f.svg").read_text()
