# SPDX-License-Identifier: Apache-2.0
"""Reading and writing."""

from __future__ import annotations

import nibabel
import numpy as np
import pytest
import SimpleITK as sitk
from conftest import same

import crema

GEOMETRY = crema.Geometry(
    (45, 41, 7), (0.5, 0.75, 2.0), (1.0, -2.0, 3.0), (0.0, 1.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, -1.0)
)


@pytest.mark.parametrize("ending", [".nii", ".nii.gz"])
def test_what_is_written_is_read_back(masks, tmp_path, ending):
    path = tmp_path / f"mask{ending}"
    assert crema.write(path, masks[0], geometry=GEOMETRY) == []
    array, geometry = crema.read(path)
    assert same(array, masks[0]) and geometry == GEOMETRY
    theirs = nibabel.load(path)
    np.testing.assert_allclose(theirs.affine, GEOMETRY.affine)
    assert same(np.asanyarray(theirs.dataobj), masks[0].T)
    assert same(sitk.GetArrayFromImage(sitk.ReadImage(str(path))), masks[0])


def test_levels_are_written_as_float32(masks, tmp_path):
    levels = crema.fuse(masks, method="tanimoto").image
    crema.write(tmp_path / "levels.nii.gz", levels.astype(np.float64), geometry=GEOMETRY)
    assert same(crema.read_map(tmp_path / "levels.nii.gz").array, levels)
    with pytest.raises(ValueError, match=r"looks like a probability map: use threshold=0.5"):
        crema.read(tmp_path / "levels.nii.gz")
    cut = crema.read(tmp_path / "levels.nii.gz", threshold=0.5).array
    assert same(cut, (levels > 0.5).astype(np.uint8))


def test_pictures_are_two_dimensional(masks, tmp_path):
    crema.write(tmp_path / "mask.png", masks[0, 3].astype(bool))
    image = crema.read(tmp_path / "mask.png")
    assert same(image.array, masks[0, 3]) and image.geometry.shape == masks.shape[2:]


def test_a_label_is_chosen(masks, tmp_path):
    nibabel.Nifti1Image((masks[0] + 2 * masks[1]).T, np.eye(4)).to_filename(tmp_path / "labels.nii")
    assert same(
        crema.read(tmp_path / "labels.nii", label=2).array, ((masks[0] == 0) & (masks[1] == 1)).astype(np.uint8)
    )
    with pytest.raises(ValueError, match="choose it with label="):
        crema.read(tmp_path / "labels.nii")


def test_nothing_is_overwritten_unasked(masks, tmp_path):
    path = tmp_path / "mask.nii"
    crema.write(path, masks[0])
    before = path.read_bytes()
    with pytest.raises(FileExistsError, match=r"mask.nii: exists.*overwrite=True"):
        crema.write(path, masks[1])
    assert path.read_bytes() == before
    crema.write(path, masks[1], overwrite=True)
    assert same(crema.read(path).array, masks[1])


def test_what_cannot_be_written(masks, tmp_path):
    with pytest.raises(ValueError, match="other values than 0 and 1"):
        crema.write(tmp_path / "a.nii", masks[0] * 2)
    with pytest.raises(ValueError, match="outside 0 to 1"):
        crema.write(tmp_path / "a.nii", masks[0] * 2.0)
    with pytest.raises(ValueError, match="they must be equal"):
        crema.write(tmp_path / "a.nii", masks[0, 0], geometry=GEOMETRY)
    with pytest.raises((ValueError, OSError), match=r"a.doc"):
        crema.write(tmp_path / "a.doc", masks[0])
    with pytest.raises((ValueError, OSError), match="nowhere"):
        crema.write(tmp_path / "nowhere" / "a.nii", masks[0])
    assert list(tmp_path.iterdir()) == []


def test_levels_in_a_segment_are_refused_in_words_of_this_package(tmp_path):
    with pytest.raises(ValueError, match=r"a segment holds no levels; write .nrrd, or make a mask") as refused:
        crema.write(tmp_path / "x.seg.nrrd", np.full((3, 4, 5), 0.5))
    assert "threshold" not in str(refused.value) and "--" not in str(refused.value)


def test_names_may_be_given_to_files(masks, tmp_path):
    named = {}
    for k, mask in enumerate(masks):
        named[f"Dr {k}"] = tmp_path / f"{k}.nii.gz"
        crema.write(named[f"Dr {k}"], mask)
    assert [rater["file"] for rater in crema.fuse(named).raters] == list(named)
    write_segments(tmp_path / "two.seg.nrrd", masks[:2], ["A", "B"])
    several = {"first": tmp_path / "two.seg.nrrd", "third": tmp_path / "2.nii.gz"}
    crema.write(several["third"], masks[2], geometry=crema.read(several["first"], segment="A").geometry, overwrite=True)
    assert [rater["file"] for rater in crema.fuse(several, segments_are="raters").raters] == [
        "first#A",
        "first#B",
        "third",
    ]


def test_a_region_may_be_a_file(masks, tmp_path):
    region = np.zeros(masks.shape[1:], np.uint8)
    region[:, 5:35, 5:40] = 1
    paths = []
    for k, mask in enumerate([*masks, region]):
        paths.append(tmp_path / f"{k}.nii.gz")
        crema.write(paths[-1], mask)
    expected = crema.fuse(masks, method="staple", roi=region).image
    for given in (paths[-1], str(paths[-1]), crema.read(paths[-1]), region):
        assert same(crema.fuse(paths[:-1], method="staple", roi=given).image.array, expected)
    with pytest.raises(FileNotFoundError, match=r"gone.nii"):
        crema.fuse(masks, method="staple", roi=tmp_path / "gone.nii")


def test_a_consensus_may_be_a_file_whatever_the_raters_are(masks, tmp_path):
    crema.write(tmp_path / "consensus.nii.gz", masks[0], geometry=crema.Geometry((45, 41, 7)))
    nibabel.Nifti1Image(masks[0].T * np.uint8(255), np.eye(4)).to_filename(tmp_path / "white.nii")
    expected = crema.certify(masks[0], masks)
    images = [nibabel.Nifti1Image(np.asfortranarray(mask.T), np.eye(4)) for mask in masks]
    for raters in (images, [crema.Image(mask, crema.Geometry((45, 41, 7))) for mask in masks]):
        for name in ("consensus.nii.gz", "white.nii"):
            found = crema.certify(tmp_path / name, raters)
            assert (found.lmsd, found.bound, found.voxels) == (expected.lmsd, expected.bound, expected.voxels)
        assert crema.certify(crema.read(tmp_path / "consensus.nii.gz"), raters).lmsd == expected.lmsd
    with pytest.raises(FileNotFoundError, match=r"gone\.nii"):
        crema.certify(tmp_path / "gone.nii", masks)


def test_a_result_from_files_knows_where_it_lies(masks, tmp_path):
    paths = []
    for k, mask in enumerate(masks):
        paths.append(tmp_path / f"{k}.nii.gz")
        crema.write(paths[-1], mask, geometry=GEOMETRY)
    result = crema.fuse(paths)
    assert result.image.geometry == GEOMETRY
    assert [rater["file"] for rater in result.raters] == [str(path) for path in paths]
    crema.write(tmp_path / "out.nii.gz", result.image)
    assert crema.read(tmp_path / "out.nii.gz").geometry == GEOMETRY


def test_memory_may_be_limited(masks, tmp_path):
    crema.write(tmp_path / "mask.nii.gz", masks[0])
    with pytest.raises(MemoryError, match="max_memory="):
        crema.read(tmp_path / "mask.nii.gz", max_memory=1000)


def write_segments(path, masks, names):
    """As Slicer does: one label per segment in the first layer, and a layer of its own for what overlaps."""
    layers = np.stack([mask.astype(np.uint8) for mask in masks], axis=-1)
    size = " ".join(str(n) for n in (len(masks), *masks[0].shape[::-1]))
    lines = ["NRRD0004", "type: unsigned char", "dimension: 4", f"sizes: {size}", "space: left-posterior-superior"]
    lines += ["kinds: list domain domain domain", "space directions: none (1,0,0) (0,1,0) (0,0,1)", "encoding: raw"]
    lines += ["space origin: (0,0,0)"]
    for k, name in enumerate(names):
        about = {"ID": f"Segment_{k}", "Name": name, "LabelValue": 1, "Layer": k}
        lines += [f"Segment{k}_{key}:={value}" for key, value in about.items()]
    path.write_bytes("\n".join([*lines, "", ""]).encode() + layers.tobytes())


def test_the_segments_of_a_file_are_raters(masks, tmp_path):
    path = tmp_path / "all.seg.nrrd"
    names = [f"Dr {letter}" for letter in "ABCDEFG"[: len(masks)]]
    write_segments(path, masks, names)
    for given in (path, [path], str(path)):
        result = crema.fuse(given, segments_are="raters")
        assert same(result.image.array, crema.fuse(masks).image)
        assert [rater["file"] for rater in result.raters] == [f"{path}#{name}" for name in names]
    three = tmp_path / "three.seg.nrrd"
    write_segments(three, masks[:3], names[:3])
    assert same(crema.read(three, segment="Dr B").array, masks[1])
    crema.write(tmp_path / "fourth.nii.gz", masks[3], geometry=crema.read(three, segment="Dr B").geometry)
    both = crema.fuse([three, tmp_path / "fourth.nii.gz"], segments_are="raters")
    assert same(both.image.array, crema.fuse(masks[:4]).image)
