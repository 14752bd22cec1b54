# SPDX-License-Identifier: Apache-2.0
"""What nibabel writes, crema must read, and the other way round, to the same voxels and geometry.

Run with the program's path in the environment: CREMA=…/crema python3 -m pytest test/files/oracle.py
SimpleITK is a second oracle where it can be imported; its tests are skipped, by name, where it cannot.
"""

import os
import subprocess

import nibabel
import numpy
import pytest

CREMA = os.environ.get("CREMA")
pytestmark = pytest.mark.skipif(not CREMA, reason="set CREMA to the path of the program")

DTYPES = ["i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8", "f4", "f8"]
SHAPE = (11, 9, 7)


def oblique(shear=0.0):
    """Anisotropic, turned about two axes, left-handed, far from the origin."""
    a, b = 0.3, -0.2
    about_z = numpy.array([[numpy.cos(a), -numpy.sin(a), 0], [numpy.sin(a), numpy.cos(a), 0], [0, 0, 1]])
    about_x = numpy.array([[1, 0, 0], [0, numpy.cos(b), -numpy.sin(b)], [0, numpy.sin(b), numpy.cos(b)]])
    affine = numpy.eye(4)
    affine[:3, :3] = about_z @ about_x @ numpy.diag([-0.7, 0.8, 3.0])
    affine[:3, 1] += shear * affine[:3, 0]
    affine[:3, 3] = [90.25, -120.5, 33.125]
    return affine


def raters(seed, shape=SHAPE):
    random = numpy.random.default_rng(seed)
    masks = [(random.random(shape) < 0.5).astype("u1") for _ in range(3)]
    return masks, (sum(m.astype(int) for m in masks) >= 2).astype("u1")


def make(mask, dtype="u1", order="<", version=1, affine=None, sform=1, qform=1):
    """An image of one mask; a negative version is the pair of that version."""
    image_class = {1: nibabel.Nifti1Image, 2: nibabel.Nifti2Image, -1: nibabel.Nifti1Pair, -2: nibabel.Nifti2Pair}[
        version
    ]
    header = image_class.header_class(endianness=order)
    header.set_data_dtype(numpy.dtype(order + dtype))
    affine = oblique() if affine is None else affine
    image = image_class(mask.astype(dtype), affine, header)
    image.set_sform(affine, sform)
    image.set_qform(affine, qform)
    image.header.set_xyzt_units("mm")
    return image


def fuse(folder, inputs, output, *options):
    command = [CREMA, "fuse", *map(str, inputs), "-o", str(output), "--method", "majority", *options]
    return subprocess.run(command, capture_output=True, text=True, cwd=folder)


def fused(folder, inputs, name="out.nii.gz", *options):
    done = fuse(folder, inputs, folder / name, *options)
    assert done.returncode == 0, done.stderr
    return nibabel.load(folder / name)


def save(folder, images, ending):
    paths = [folder / f"rater{i}{ending}" for i in range(len(images))]
    for image, path in zip(images, paths):
        nibabel.save(image, path)
    return paths


def same_geometry(out, image):
    assert out.shape == image.shape
    numpy.testing.assert_array_equal(out.affine, image.affine)
    for field in (
        "sform_code",
        "qform_code",
        "pixdim",
        "srow_x",
        "srow_y",
        "srow_z",
        "xyzt_units",
        "quatern_b",
        "quatern_c",
        "quatern_d",
        "qoffset_x",
        "qoffset_y",
        "qoffset_z",
    ):
        numpy.testing.assert_array_equal(out.header[field], image.header[field], err_msg=field)


@pytest.mark.parametrize("ending", [".nii", ".nii.gz"])
@pytest.mark.parametrize("version", [1, 2])
@pytest.mark.parametrize("order", ["<", ">"])
@pytest.mark.parametrize("dtype", DTYPES)
def test_every_type_order_and_version(tmp_path, dtype, order, version, ending):
    masks, expected = raters(DTYPES.index(dtype))
    images = [make(m, dtype, order, version) for m in masks]
    out = fused(tmp_path, save(tmp_path, images, ending))
    assert out.get_data_dtype() == numpy.uint8
    numpy.testing.assert_array_equal(numpy.asarray(out.dataobj), expected)
    same_geometry(out, nibabel.load(tmp_path / f"rater0{ending}"))
    assert type(out).__name__ == f"Nifti{version}Image"


@pytest.mark.parametrize("version", [-1, -2])
@pytest.mark.parametrize("given", [".hdr", ".img"])
def test_pairs_in_and_out(tmp_path, version, given):
    masks, expected = raters(5)
    paths = save(tmp_path, [make(m, "i2", ">", version) for m in masks], ".img")
    out = fused(tmp_path, [p.with_suffix(given) for p in paths], "out.hdr")
    numpy.testing.assert_array_equal(numpy.asarray(out.dataobj), expected)
    same_geometry(out, nibabel.load(paths[0]))


@pytest.mark.parametrize("sform,qform", [(1, 1), (2, 0), (0, 1), (4, 2), (0, 0)])
def test_codes_are_kept(tmp_path, sform, qform):
    masks, expected = raters(6)
    paths = save(tmp_path, [make(m, sform=sform, qform=qform) for m in masks], ".nii.gz")
    out = fused(tmp_path, paths)
    numpy.testing.assert_array_equal(numpy.asarray(out.dataobj), expected)
    same_geometry(out, nibabel.load(paths[0]))


def test_shear_is_kept(tmp_path):
    masks, expected = raters(7)
    images = [make(m, affine=oblique(shear=0.02), qform=0) for m in masks]
    paths = save(tmp_path, images, ".nii.gz")
    out = fused(tmp_path, paths)
    same_geometry(out, nibabel.load(paths[0]))
    numpy.testing.assert_array_equal(numpy.asarray(out.dataobj), expected)


@pytest.mark.parametrize("codes", ["LPS", "RAS", "AIR", "SPL"])
def test_reoriented_raters_are_laid_back(tmp_path, codes):
    masks, expected = raters(8)
    images = [make(m) for m in masks]
    turned = nibabel.orientations.axcodes2ornt(codes)
    for i in (1, 2):
        now = nibabel.io_orientation(images[i].affine)
        images[i] = images[i].as_reoriented(nibabel.orientations.ornt_transform(now, turned))
    paths = save(tmp_path, images, ".nii.gz")
    out = fused(tmp_path, paths)
    numpy.testing.assert_array_equal(numpy.asarray(out.dataobj), expected)
    same_geometry(out, nibabel.load(paths[0]))


def test_a_crop_is_padded(tmp_path):
    masks, _ = raters(9)
    box = (slice(2, 8), slice(1, 9), slice(3, 6))
    kept = numpy.zeros(SHAPE, "u1")
    kept[box] = masks[2][box]
    images = [make(masks[0]), make(masks[1]), make(masks[2]).slicer[box]]
    out = fused(tmp_path, save(tmp_path, images, ".nii.gz"))
    expected = (masks[0].astype(int) + masks[1] + kept >= 2).astype("u1")
    numpy.testing.assert_array_equal(numpy.asarray(out.dataobj), expected)


def test_scaled_values(tmp_path):
    masks, expected = raters(10)
    paths = save(tmp_path, [make(m) for m in masks], ".nii")
    for path in paths:
        data = bytearray(path.read_bytes())
        data[352:] = bytes(255 * v for v in data[352:])
        data[112:116] = numpy.float32(1 / 255).tobytes()
        path.write_bytes(data)
        numpy.testing.assert_allclose(nibabel.load(path).get_fdata().max(), 1)
    numpy.testing.assert_array_equal(numpy.asarray(fused(tmp_path, paths).dataobj), expected)


def test_damage_is_refused(tmp_path):
    masks, _ = raters(11)
    paths = save(tmp_path, [make(m) for m in masks], ".nii.gz")
    whole = paths[1].read_bytes()
    for size in (len(whole) // 2, len(whole) - 12, len(whole) - 8, len(whole) - 4, len(whole) - 1):
        paths[1].write_bytes(whole[:size])
        done = fuse(tmp_path, paths, tmp_path / "out.nii.gz")
        assert done.returncode == 3, (size, done.stderr)
        assert "rater1.nii.gz" in done.stderr
        assert not (tmp_path / "out.nii.gz").exists()


def test_flat_images(tmp_path):
    masks, expected = raters(12, (12, 10))
    images = [make(m[..., None] if i == 1 else m) for i, m in enumerate(masks)]
    out = fused(tmp_path, save(tmp_path, images, ".nii.gz"))
    numpy.testing.assert_array_equal(numpy.asarray(out.dataobj).reshape(12, 10), expected)


def test_levels_are_float32(tmp_path):
    masks, _ = raters(13)
    paths = save(tmp_path, [make(m) for m in masks], ".nii.gz")
    command = [CREMA, "fuse", *map(str, paths), "-o", str(tmp_path / "mean.nii.gz"), "--method", "average"]
    subprocess.run(command, check=True, capture_output=True)
    out = nibabel.load(tmp_path / "mean.nii.gz")
    assert out.get_data_dtype() == numpy.float32
    numpy.testing.assert_allclose(out.get_fdata(), sum(m / 3 for m in masks), atol=1e-6)


@pytest.mark.parametrize("ending", [".nii.gz", ".nii"])
def test_simpleitk_agrees(tmp_path, ending):
    sitk = pytest.importorskip("SimpleITK", reason="SimpleITK cannot be imported: second oracle left out")
    masks, expected = raters(14)
    images = []
    for mask in masks:
        image = sitk.GetImageFromArray(numpy.ascontiguousarray(mask.transpose()))
        image.SetSpacing((0.7, 0.8, 3.0))
        image.SetOrigin((-12.5, 40.25, 7.0))
        image.SetDirection((0, 1, 0, 1, 0, 0, 0, 0, -1))
        images.append(image)
    paths = [tmp_path / f"rater{i}{ending}" for i in range(3)]
    for image, path in zip(images, paths):
        sitk.WriteImage(image, str(path))
    fused(tmp_path, paths, "out" + ending)
    out = sitk.ReadImage(str(tmp_path / ("out" + ending)))
    numpy.testing.assert_array_equal(sitk.GetArrayFromImage(out).transpose(), expected)
    first = sitk.ReadImage(str(paths[0]))
    assert out.GetPixelID() == sitk.sitkUInt8
    assert out.GetSpacing() == first.GetSpacing()
    assert out.GetOrigin() == first.GetOrigin()
    assert out.GetDirection() == first.GetDirection()
