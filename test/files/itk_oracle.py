# SPDX-License-Identifier: Apache-2.0
"""What ITK (by SimpleITK) writes, crema must read, and what crema writes ITK must, over types, orders and orientations.

Run with the program's path in the environment: CREMA=…/crema python3 -m pytest test/files/itk_oracle.py
Complements oracle.py (nibabel) and nrrd_meta_test.py (NRRD and MetaImage, pynrrd). ITK cannot write the other byte
order, so nibabel writes it here and ITK reads the result; NIfTI that is sheared ITK refuses, so nibabel compares.
"""

import os
import re

import nibabel
import numpy
import pytest
from nrrd_meta_test import DTYPES, fuse, make, oblique, oracle, raters, same_geometry, save

CREMA = os.environ.get("CREMA")
pytestmark = pytest.mark.skipif(not CREMA, reason="set CREMA to the path of the program")

SHEARED = numpy.array([[0.9, 0.1, 0.05], [-0.1, 0.95, 0.2], [0, 0.1, 1.0]])


def same_voxels(sitk, path, expected, first, tolerance):
    out = sitk.ReadImage(str(path))
    numpy.testing.assert_array_equal(sitk.GetArrayFromImage(out) != 0, expected != 0)
    same_geometry(out, first, tolerance)
    return out


@pytest.mark.parametrize("ending", [".nii", ".nii.gz", ".img"])
@pytest.mark.parametrize("shape", [(7, 9, 11), (9, 11)], ids=["3-D", "2-D"])
@pytest.mark.parametrize("dtype", DTYPES)
def test_every_type_of_nifti(tmp_path, dtype, shape, ending):
    sitk = oracle("SimpleITK")
    masks, expected = raters(DTYPES.index(dtype), shape)
    paths = save(sitk, tmp_path, [make(sitk, m, dtype) for m in masks], ending, False)
    fuse(tmp_path, paths, tmp_path / ("out" + ending))
    out = same_voxels(sitk, tmp_path / ("out" + ending), expected, sitk.ReadImage(str(paths[0])), 1e-6)
    assert out.GetPixelID() == sitk.sitkUInt8


@pytest.mark.parametrize("order", "<>")
@pytest.mark.parametrize("dtype", DTYPES)
def test_either_byte_order_becomes_what_itk_reads(tmp_path, dtype, order):
    sitk = oracle("SimpleITK")
    masks, expected = raters(30)
    affine = numpy.eye(4)
    affine[:3, :3] = oblique() @ numpy.diag([0.7, 0.8, 3.0])
    affine[:3, 3] = [90.25, -120.5, 33.125]
    paths = [tmp_path / f"rater{i}.nii" for i in range(3)]
    for mask, path in zip(masks, paths):
        header = nibabel.Nifti1Header(endianness=order)
        header.set_data_dtype(numpy.dtype(order + dtype))
        image = nibabel.Nifti1Image(mask.transpose().astype(dtype), affine, header)
        image.set_qform(affine, 1)
        nibabel.save(image, path)
    first = sitk.ReadImage(str(paths[0]))
    for name in ("out.nii.gz", "out.nrrd", "out.mha"):
        fuse(tmp_path, paths, tmp_path / name)
        same_voxels(sitk, tmp_path / name, expected, first, 1e-5)


@pytest.mark.parametrize("ending", [".nrrd", ".nhdr", ".mha", ".mhd"])
@pytest.mark.parametrize("dtype", ["u1", "f8"])
def test_shear_is_kept(tmp_path, dtype, ending):
    sitk = oracle("SimpleITK")
    masks, expected = raters(31)
    images = [make(sitk, m, dtype) for m in masks]
    for image in images:
        image.SetDirection(SHEARED.ravel())
    paths = save(sitk, tmp_path, images, ending, True)
    fuse(tmp_path, paths, tmp_path / ("out" + ending))
    same_voxels(sitk, tmp_path / ("out" + ending), expected, sitk.ReadImage(str(paths[0])), 1e-12)


@pytest.mark.parametrize("to", [".nii.gz", ".nrrd", ".mha"])
@pytest.mark.parametrize("ending", [".nii", ".nrrd", ".mha"])
def test_shear_goes_from_format_to_format(tmp_path, ending, to):
    """Back to NIfTI, where nibabel sees it."""
    masks, expected = raters(32)
    affine = numpy.eye(4)
    affine[:3, :3] = SHEARED @ numpy.diag([0.7, 0.8, 3.0])
    affine[:3, 3] = [5, 6, 7]
    paths = [tmp_path / f"rater{i}.nii" for i in range(3)]
    for mask, path in zip(masks, paths):
        image = nibabel.Nifti1Image(mask.transpose(), affine)
        image.set_qform(None, 0)
        nibabel.save(image, path)
    for name in ("a" + ending, "b" + to, "out.nii"):
        fuse(tmp_path, paths, tmp_path / name)
        paths = [tmp_path / name]
    out = nibabel.load(tmp_path / "out.nii")
    numpy.testing.assert_allclose(out.affine, affine, atol=1e-5)
    numpy.testing.assert_array_equal(numpy.asarray(out.dataobj).transpose(), expected)


@pytest.mark.parametrize("dtype", ["u1", "u2", "f4"])
@pytest.mark.parametrize("shape", [(5, 9, 11), (9, 11)], ids=["3-D", "2-D"])
@pytest.mark.parametrize("packed", [False, True])
def test_tiff_both_ways(tmp_path, dtype, shape, packed):
    sitk = oracle("SimpleITK")
    masks, expected = raters(33, shape)
    paths = save(sitk, tmp_path, [sitk.GetImageFromArray(m.astype(dtype)) for m in masks], ".tif", packed)
    fuse(tmp_path, paths, tmp_path / "out.tif")
    out = sitk.GetArrayFromImage(sitk.ReadImage(str(tmp_path / "out.tif")))
    numpy.testing.assert_array_equal(out.reshape(shape), 255 * expected)
    fuse(tmp_path, paths, tmp_path / "mean.tif", method="average")
    levels = sitk.GetArrayFromImage(sitk.ReadImage(str(tmp_path / "mean.tif")))
    numpy.testing.assert_allclose(levels.reshape(shape), sum(m / 3 for m in masks), atol=1e-6)


@pytest.mark.parametrize("dtype, most", [("u1", 1), ("u1", 255), ("u2", 65535)])
def test_png_both_ways(tmp_path, dtype, most):
    sitk = oracle("SimpleITK")
    masks, expected = raters(34, (9, 11))
    paths = save(
        sitk, tmp_path, [sitk.GetImageFromArray((m.astype("i8") * most).astype(dtype)) for m in masks], ".png", True
    )
    fuse(tmp_path, paths, tmp_path / "out.png")
    out = sitk.GetArrayFromImage(sitk.ReadImage(str(tmp_path / "out.png")))
    numpy.testing.assert_array_equal(out, 255 * expected)
    fuse(tmp_path, paths, tmp_path / "mean.png", method="average")
    levels = sitk.GetArrayFromImage(sitk.ReadImage(str(tmp_path / "mean.png")))
    # Levels in thirds are whole multiples of one in the scale that the file states; 1 is white to everybody.
    scale = int(re.search(rb"tEXtcrema levels\0(\d+)", (tmp_path / "mean.png").read_bytes())[1])
    assert scale % 6 == 0 and 65535 - scale < 6
    drawn = sum(m.astype(int) for m in masks)
    numpy.testing.assert_array_equal(levels, numpy.where(drawn == 3, 65535, drawn * (scale // 3)))
