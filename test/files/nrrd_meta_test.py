# SPDX-License-Identifier: Apache-2.0
"""What SimpleITK and pynrrd write as NRRD and MetaImage, crema must read, and the other way round.

Run with the program's path in the environment: CREMA=…/crema python3 -m pytest test/files/nrrd_meta_test.py
Where an oracle cannot be imported its tests are skipped, by name.
"""

import os
import subprocess

import numpy
import pytest

CREMA = os.environ.get("CREMA")
pytestmark = pytest.mark.skipif(not CREMA, reason="set CREMA to the path of the program")

DTYPES = ["i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8", "f4", "f8"]
ENDINGS = [".nrrd", ".nhdr", ".mha", ".mhd"]
SHAPE = (7, 9, 11)  # slowest axis first, as in memory


def oracle(name):
    return pytest.importorskip(name, reason=f"{name} cannot be imported: this oracle is left out")


def oblique():
    """Turned about two axes, left-handed."""
    a, b = 0.3, -0.2
    about_z = numpy.array([[numpy.cos(a), -numpy.sin(a), 0], [numpy.sin(a), numpy.cos(a), 0], [0, 0, 1]])
    about_x = numpy.array([[1, 0, 0], [0, numpy.cos(b), -numpy.sin(b)], [0, numpy.sin(b), numpy.cos(b)]])
    return about_z @ about_x @ numpy.diag([-1, 1, 1])


def raters(seed, shape=SHAPE):
    random = numpy.random.default_rng(seed)
    masks = [(random.random(shape) < 0.5).astype("u1") for _ in range(3)]
    return masks, (sum(m.astype(int) for m in masks) >= 2).astype("u1")


def make(sitk, mask, dtype="u1"):
    image = sitk.GetImageFromArray(mask.astype(dtype))
    if mask.ndim == 3:
        image.SetSpacing((0.7, 0.8, 3.0))
        image.SetOrigin((90.25, -120.5, 33.125))
        image.SetDirection(oblique().ravel())
    else:
        image.SetSpacing((0.7, 0.8))
        image.SetOrigin((90.25, -120.5))
    return image


def fuse(folder, inputs, output, *options, method="majority"):
    command = [CREMA, "fuse", *map(str, inputs), "-o", str(output), "--method", method, *options]
    done = subprocess.run(command, capture_output=True, text=True, cwd=folder)
    assert done.returncode == 0, done.stderr
    return done


def save(sitk, folder, images, ending, packed):
    paths = [folder / f"rater{i}{ending}" for i in range(len(images))]
    for image, path in zip(images, paths):
        sitk.WriteImage(image, str(path), packed)
    return paths


def same_geometry(out, first, tolerance=0.0):
    assert out.GetSize() == first.GetSize()
    numpy.testing.assert_allclose(out.GetSpacing(), first.GetSpacing(), rtol=tolerance, atol=0)
    numpy.testing.assert_allclose(out.GetOrigin(), first.GetOrigin(), rtol=tolerance, atol=0)
    numpy.testing.assert_allclose(out.GetDirection(), first.GetDirection(), rtol=0, atol=tolerance)


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("ending", ENDINGS)
@pytest.mark.parametrize("dtype", DTYPES)
def test_every_type_of_simpleitk(tmp_path, dtype, ending, packed):
    sitk = oracle("SimpleITK")
    masks, expected = raters(DTYPES.index(dtype))
    paths = save(sitk, tmp_path, [make(sitk, m, dtype) for m in masks], ending, packed)
    fuse(tmp_path, paths, tmp_path / ("out" + ending))
    out = sitk.ReadImage(str(tmp_path / ("out" + ending)))
    assert out.GetPixelID() == sitk.sitkUInt8
    numpy.testing.assert_array_equal(sitk.GetArrayFromImage(out), expected)
    same_geometry(out, sitk.ReadImage(str(paths[0])))


@pytest.mark.parametrize("ending", ENDINGS)
def test_flat_images(tmp_path, ending):
    sitk = oracle("SimpleITK")
    masks, expected = raters(20, (9, 11))
    paths = save(sitk, tmp_path, [make(sitk, m) for m in masks], ending, True)
    fuse(tmp_path, paths, tmp_path / ("out" + ending))
    out = sitk.ReadImage(str(tmp_path / ("out" + ending)))
    numpy.testing.assert_array_equal(sitk.GetArrayFromImage(out), expected)
    same_geometry(out, sitk.ReadImage(str(paths[0])))


@pytest.mark.parametrize("to", [*ENDINGS, ".nii.gz", ".seg.nrrd"])
@pytest.mark.parametrize("ending", [".nrrd", ".mha", ".nii.gz"])
def test_one_format_becomes_another(tmp_path, ending, to):
    sitk = oracle("SimpleITK")
    masks, expected = raters(21)
    paths = save(sitk, tmp_path, [make(sitk, m) for m in masks], ending, True)
    fuse(tmp_path, paths, tmp_path / ("out" + to))
    out = sitk.ReadImage(str(tmp_path / ("out" + to)))
    numpy.testing.assert_array_equal(sitk.GetArrayFromImage(out), expected)
    same_geometry(out, sitk.ReadImage(str(paths[0])), 1e-5 if ".nii.gz" in (ending, to) else 1e-14)


def test_formats_lie_on_one_grid(tmp_path):
    """The same image in four formats is taken as the same place, silently."""
    sitk = oracle("SimpleITK")
    masks, expected = raters(22)
    endings = [".nrrd", ".mha", ".nii.gz"]
    paths = [save(sitk, tmp_path, [make(sitk, m)], f"{i}{e}", True)[0] for i, (m, e) in enumerate(zip(masks, endings))]
    done = fuse(tmp_path, paths, tmp_path / "out.nrrd")
    assert "reoriented" not in done.stderr and "voxels off" not in done.stderr, done.stderr
    out = sitk.ReadImage(str(tmp_path / "out.nrrd"))
    numpy.testing.assert_array_equal(sitk.GetArrayFromImage(out), expected)


@pytest.mark.parametrize("ending", [".nrrd", ".mha"])
@pytest.mark.parametrize("order", ["RAS", "LPI", "AIR", "SPL", "PSR"])
def test_reoriented_raters_are_laid_back(tmp_path, order, ending):
    sitk = oracle("SimpleITK")
    masks, expected = raters(23)
    images = [make(sitk, m) for m in masks]
    images[1:] = [sitk.DICOMOrient(image, order) for image in images[1:]]
    paths = save(sitk, tmp_path, images, ending, True)
    fuse(tmp_path, paths, tmp_path / ("out" + ending))
    out = sitk.ReadImage(str(tmp_path / ("out" + ending)))
    numpy.testing.assert_array_equal(sitk.GetArrayFromImage(out), expected)


@pytest.mark.parametrize("ending", [".nrrd", ".nhdr", ".mha", ".mhd"])
def test_levels_are_float32(tmp_path, ending):
    sitk = oracle("SimpleITK")
    masks, _ = raters(24)
    paths = save(sitk, tmp_path, [make(sitk, m) for m in masks], ending, True)
    fuse(tmp_path, paths, tmp_path / ("mean" + ending), method="average")
    out = sitk.ReadImage(str(tmp_path / ("mean" + ending)))
    assert out.GetPixelID() == sitk.sitkFloat32
    numpy.testing.assert_allclose(sitk.GetArrayFromImage(out), sum(m / 3 for m in masks), atol=1e-6)


@pytest.mark.parametrize("encoding", ["raw", "gzip", "ascii"])
@pytest.mark.parametrize("order", ["<", ">"])
@pytest.mark.parametrize("dtype", DTYPES)
def test_every_type_of_pynrrd(tmp_path, dtype, order, encoding):
    nrrd = oracle("nrrd")
    masks, expected = raters(25)
    sheared = numpy.array([[0.7, 0.1, 0], [0.02, 0.8, 0], [0, 0.3, 3.0]])
    header = {
        "space": "left-posterior-superior",
        "space directions": sheared,
        "space origin": [1.5, -2.25, 3],
        "encoding": encoding,
        "endian": "little" if order == "<" else "big",
    }
    paths = [tmp_path / f"rater{i}.nrrd" for i in range(3)]
    for mask, path in zip(masks, paths):
        nrrd.write(str(path), mask.transpose().astype(order + dtype), header)
    fuse(tmp_path, paths, tmp_path / "out.nrrd")
    data, back = nrrd.read(str(tmp_path / "out.nrrd"))
    assert data.dtype == numpy.uint8
    numpy.testing.assert_array_equal(data.transpose(), expected)
    numpy.testing.assert_array_equal(back["space directions"], sheared)
    numpy.testing.assert_array_equal(back["space origin"], [1.5, -2.25, 3])
    assert back["space"] == "left-posterior-superior"


def test_detached_files_of_pynrrd(tmp_path):
    nrrd = oracle("nrrd")
    masks, expected = raters(26)
    paths = [tmp_path / f"rater{i}.nhdr" for i in range(3)]
    for mask, path in zip(masks, paths):
        nrrd.write(str(path), mask.transpose(), {"encoding": "gzip"}, detached_header=True)
    fuse(tmp_path, paths, tmp_path / "out.nhdr")
    data, _ = nrrd.read(str(tmp_path / "out.nhdr"))
    numpy.testing.assert_array_equal(data.transpose(), expected)


def write_segmentation(nrrd, path, masks, names):
    """Layers as Slicer writes them, cropped to a part of the image they were drawn on."""
    stored = numpy.stack([m.transpose() for m in masks])
    header = {
        "space": "left-posterior-superior",
        "encoding": "gzip",
        "kinds": ["list", "domain", "domain", "domain"],
        "space directions": numpy.vstack([[numpy.nan] * 3, numpy.diag([1.0, 1.0, 2.0])]),
        "space origin": [-10.0, -20.0, 30.0],
        "Segmentation_ConversionParameters": "Reference image geometry|"
        "-1;0;0;12;0;-1;0;23;0;0;2;26;0;0;0;1;0;19;0;17;0;11;|x&",
        "Segmentation_ReferenceImageExtentOffset": "2 3 2",
    }
    for i, name in enumerate(names):
        header |= {
            f"Segment{i}_ID": f"s{i}",
            f"Segment{i}_Name": name,
            f"Segment{i}_LabelValue": "1",
            f"Segment{i}_Layer": str(i),
        }
    nrrd.write(str(path), stored, header)


def test_segments_are_raters(tmp_path):
    nrrd = oracle("nrrd")
    masks, expected = raters(27)
    write_segmentation(nrrd, tmp_path / "study.seg.nrrd", masks, ["Ann", "Bo", "Cy"])
    done = fuse(
        tmp_path, ["study.seg.nrrd"], tmp_path / "out.seg.nrrd", "--json", "record.json", "--segments-are", "raters"
    )
    assert "study.seg.nrrd#Ann" in done.stderr and "study.seg.nrrd#Cy" in done.stderr
    assert '"study.seg.nrrd#Bo"' in (tmp_path / "record.json").read_text()
    data, header = nrrd.read(str(tmp_path / "out.seg.nrrd"))
    whole = numpy.zeros((12, 18, 20), "u1")
    whole[2:9, 3:12, 2:13] = expected
    numpy.testing.assert_array_equal(data.transpose(), whole)
    assert header["Segment0_Name"] == "out"
    numpy.testing.assert_allclose(header["space origin"], [-12, -23, 26])
    assert [int(v) for v in header["Segment0_Extent"].split()] == [2, 12, 3, 11, 2, 8]


def test_segments_of_several_files(tmp_path):
    nrrd = oracle("nrrd")
    masks, expected = raters(28)
    write_segmentation(nrrd, tmp_path / "a.seg.nrrd", masks[:2], ["Ann", "Bo"])
    write_segmentation(nrrd, tmp_path / "b.seg.nrrd", masks[2:], ["Cy"])
    options = ["--weights", "1,1,1", "--segments-are", "raters"]
    fuse(tmp_path, ["a.seg.nrrd", "b.seg.nrrd"], tmp_path / "out.nrrd", *options)
    data, _ = nrrd.read(str(tmp_path / "out.nrrd"))
    numpy.testing.assert_array_equal(data.transpose()[2:9, 3:12, 2:13], expected)
    done = subprocess.run([CREMA, "check", "a.seg.nrrd", *options[2:]], capture_output=True, text=True, cwd=tmp_path)
    assert done.returncode == 0 and "a.seg.nrrd#Ann" in done.stdout and "a.seg.nrrd#Bo" in done.stdout


def test_levels_do_not_become_a_segment(tmp_path):
    nrrd = oracle("nrrd")
    masks, _ = raters(29)
    write_segmentation(nrrd, tmp_path / "a.seg.nrrd", masks, ["Ann", "Bo", "Cy"])
    command = [CREMA, "fuse", "a.seg.nrrd", "--segments-are", "raters", "--method", "average", "-o"]
    done = subprocess.run([*command, "out.seg.nrrd"], capture_output=True, text=True, cwd=tmp_path)
    assert done.returncode == 2 and "--threshold-output" in done.stderr
    subprocess.run(
        [*command, "out.seg.nrrd", "--threshold-output", "0.5"], check=True, capture_output=True, cwd=tmp_path
    )
    subprocess.run([*command[:6], "average,majority", "-o", "out"], check=True, capture_output=True, cwd=tmp_path)
    assert sorted(p.name for p in (tmp_path / "out").iterdir()) == ["average.nrrd", "majority.seg.nrrd", "record.json"]
