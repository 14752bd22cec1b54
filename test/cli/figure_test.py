# SPDX-License-Identifier: Apache-2.0
"""`crema figure`: what is drawn is measured on the drawing and compared with the masks."""

import itertools
import os
import re
from xml.etree import ElementTree

import numpy
import pytest
from conftest import AFFINE, blob
from plain import random_raters

try:
    from PIL import Image
except ImportError:
    Image = None

SVG = "{http://www.w3.org/2000/svg}"
needs_pillow = pytest.mark.skipif(Image is None, reason="Pillow is not installed; scripts/setup test installs it")


class Picture:
    """A figure, by what its parts say of themselves."""

    def __init__(self, path):
        self.root = ElementTree.parse(path).getroot()

    def of_class(self, name, within=None):
        found = (self.root if within is None else within).iter()
        return [part for part in found if part.get("class") == name]

    def pictures(self):
        return self.of_class("picture")

    def words(self):
        return [part.text for part in self.root.iter(f"{SVG}text")]

    def size(self):
        return float(self.root.get("width")), float(self.root.get("height"))


def loops(path):
    """The corners of each closed part of a path of M, H, V and z."""
    for part in re.findall(r"M[^z]*z", path.get("d")):
        x, y = map(float, re.match(r"M(\S+?) ([^HVz]+)", part).groups())
        corners = [(x, y)]
        for letter, number in re.findall(r"([HV])([^HVz]+)", part):
            x, y = (float(number), y) if letter == "H" else (x, float(number))
            corners.append((x, y))
        yield corners


def moved(corners, inset):
    """The loop before it was moved inwards; what is inside lies to the right of its way."""
    result = []
    for before, here, after in zip([corners[-1], *corners], corners, [*corners[1:], corners[0]]):
        come = numpy.sign(numpy.subtract(here, before))
        go = numpy.sign(numpy.subtract(after, here))
        result.append((here[0] + inset * (come[1] + go[1]), here[1] - inset * (come[0] + go[0])))
    return result


def area(path, scale):
    """What a path encloses, in mm², where it was not moved."""
    inset = float(path.get("data-inset", "0"))
    twice = 0
    for corners in loops(path):
        corners = moved(corners, inset)
        for (x, y), (u, v) in zip(corners, [*corners[1:], corners[0]]):
            twice += x * v - u * y
    return twice / 2 / scale**2


@pytest.fixture
def figure(crema, tmp_path):
    def run(*arguments, name="figure.svg"):
        result = crema("figure", *arguments, "-o", name, "--force")
        assert result.code == 0, result
        return Picture(tmp_path / name) if name.endswith(".svg") else tmp_path / name

    return run


def disagreement(masks, axis):
    votes = numpy.sum(masks, axis=0).astype(int)
    others = tuple(a for a in range(3) if a != axis)
    return (votes * (len(masks) - votes)).sum(axis=others)


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_each_contour_encloses_what_the_rater_drew_on_the_slice(figure, save, seed):
    names, masks = random_raters(save, seed, size=(14, 12, 7))
    for axis, letter in enumerate("xyz"):
        spacing = numpy.delete(numpy.diag(AFFINE)[:3], axis)
        index = int(disagreement(masks, axis).argmax())
        drawn = figure(*names, "--slice", f"{letter}={index}")
        (panel,) = drawn.pictures()
        scale = float(panel.get("data-scale"))
        contours = drawn.of_class("rater")
        assert [path.get("data-rater") for path in contours] == [str(k + 1) for k in range(len(masks))]
        for path, mask in zip(contours, masks):
            expected = numpy.take(mask, index, axis=axis).sum() * spacing.prod()
            assert area(path, scale) == pytest.approx(expected, rel=2e-3, abs=1e-3), path.get("data-rater")


def test_the_consensus_is_the_one_that_fuse_writes(crema, figure, save, tmp_path):
    import nibabel

    names, _ = random_raters(save, 4, size=(14, 12, 7))
    assert crema("fuse", *names, "-o", "c.nii.gz", "-m", "dice").code == 0
    consensus = numpy.asarray(nibabel.load(tmp_path / "c.nii.gz").dataobj)
    index = int(consensus.sum(axis=(0, 1)).argmax())
    drawn = figure(*names, "--slice", f"z={index}", "-m", "dice")
    (path,) = drawn.of_class("consensus")
    scale = float(drawn.pictures()[0].get("data-scale"))
    assert area(path, scale) == pytest.approx(consensus[:, :, index].sum(), rel=2e-3)
    assert "consensus (dice)" in drawn.words()


def test_contours_of_anisotropic_voxels_are_to_scale(figure, save):
    mask = numpy.zeros((10, 10, 10), numpy.uint8)
    mask[2:6, 3:5, 4:7] = 1
    name = save("a.nii.gz", mask, numpy.diag([0.5, 2.0, 1.0, 1.0]))
    drawn = figure(name, "--slice", "z=5")
    (path,) = drawn.of_class("consensus")
    (corners,) = loops(path)
    wide, high = (numpy.ptp(axis) for axis in zip(*corners))
    assert high / wide == pytest.approx((2 * 2.0) / (4 * 0.5), rel=1e-2)


def test_the_legend_names_raters_in_the_look_of_their_contours(figure, save):
    names = [save(f"{name}.nii.gz", blob(k)) for k, name in enumerate(["ann", "bob", "cleo"])]
    drawn = figure(*names)
    looks = {p.get("data-rater"): (p.get("stroke"), p.get("stroke-dasharray")) for p in drawn.of_class("rater")}
    assert len(set(looks.values())) == 3
    samples = [p for p in drawn.of_class("legend") if p.get("data-rater")]
    assert {p.get("data-rater"): (p.get("stroke"), p.get("stroke-dasharray")) for p in samples} == looks
    words = drawn.words()
    assert [word for word in words if word in ("ann", "bob", "cleo")] == ["ann", "bob", "cleo"]
    assert "consensus (jaccard)" in words and "raters marked it" in words


def test_contours_that_coincide_lie_apart(figure, save):
    names = [save(f"r{k}.nii.gz", blob(0)) for k in range(6)]
    drawn = figure(*names)
    paths = [path.get("d") for path in drawn.of_class("rater")]
    assert len(set(paths)) == len(paths) == 6
    insets = sorted(float(path.get("data-inset")) for path in drawn.of_class("rater"))
    width = float(drawn.of_class("rater")[0].get("stroke-width"))
    assert min(b - a for a, b in itertools.pairwise(insets)) >= width


def test_the_scale_bar_is_as_long_as_it_says(figure, raters):
    drawn = figure(*raters)
    scale = float(drawn.pictures()[0].get("data-scale"))
    (bar,) = drawn.of_class("scale-bar")
    length = float(re.match(r"M0 \S+?H(.+)", bar.get("d")).group(1)) / scale
    assert length == pytest.approx(float(bar.get("data-length")), rel=1e-3)
    assert f"{float(bar.get('data-length')):g} mm" in drawn.words()


def test_pixels_of_unknown_size_are_not_called_millimetres(figure, crema, raters, tmp_path):
    for k in range(2):
        assert crema("demo", "-o", f"d{k}", "--kind", "lesions", "--size", "40,30,1", "--raters", "2").code == 0
    names = []
    for k, path in enumerate(sorted((tmp_path / "d0").glob("rater-*.nii.gz"))):
        assert crema("fuse", path, "-o", f"r{k}.png", "-q").code == 0
        names.append(f"r{k}.png")
    words = figure(*names).words()
    assert any(re.fullmatch(r"\d+ px", word or "") for word in words)
    assert not any((word or "").endswith(" mm") for word in words)


def test_auto_is_the_slice_with_most_disagreement(figure, save):
    names, masks = random_raters(save, 7, size=(14, 12, 9))
    best = int(disagreement(masks, 2).argmax())
    words = figure(*names).words()
    assert any((word or "").startswith(f"slice z = {best} (0–8)") for word in words), words


def test_a_slice_lies_as_radiologists_look_at_it(figure, save):
    mask = numpy.zeros((10, 8, 4), numpy.uint8)
    mask[8, 6, 2] = 1  # to the right and to the front
    words = figure(save("a.nii.gz", mask), "--whole", "--slice", "z=2")
    (path,) = words.of_class("consensus")
    ((corner, *_),) = loops(path)
    scale = float(words.pictures()[0].get("data-scale"))
    assert corner[0] / scale == pytest.approx(2, abs=0.01) and corner[1] / scale == pytest.approx(1, abs=0.01)
    assert [part.text for part in words.of_class("orientation")[0]] == list("RLAP")


def test_letters_at_the_edges_keep_clear_of_what_is_drawn(figure, save):
    mask = numpy.zeros((40, 40, 3), numpy.uint8)
    mask[0:3, 15:25, 1] = mask[37:40, 15:25, 1] = mask[15:25, 0:3, 1] = mask[15:25, 37:40, 1] = 1
    drawn = figure(save("a.nii.gz", mask), "--whole", "--slice", "z=1")
    boxes = [list(zip(*corners)) for path in drawn.of_class("consensus") for corners in loops(path)]
    assert len(boxes) == 4
    for letter in drawn.of_class("orientation")[0]:
        x, y = float(letter.get("x")), float(letter.get("y")) - 4
        for xs, ys in boxes:
            apart = max(min(xs) - x, x - max(xs), min(ys) - y, y - max(ys))
            assert apart >= 5, (letter.text, x, y, xs, ys)


def test_several_methods_make_several_panels_and_one_legend(figure, raters):
    drawn = figure(*raters, "--show", "levels", "-m", "average,tanimoto,staple")
    assert len(drawn.pictures()) == 3
    assert len(drawn.of_class("colour-bar")) == 1
    assert [word for word in drawn.words() if word in ("average", "tanimoto", "staple")] == [
        "average",
        "tanimoto",
        "staple",
    ]
    assert len({panel.get("data-scale") for panel in drawn.pictures()}) == 1


@pytest.mark.parametrize("show", ["contours", "votes", "levels", "subcrowns", "trace"])
def test_everything_can_be_shown(figure, raters, show):
    drawn = figure(*raters, "--show", show)
    assert "NaN" not in ElementTree.tostring(drawn.root, "unicode")
    if show == "trace":
        assert len(drawn.of_class("shrinking")) == len(drawn.of_class("growing")) == 1
        assert "mean squared jaccard distance" in drawn.words()
    else:
        assert len(drawn.of_class("scale-bar")) == 1


def test_votes_are_as_many_as_the_colour_bar_says(figure, save):
    names, masks = random_raters(save, 9, size=(14, 12, 7))
    votes = numpy.sum(masks, axis=0)
    best = int(disagreement(masks, 2).argmax())
    drawn = figure(*names, "--show", "votes", "--slice", f"z={best}")
    scale = float(drawn.pictures()[0].get("data-scale"))
    (paint,) = drawn.of_class("paint")
    bar = drawn.of_class("colour-bar")[0]
    shades = [path.get("fill") for path in bar.iter(f"{SVG}path")]
    assert len(shades) == len(masks)
    for path in paint:
        least = shades.index(path.get("fill")) + 1  # areas lie upon each other, the dark ones above
        assert area(path, scale) == pytest.approx((votes[:, :, best] >= least).sum(), rel=2e-3)


def test_components_have_a_panel_each_on_their_own_slice(figure, raters):
    drawn = figure(*raters, "--slice", "all-components")
    assert len(drawn.pictures()) == 2
    assert any(word == "component 1: 1 of 3: left out" for word in drawn.words()), drawn.words()


def test_many_components_are_capped_with_a_sentence(crema, figure, save, tmp_path):
    mask = numpy.zeros((20, 20, 3), numpy.uint8)
    mask[::3, ::3, 1] = 1
    result = crema("figure", save("a.nii.gz", mask), "--slice", "all-components", "-o", "f.svg")
    assert result.code == 0 and "24 of 49 components are drawn" in result.err, result
    assert len(Picture(tmp_path / "f.svg").pictures()) == 24


def test_names_are_made_unique_by_their_folders(figure, save, tmp_path):
    for folder in ("ann", "bob"):
        (tmp_path / folder).mkdir()
        os.rename(tmp_path / save("m.nii.gz", blob(1)), tmp_path / folder / "m.nii.gz")
    words = figure("ann/m.nii.gz", "bob/m.nii.gz").words()
    assert "ann/m" in words and "bob/m" in words


def test_hostile_names_are_text_and_nothing_else(figure, save):
    hostile = "<script>alert(1)&\"'</script>￾\x1b[31m".replace("/", "")
    drawn = figure(save(f"{hostile}.nii.gz", blob(0)), save("b.nii.gz", blob(1)))
    assert not list(drawn.root.iter(f"{SVG}script"))
    assert any((word or "").startswith("<script>alert(1)") for word in drawn.words())


def test_the_same_masks_give_the_same_picture(figure, raters, tmp_path):
    figure(*raters, name="a.svg")
    figure(*raters, "--threads", "1", name="b.svg")
    assert (tmp_path / "a.svg").read_bytes() == (tmp_path / "b.svg").read_bytes()


def grey(path):
    return numpy.asarray(Image.open(path).convert("L")).astype(int)


@needs_pillow
def test_a_png_has_the_size_and_the_colours_of_the_svg(figure, raters):
    drawn = figure(*raters, "--slice", "z=2")
    path = figure(*raters, "--slice", "z=2", "--dpi", "192", name="f.png")
    picture = Image.open(path).convert("RGB")
    width, height = drawn.size()
    assert picture.size == (round(width * 2), round(height * 2))
    assert picture.getpixel((3, 3)) == (255, 255, 255)
    # The middle of the box that all three drew has the darkest shade.
    (paint,) = drawn.of_class("paint")
    darkest = paint[-1]
    (corners,) = loops(darkest)
    x, y = (sum(axis) / len(axis) for axis in zip(*corners))
    for group in ("panel", "picture"):
        shift = re.match(r"translate\((\S+) (\S+)\)", drawn.of_class(group)[0].get("transform")).groups()
        x, y = x + float(shift[0]), y + float(shift[1])
    x, y = x, y + 24  # the margin above the first row
    expected = tuple(int(darkest.get("fill")[i : i + 2], 16) for i in (1, 3, 5))
    assert numpy.abs(numpy.subtract(picture.getpixel((round(2 * x), round(2 * y))), expected)).max() <= 2


@needs_pillow
def test_the_image_lies_beneath_in_grey(figure, save, raters, tmp_path):
    import base64
    import io

    ramp = numpy.zeros((12, 10, 6), numpy.int16)
    ramp[:] = (numpy.arange(12) * 100 - 500)[:, None, None]
    drawn = figure(*raters, "--image", save("image.nii.gz", ramp), "--slice", "z=2", "--whole")
    (image,) = drawn.root.iter(f"{SVG}image")
    png = Image.open(io.BytesIO(base64.b64decode(image.get("href").split(",")[1])))
    assert png.size == (12, 10)
    rows = numpy.asarray(png).astype(float)
    rows = rows / rows.max() * 255
    low, high = numpy.percentile(ramp[:, :, 2], [1, 99])
    expected = numpy.clip((ramp[::-1, 0, 2] - low) / (high - low), 0, 1) * 255  # the right is on the left
    assert numpy.abs(rows - expected).max() <= 1.5  # of 255 steps
    assert not drawn.of_class("paint"), "contours do not hide the image"
    path = figure(*raters, "--image", "image.nii.gz", "--slice", "z=2", "--whole", name="f.png")
    assert grey(path).min() < 40


def test_a_pdf_is_a_pdf_and_always_the_same(figure, raters, tmp_path):
    first = figure(*raters, name="a.pdf").read_bytes()
    assert first.startswith(b"%PDF-") and first.rstrip().endswith(b"%%EOF")
    assert b"CreationDate" not in first
    assert figure(*raters, name="b.pdf").read_bytes() == first


def test_an_image_of_nothing_but_nan_is_black(figure, save, raters):
    figure(*raters, "--image", save("image.nii.gz", numpy.full((12, 10, 6), numpy.nan, numpy.float32)))


def test_a_slice_on_which_nobody_drew_is_drawn_with_a_warning(crema, raters):
    result = crema("figure", *raters, "--slice", "z=5", "-o", "f.svg")
    assert result.code == 0 and "no rater marked anything on slice z=5" in result.err, result


def test_raters_are_put_on_the_grid_of_the_image_where_that_is_asked_for(figure, save, raters):
    save("other.nii.gz", numpy.zeros((12, 10, 7), numpy.int16))
    figure(*raters, "--image", "other.nii.gz", "--like", "other.nii.gz")
