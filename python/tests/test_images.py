# SPDX-License-Identifier: Apache-2.0
"""Images of SimpleITK and nibabel keep their class and geometry; tensors stay tensors."""

from __future__ import annotations

import nibabel
import numpy as np
import pytest
import SimpleITK as sitk
from conftest import same

import crema

OBLIQUE = (0.0, 1.0, 0.0, -1.0, 0.0, 0.0, 0.0, 0.0, 1.0)


def sitk_image(mask, origin=(10.0, -20.0, 5.5), spacing=(0.7, 0.8, 3.0), direction=OBLIQUE):
    image = sitk.GetImageFromArray(mask)
    image.SetOrigin(origin)
    image.SetSpacing(spacing)
    image.SetDirection(direction)
    return image


AFFINE = np.array([[-0.7, 0, 0.1, 12], [0, 0.8, 0, -7], [0, 0.2, 3, 30], [0, 0, 0, 1.0]])


def nibabel_image(mask, affine=AFFINE, dtype=np.uint8):
    return nibabel.Nifti1Image(np.asfortranarray(mask.T.astype(dtype)), affine)


@pytest.mark.parametrize("method", ["jaccard", "tanimoto", "staple"])
def test_simpleitk_in_simpleitk_out(masks, method):
    first = sitk_image(masks[0])
    result = crema.fuse([first, *map(sitk_image, masks[1:])], method=method).image
    assert isinstance(result, sitk.Image)
    assert same(sitk.GetArrayFromImage(result), crema.fuse(masks, method=method).image)
    for key in ("GetSize", "GetOrigin", "GetSpacing", "GetDirection"):
        assert getattr(result, key)() == getattr(first, key)()


def test_simpleitk_in_two_dimensions(masks):
    images = [sitk.GetImageFromArray(mask) for mask in masks[:, 3]]
    result = crema.fuse(images)
    assert result.image.GetDimension() == 2
    assert same(sitk.GetArrayFromImage(result.image), crema.fuse(masks[:, 3]).image)


def test_simpleitk_spacing_counts(masks):
    record = crema.fuse([sitk_image(mask) for mask in masks]).to_dict()
    assert record["volume_mm3"] == pytest.approx(record["voxels"] * 0.7 * 0.8 * 3)
    assert record["grid"]["origin"] == [-10.0, 20.0, 5.5]


def test_simpleitk_geometry_is_checked(masks):
    def pair(**geometry):
        return [sitk_image(masks[0]), sitk_image(masks[1], **geometry)]

    crema.fuse(pair(origin=(10.0, -20.0, 5.5 + 1e-6)))
    off = crema.fuse(pair(origin=(10.0, -20.0, 5.5 + 0.15)))
    assert any("lies 0.05 voxels off the grid of rater 1" in warning for warning in off.warnings)
    with pytest.raises(ValueError, match="rater 2: has the size of rater 1, but lies"):
        crema.fuse(pair(origin=(10.0, -20.0, 95.5)))
    cropped = crema.fuse([sitk_image(masks[0]), sitk_image(masks[1][:6])])
    assert any("padded with background" in warning for warning in cropped.warnings)


CROPS = [(slice(0, 6), slice(1, None), slice(None)), (slice(2, None), slice(None), slice(0, 14)), (slice(1, 7),) * 3]
ORDERS = [(0, 1, 2), (1, 2, 0), (2, 0, 1)]


def paste(shape, corner, array):
    whole = np.zeros(shape, array.dtype)
    whole[tuple(slice(a, a + n) for a, n in zip(corner, array.shape, strict=True))] = array
    return whole


@pytest.mark.parametrize("order", ORDERS)
def test_simpleitk_crops_of_one_lattice_fuse_in_any_order(masks, order):
    """The common grid is the bounding box of all, as it is for files."""
    whole = [paste(mask.shape, [part.start or 0 for part in crop], mask[crop]) for mask, crop in zip(masks, CROPS)]
    images = [sitk_image(mask)[tuple(crop[::-1])] for mask, crop in zip(masks, CROPS)]
    result = crema.fuse([images[k] for k in order])
    full = sitk_image(masks[0])
    corner = full.TransformPhysicalPointToIndex(result.image.GetOrigin())
    assert result.image.GetDirection() == full.GetDirection() and result.image.GetSpacing() == full.GetSpacing()
    got = paste(masks[0].shape, corner[::-1], sitk.GetArrayFromImage(result.image))
    assert same(got, crema.fuse([whole[k] for k in order]).image)
    assert sum("padded with background" in warning for warning in result.warnings) >= 2


@pytest.mark.parametrize("order", ORDERS)
def test_nibabel_crops_of_one_lattice_fuse_in_any_order(masks, order, tmp_path):
    """As files do: the same voxels in the same places."""
    images = [nibabel_image(mask).slicer[tuple(crop[::-1])] for mask, crop in zip(masks, CROPS)]
    chosen = [images[k] for k in order]
    for k, image in enumerate(chosen):
        image.to_filename(tmp_path / f"{k}.nii.gz")
    files = crema.fuse([tmp_path / f"{k}.nii.gz" for k in range(3)])
    result = crema.fuse(chosen)
    assert np.allclose(result.image.affine, files.image.geometry.affine)
    assert same(np.asanyarray(result.image.dataobj).T, files.image.array)
    padded = [[w.split(": ", 1)[1] for w in r.warnings if "padded" in w] for r in (files, result)]
    assert padded[0] == padded[1] != []


def test_images_in_memory_may_lie_on_the_grid_of_a_file(masks, tmp_path):
    for name, mask in (("like", masks[0]), ("small", masks[0][:4])):
        sitk.WriteImage(sitk_image(mask), str(tmp_path / f"{name}.nii.gz"))
    crop = sitk_image(masks[0])[2:9, 1:8, 0:5]
    result = crema.fuse([crop], like=str(tmp_path / "like.nii.gz"))
    assert result.image.GetSize() == sitk_image(masks[0]).GetSize()
    with pytest.raises(ValueError, match="reaches beyond"):
        crema.fuse([sitk_image(masks[0])], like=str(tmp_path / "small.nii.gz"))


def test_simpleitk_flipped_axes_are_reoriented_exactly(masks):
    flipped = sitk.Flip(sitk_image(masks[1]), [True, False, False])
    result = crema.fuse([sitk_image(masks[0]), flipped, sitk_image(masks[2])])
    assert same(sitk.GetArrayFromImage(result.image), crema.fuse(masks[:3]).image)
    assert any("reoriented exactly" in warning for warning in result.warnings)


def test_simpleitk_vectors_are_refused(masks):
    vector = sitk.Compose(sitk_image(masks[0]), sitk_image(masks[1]))
    with pytest.raises(ValueError, match="2 values per voxel"):
        crema.fuse([vector])
    with pytest.raises(ValueError, match="instead of a list"):
        crema.fuse(sitk_image(masks[0]))


@pytest.mark.parametrize("dtype", [np.uint8, np.int16, np.float32])
def test_nibabel_in_nibabel_out(masks, dtype, tmp_path):
    images = []
    for k, mask in enumerate(masks):
        nibabel_image(mask, dtype=dtype).to_filename(tmp_path / f"{k}.nii.gz")
        images.append(nibabel.load(tmp_path / f"{k}.nii.gz"))
    for method, kind in (("jaccard", np.uint8), ("soergel", np.float32)):
        result = crema.fuse(images, method=method).image
        assert type(result) is nibabel.Nifti1Image and result.get_data_dtype() == kind
        assert (result.affine == images[0].affine).all()
        assert same(np.asanyarray(result.dataobj), crema.fuse(masks, method=method).image.T)
        result.to_filename(tmp_path / "out.nii.gz")
        assert same(np.asanyarray(nibabel.load(tmp_path / "out.nii.gz").dataobj), np.asanyarray(result.dataobj))


def test_nibabel_scaling_is_applied_without_float64(masks, tmp_path, monkeypatch):
    for k, mask in enumerate(masks):
        image = nibabel.Nifti1Image(np.asfortranarray(mask.T) * np.uint8(255), AFFINE)
        image.header.set_slope_inter(1 / 255, 0)
        image.to_filename(tmp_path / f"{k}.nii")
    images = [nibabel.load(tmp_path / f"{k}.nii") for k in range(len(masks))]
    assert images[0].dataobj.slope != 1

    def forbidden(*_):
        raise AssertionError("the scaled numbers are float64")

    monkeypatch.setattr(nibabel.arrayproxy.ArrayProxy, "__array__", forbidden)
    monkeypatch.setattr(nibabel.Nifti1Image, "get_fdata", forbidden)
    result = crema.fuse(images)
    assert same(np.asarray(result._flats[0]), crema.fuse(masks).image.ravel())


def test_nibabel_made_in_c_order_means_the_same_image(masks):
    images = [nibabel.Nifti1Image(np.ascontiguousarray(mask.T), AFFINE) for mask in masks]
    result = crema.fuse(images, blocks="group").image
    expected = crema.fuse([nibabel_image(mask) for mask in masks], blocks="group").image
    assert same(np.asanyarray(result.dataobj), np.asanyarray(expected.dataobj))


def test_nibabel_one_volume_in_four_dimensions(masks):
    images = [nibabel.Nifti1Image(mask.T[..., None], AFFINE) for mask in masks]
    assert crema.fuse(images).image.shape == (*masks.shape[:0:-1], 1)
    with pytest.raises(ValueError, match="rater 1: is 4-D"):
        crema.fuse([nibabel.Nifti1Image(np.zeros((3, 3, 3, 2), np.uint8), AFFINE)])


def test_nibabel_geometry_is_checked(masks):
    moved = AFFINE.copy()
    moved[0, 3] += 90
    with pytest.raises(ValueError, match=r"rater 2: 45×41×7 lies"):
        crema.fuse([nibabel_image(masks[0]), nibabel_image(masks[1], moved)])


def test_kinds_are_not_mixed(masks):
    with pytest.raises(ValueError, match="rater 2: is a nibabel image, but rater 1 is a SimpleITK image"):
        crema.fuse([sitk_image(masks[0]), nibabel_image(masks[1])])


class OnlyDLPack:
    """An array of a package that NumPy does not know."""

    def __init__(self, array):
        self._array = array

    def __dlpack__(self, **keywords):
        return self._array.__dlpack__(**keywords)

    def __dlpack_device__(self):
        return self._array.__dlpack_device__()


class OnlyArray:
    def __init__(self, array):
        self._array = array

    def __array__(self, dtype=None, copy=None):
        return self._array if dtype is None else self._array.astype(dtype)


class Elsewhere(OnlyDLPack):
    def __dlpack_device__(self):
        return 2, 0


def test_arrays_of_other_packages(masks):
    expected = crema.fuse(masks).image
    own = [mask.copy() for mask in masks]
    assert same(crema.fuse([OnlyDLPack(mask) for mask in own]).image, expected)
    assert same(crema.fuse([OnlyArray(mask) for mask in own]).image, expected)
    with pytest.raises(ValueError, match="rater 1: lies in the memory of another device; move it to the CPU"):
        crema.fuse([Elsewhere(own[0])])


def test_tensors_stay_tensors(masks):
    torch = pytest.importorskip("torch")
    tensors = [torch.from_numpy(mask.copy()) for mask in masks]
    for given in (tensors, torch.stack(tensors), [tensor.bool() for tensor in tensors]):
        result = crema.fuse(given).image
        assert isinstance(result, torch.Tensor)
        assert same(result.numpy().astype(np.uint8), crema.fuse(masks).image)


def test_our_own_images(masks):
    geometry = crema.Geometry((45, 41, 7), (0.5, 0.5, 2.0), (1.0, 2.0, 3.0))
    result = crema.fuse([crema.Image(mask, geometry) for mask in masks])
    assert isinstance(result.image, crema.Image) and result.image.geometry == geometry
    assert same(result.image.array, crema.fuse(masks).image)
