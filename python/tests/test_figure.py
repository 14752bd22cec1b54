# SPDX-License-Identifier: Apache-2.0
"""`figure` draws what `crema figure` does, and a notebook shows it."""

from __future__ import annotations

import base64
import os
import pickle
import re
import subprocess
from xml.etree import ElementTree

import nibabel
import numpy as np
import pytest
import SimpleITK as sitk

import crema

GEOMETRY = crema.Geometry((45, 41, 7), (0.9, 0.9, 3.0))


@pytest.fixture(scope="module")
def files(masks, tmp_path_factory):
    folder = tmp_path_factory.mktemp("figure")
    paths = [folder / f"rater-{k + 1}.nii.gz" for k in range(len(masks))]
    for path, mask in zip(paths, masks, strict=True):
        crema.write(path, mask, geometry=GEOMETRY)
    grey = np.random.default_rng(1).normal(100, 20, masks.shape[1:]).astype(np.int16)
    nibabel.Nifti1Image(grey.T.copy(), crema.read(paths[0]).geometry.affine).to_filename(folder / "grey.nii.gz")
    return paths


@pytest.fixture
def draw(program_path, tmp_path):
    def run(*words):
        done = subprocess.run(
            [program_path, "figure", *map(str, words), "-o", "its.svg"], cwd=tmp_path, capture_output=True
        )
        assert done.returncode == 0, done.stderr
        return (tmp_path / "its.svg").read_text(encoding="utf-8")

    return run


@pytest.mark.parametrize(
    ("method", "keywords", "words"),
    [
        ("jaccard", {}, []),
        ("jaccard", {"slice": "z=2", "whole": True}, ["--slice", "z=2", "--whole"]),
        ("dice", {"show": "votes"}, ["--show", "votes", "-m", "dice"]),
        ("tanimoto", {"show": "levels"}, ["--show", "levels"]),
        ("jaccard", {"show": "trace", "methods": ["jaccard", "dice"]}, ["--show", "trace", "-m", "jaccard,dice"]),
        (
            "jaccard",
            {"show": "levels", "methods": ["average", "soergel"]},
            ["--show", "levels", "-m", "average,soergel"],
        ),
        ("jaccard", {"slice": "all-components"}, ["--slice", "all-components"]),
        ("shape", {}, ["-m", "shape"]),
    ],
)
def test_the_picture_is_the_programs(files, draw, method, keywords, words):
    figure = crema.fuse(files, method=method).figure(**keywords)
    assert figure.svg == draw(*files, *words) and figure.warnings == []


def test_the_image_lies_beneath_whatever_it_is(files, draw, masks):
    path = files[0].parent / "grey.nii.gz"
    its, result = draw(*files, "--image", path), crema.fuse(files)
    assert result.figure(image=path).svg == its
    assert result.figure(image=sitk.ReadImage(str(path))).svg == its
    assert result.figure(image=nibabel.load(path)).svg == its
    assert result.figure(image=np.asarray(nibabel.load(path).dataobj).T).svg == its
    assert result.figure().svg != its


def test_arrays_are_drawn_to_their_own_scale(masks):
    alike = crema.fuse(masks, spacing=(3, 0.9, 0.9)).figure("votes", slice="z=3", whole=True)
    wide = crema.fuse(masks, spacing=(3, 0.9, 1.8)).figure("votes", slice="z=3", whole=True)
    width = [ElementTree.fromstring(one.svg).find(".//*[@data-scale]") for one in (alike, wide)]
    assert all(node is not None for node in width)
    assert " mm" in alike.svg and " mm" not in crema.fuse(masks).figure("votes").svg


@pytest.mark.parametrize("ending", [".svg", ".png", ".pdf", ".PNG"])
def test_it_is_saved_as_its_name_says(masks, tmp_path, ending):
    figure, path = crema.fuse(masks).figure(), tmp_path / f"f{ending}"
    figure.save(path, dpi=60)
    start = {".svg": b"<svg", ".png": b"\x89PNG", ".pdf": b"%PDF"}[ending.lower()]
    assert path.read_bytes().startswith(start)
    with pytest.raises(FileExistsError, match="overwrite=True"):
        figure.save(path)
    figure.save(path, dpi=90, overwrite=True)
    assert list(tmp_path.iterdir()) == [path]


def test_what_cannot_be_saved_is_said(files, tmp_path):
    figure = crema.fuse(files).figure()
    with pytest.raises(ValueError, match=r"\.svg, \.png or \.pdf"):
        figure.save(tmp_path / "f.jpg")
    with pytest.raises(ValueError, match="dpi=7"):
        figure.save(tmp_path / "f.png", dpi=7)
    with pytest.raises((ValueError, OSError), match="nowhere"):
        figure.save(tmp_path / "nowhere" / "f.svg")
    assert list(tmp_path.iterdir()) == []


def test_an_input_is_never_replaced(masks, tmp_path):
    paths = [tmp_path / f"{k}.svg" for k in range(2)]
    for path, mask in zip(paths, masks, strict=False):
        crema.write(tmp_path / "mask.nii", mask, overwrite=True)
        os.replace(tmp_path / "mask.nii", path)
    with pytest.raises(ValueError, match="is the input"):
        crema.fuse(paths).figure().save(paths[0], overwrite=True)


@pytest.mark.parametrize(
    ("method", "keywords", "sentence"),
    [
        ("jaccard", {"slice": "z=7"}, "z goes from 0 to 6"),
        ("jaccard", {"slice": "w"}, "not a valid slice"),
        ("jaccard", {"show": "dots"}, "show=.*not one of contours, votes"),
        ("majority", {"show": "subcrowns"}, "majority did not count distances"),
        ("majority", {"show": "trace"}, 'show="trace": majority does not shrink and grow'),
        ("jaccard", {"show": "trace", "image": np.zeros((7, 41, 45))}, "image=.*no slice to draw it on"),
        ("jaccard", {"methods": "shape"}, "shape needs more than jaccard counted"),
        ("jaccard", {"methods": ["dice", "jaccard"], "slice": "all-components"}, "name one method"),
        ("jaccard", {"image": np.zeros((7, 41, 44))}, "the image: shape"),
        ("jaccard", {"image": sitk.GetImageFromArray(np.zeros((7, 41, 44)))}, "the image.*grid"),
    ],
)
def test_what_cannot_be_drawn_is_said(masks, method, keywords, sentence):
    images = [sitk.GetImageFromArray(mask) for mask in masks] if "grid" in sentence else masks
    with pytest.raises(ValueError, match=sentence):
        crema.fuse(images, method=method).figure(**keywords)


def test_an_image_on_another_grid_is_refused_with_the_fix(files, tmp_path):
    other = tmp_path / "other.nii.gz"
    crema.write(other, np.zeros((7, 41, 46), np.uint8))
    with pytest.raises(ValueError, match=r"other.nii.gz.*like=.*other.nii.gz"):
        crema.fuse(files).figure(image=other)
    with pytest.raises(FileNotFoundError):
        crema.fuse(files).figure(image=tmp_path / "nowhere.nii.gz")


def test_subcrowns_are_drawn_where_another_method_counted_them(masks):
    both = crema.fuse(masks, method=["majority", "jaccard"])
    assert both["majority"].figure("subcrowns").svg.startswith("<svg")


def picture_in(page):
    data = re.search(r'src="data:image/svg\+xml;base64,([^"]+)"', page)
    return ElementTree.fromstring(base64.b64decode(data[1]))


@pytest.mark.parametrize("flat", [False, True])
def test_a_notebook_shows_picture_legend_and_raters(masks, flat):
    stack = masks[:, 3] if flat else masks
    result = crema.fuse({"<b>": stack[0], "&": stack[1], "Dr C": stack[2] * 255}, method="soergel")
    page = result._repr_html_()
    tree = ElementTree.fromstring(page)
    legend = "".join(picture_in(page).itertext())
    assert all(name in legend for name in ("<b>", "&", "Dr C", "soergel"))
    table = [[cell.text for cell in row] for row in tree.iter("tr")]
    assert table[0][:5] == ["rater", "voxels", "precision", "recall", "F1"]
    assert [row[:2] for row in table[1:]] == [
        [name, str(int((stack[k] != 0).sum()))] for k, name in enumerate(("<b>", "&", "Dr C"))
    ]
    for row, reply in zip(table[1:], result.raters, strict=True):
        assert row[4] == f"{reply['overlap']['f1']:.3f}"
    assert "holds 0 and 255" in page


def test_a_figure_shows_itself(masks):
    figure = crema.fuse(masks).figure()
    assert figure._repr_svg_() == figure.svg
    assert ElementTree.tostring(picture_in(figure._repr_html_())) == ElementTree.tostring(
        ElementTree.fromstring(figure.svg)
    )
    assert "contours of 5 raters" in repr(figure) and "<svg" not in repr(figure)


def test_a_copied_result_keeps_its_picture(masks):
    result = crema.fuse(masks)
    other = pickle.loads(pickle.dumps(result))
    assert other.figure().svg == result.figure().svg
    with pytest.raises(ValueError, match="fuse the masks again"):
        other.figure("votes")
