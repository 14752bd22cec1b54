# SPDX-License-Identifier: Apache-2.0
"""What NumPy, tifffile and Pillow write, crema must read, and what crema writes they must, to the same voxels.

Run with the program's path in the environment: CREMA=…/crema python3 -m pytest test/files/array_oracle.py
The tests of a library that cannot be imported are skipped, by name.
"""

import json
import os
import subprocess

import nibabel
import numpy
import pytest

CREMA = os.environ.get("CREMA")
pytestmark = pytest.mark.skipif(not CREMA, reason="set CREMA to the path of the program")

DTYPES = ["?", "i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8", "f2", "f4", "f8"]
SHAPE = (5, 7, 11)  # z, y, x


def raters(seed, shape=SHAPE):
    random = numpy.random.default_rng(seed)
    masks = [(random.random(shape) < 0.5).astype("u1") for _ in range(3)]
    return masks, (sum(m.astype(int) for m in masks) >= 2).astype("u1")


def fuse(inputs, output, *options):
    command = [CREMA, "fuse", *map(str, inputs), "-o", str(output), *(options or ("--method", "majority"))]
    return subprocess.run(command, capture_output=True, text=True)


def fused(folder, inputs, *options):
    """The consensus as an array indexed [z][y][x]."""
    output = folder / "out.nii.gz"
    done = fuse(inputs, output, *(options or ("--method", "majority")))
    assert done.returncode == 0, done.stderr
    return numpy.asarray(nibabel.load(output).dataobj).transpose()


def save(folder, masks, write, ending):
    paths = [folder / f"rater{i}{ending}" for i in range(len(masks))]
    for path, mask in zip(paths, masks):
        write(path, mask)
    return paths


@pytest.mark.parametrize("shape", [SHAPE, SHAPE[1:]], ids=["3-D", "2-D"])
@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("endian", ["<", ">"])
@pytest.mark.parametrize("dtype", DTYPES)
def test_numpy_arrays(tmp_path, dtype, endian, order, shape):
    masks, expected = raters(DTYPES.index(dtype), shape)
    stored = [numpy.asarray(m.astype(numpy.dtype(endian + dtype)), order=order) for m in masks]
    paths = save(tmp_path, stored, numpy.save, ".npy")
    numpy.testing.assert_array_equal(fused(tmp_path, paths).reshape(shape), expected)


@pytest.mark.parametrize("version", [(1, 0), (2, 0), (3, 0)])
def test_versions(tmp_path, version):
    masks, expected = raters(20)

    def write(path, mask):
        with open(path, "wb") as file:
            numpy.lib.format.write_array(file, mask, version)

    numpy.testing.assert_array_equal(fused(tmp_path, save(tmp_path, masks, write, ".npy")), expected)


@pytest.mark.parametrize("writer", [numpy.savez, numpy.savez_compressed])
@pytest.mark.parametrize("dtype", ["?", "u1", "f8"])
def test_numpy_archives(tmp_path, writer, dtype):
    masks, expected = raters(21)
    paths = save(tmp_path, masks, lambda path, mask: writer(path, mask=mask.astype(dtype)), ".npz")
    numpy.testing.assert_array_equal(fused(tmp_path, paths), expected)


@pytest.mark.parametrize("dtype", ["f2", "f4"])
@pytest.mark.parametrize("order", ["C", "F"])
def test_probabilities_of_classes(tmp_path, dtype, order):
    random = numpy.random.default_rng(22)
    maps = [random.dirichlet([1, 1, 1], SHAPE).transpose(3, 0, 1, 2).astype(dtype) for _ in range(3)]
    stored = [numpy.asarray(m, order=order) for m in maps]
    paths = save(tmp_path, stored, lambda path, m: numpy.savez_compressed(path, probabilities=m), ".npz")
    expected = sum((m[2] > 0.25).astype(int) for m in maps) >= 2
    out = fused(tmp_path, paths, "--method", "majority", "--threshold", "0.25", "--label", "2")
    numpy.testing.assert_array_equal(out, expected)
    done = fuse(paths, tmp_path / "no.nii.gz", "--method", "majority", "--threshold", "0.25")
    assert done.returncode == 3 and "--label" in done.stderr, done.stderr


def test_two_classes_mean_the_second(tmp_path):
    random = numpy.random.default_rng(23)
    maps = [random.random(SHAPE).astype("f4") for _ in range(3)]
    stored = [numpy.stack([1 - m, m]) for m in maps]
    paths = save(tmp_path, stored, lambda path, m: numpy.savez(path, probabilities=m), ".npz")
    out = fused(tmp_path, paths, "--method", "majority", "--threshold", "0.5")
    numpy.testing.assert_array_equal(out, sum((m > 0.5).astype(int) for m in maps) >= 2)


def test_objects_are_refused(tmp_path):
    path = tmp_path / "objects.npy"
    numpy.save(path, numpy.array([[{}, 1], [2, 3]], dtype=object), allow_pickle=True)
    done = subprocess.run([CREMA, "check", str(path)], capture_output=True, text=True)
    assert done.returncode == 3 and "pickle" in done.stderr + done.stdout


@pytest.mark.parametrize("packing", [None, "zlib"])
@pytest.mark.parametrize(
    "options",
    [{}, {"bigtiff": True}, {"byteorder": ">"}, {"tile": (16, 16)}, {"rowsperstrip": 2}, {"photometric": "miniswhite"}],
    ids=["plain", "big", "swapped", "tiled", "strips", "inverted"],
)
@pytest.mark.parametrize("dtype", ["u1", "u2", "u4", "i2", "f4", "f8"])
def test_tifffile_stacks(tmp_path, dtype, options, packing):
    tifffile = pytest.importorskip("tifffile", reason="tifffile cannot be imported: left out")
    inverted = "photometric" in options
    if inverted and dtype not in ("u1", "u2"):
        pytest.skip("0 is white is read for unsigned samples")
    masks, expected = raters(24, (5, 40, 33))
    most = numpy.iinfo(dtype).max if inverted else 1
    stored = [((1 - m if inverted else m).astype("i8") * most).astype(dtype) for m in masks]

    def write(path, mask):
        tifffile.imwrite(path, mask, compression=packing, **{"photometric": "minisblack", **options})

    paths = save(tmp_path, stored, write, ".tif")
    numpy.testing.assert_array_equal(tifffile.imread(paths[0]), stored[0])
    numpy.testing.assert_array_equal(fused(tmp_path, paths), expected)


def test_imagej_stacks(tmp_path):
    tifffile = pytest.importorskip("tifffile", reason="tifffile cannot be imported: left out")
    masks, expected = raters(25)

    def write(path, mask):
        tifffile.imwrite(
            path,
            mask * 255,
            imagej=True,
            resolution=(1 / 0.5, 1 / 0.25),
            metadata={"axes": "ZYX", "unit": "mm", "spacing": 3.5},
        )

    paths = save(tmp_path, masks, write, ".tif")
    numpy.testing.assert_array_equal(fused(tmp_path, paths), expected)
    numpy.testing.assert_allclose(nibabel.load(tmp_path / "out.nii.gz").header.get_zooms(), (0.5, 0.25, 3.5))


@pytest.mark.parametrize(
    "packing", [None, "tiff_lzw", "tiff_deflate", "tiff_adobe_deflate", "packbits", "group3", "group4"]
)
@pytest.mark.parametrize("mode", ["1", "L", "P", "RGB", "I;16", "F"])
def test_pillow(tmp_path, mode, packing):
    image_module = pytest.importorskip("PIL.Image", reason="Pillow cannot be imported: left out")
    if packing and packing.startswith("group") and mode != "1":
        pytest.skip("fax is for one bit")
    masks, expected = raters(26, (37, 41))

    def write(path, mask):
        if mode == "I;16":
            image = image_module.fromarray(mask.astype("u2") * 65535)
        elif mode == "F":
            image = image_module.fromarray(mask.astype("f4"))
        else:
            image = image_module.fromarray(mask * 255).convert(mode)
        image.save(path, compression=packing)

    paths = save(tmp_path, masks, write, ".tif")
    numpy.testing.assert_array_equal(fused(tmp_path, paths).reshape(37, 41), expected)


@pytest.mark.parametrize("shape", [SHAPE, SHAPE[1:]], ids=["3-D", "2-D"])
def test_what_is_written(tmp_path, shape):
    tifffile = pytest.importorskip("tifffile", reason="tifffile cannot be imported: left out")
    masks, expected = raters(27, shape)
    affine = numpy.diag([0.7, 0.8, 3.0, 1])
    paths = save(
        tmp_path, masks, lambda path, m: nibabel.save(nibabel.Nifti1Image(m.transpose(), affine), path), ".nii.gz"
    )
    output = tmp_path / "out.tif"
    assert fuse(paths, output).returncode == 0
    numpy.testing.assert_array_equal(tifffile.imread(output).reshape(shape), expected * 255)
    with tifffile.TiffFile(output) as file:
        tags = file.pages[0].tags
        assert tags["ResolutionUnit"].value == 3
        numerator, denominator = tags["XResolution"].value
        assert abs(10 * denominator / numerator - 0.7) < 1e-6
        if len(shape) == 3:
            assert file.is_imagej and abs(file.imagej_metadata["spacing"] - 0.3) < 1e-9
    soft = tmp_path / "soft.tif"
    assert fuse(paths, soft, "--method", "average").returncode == 0
    levels = tifffile.imread(soft)
    assert levels.dtype == numpy.float32
    numpy.testing.assert_allclose(levels.reshape(shape), sum(m / 3 for m in masks), atol=1e-6)
    # And the same file again, through the program.
    again = tmp_path / "again.json"
    done = fuse([output, output], tmp_path / "again.tif", "--method", "majority", "--json", str(again))
    assert done.returncode == 0, done.stderr
    assert json.loads(again.read_text())["raters"][0]["voxels"] == int(expected.sum())


def test_pillow_reads_what_is_written(tmp_path):
    image_module = pytest.importorskip("PIL.Image", reason="Pillow cannot be imported: left out")
    masks, expected = raters(28)
    paths = save(tmp_path, masks, numpy.save, ".npy")
    output = tmp_path / "out.tiff"
    assert fuse(paths, output).returncode == 0
    image = image_module.open(output)
    assert image.n_frames == SHAPE[0]
    for z in range(SHAPE[0]):
        image.seek(z)
        numpy.testing.assert_array_equal(numpy.asarray(image), expected[z] * 255)


def test_arrays_are_not_written(tmp_path):
    masks, _ = raters(29)
    paths = save(tmp_path, masks, numpy.save, ".npy")
    done = fuse(paths, tmp_path / "out.npy")
    assert done.returncode == 2 and "not written" in done.stderr, done.stderr


# Tag 274 says where the first row and the first column of the stored image belong.
UPRIGHT = {
    1: lambda a: a,
    2: lambda a: a[:, ::-1],
    3: lambda a: a[::-1, ::-1],
    4: lambda a: a[::-1],
    5: lambda a: a.T,
    6: lambda a: a.T[:, ::-1],
    7: lambda a: a[::-1, ::-1].T,
    8: lambda a: a.T[::-1],
}


@pytest.mark.parametrize("ending", [".png", ".tif"])
@pytest.mark.parametrize("orientation", range(1, 9))
def test_orientations(tmp_path, orientation, ending):
    image_module = pytest.importorskip("PIL.Image", reason="Pillow cannot be imported: left out")
    operations = pytest.importorskip("PIL.ImageOps", reason="Pillow cannot be imported: left out")
    random = numpy.random.default_rng(30)
    path = tmp_path / ("a" + ending)
    image = image_module.fromarray((random.random((7, 11)) < 0.5).astype("u1") * 255)
    if ending == ".png":
        exif = image_module.Exif()
        exif[274] = orientation
        image.save(path, exif=exif.tobytes())
    else:
        image.save(path, tiffinfo={274: orientation})
    opened = image_module.open(path)
    opened.load()
    # Versions of Pillow differ in when they turn TIFF: there the definition of the tag is the oracle.
    stored = numpy.asarray(image)
    seen = numpy.asarray(operations.exif_transpose(opened)) if ending == ".png" else UPRIGHT[orientation](stored)
    assert seen.shape == ((7, 11) if orientation < 5 else (11, 7))
    numpy.testing.assert_array_equal(fused(tmp_path, [path]).reshape(seen.shape), seen != 0)


def test_two_orientations_of_one_mask_agree(tmp_path):
    image_module = pytest.importorskip("PIL.Image", reason="Pillow cannot be imported: left out")
    mask = (numpy.random.default_rng(31).random((7, 11)) < 0.5).astype("u1")
    image_module.fromarray(mask * 255).save(tmp_path / "a.tif")
    image_module.fromarray(numpy.rot90(mask).copy() * 255).save(tmp_path / "b.tif", tiffinfo={274: 6})
    out = fused(tmp_path, [tmp_path / "a.tif", tmp_path / "b.tif"])
    numpy.testing.assert_array_equal(out.reshape(mask.shape), mask)


@pytest.mark.parametrize("unit, millimetres", [("nm", 1e-6), ("µm", 1e-3), ("mm", 1), ("cm", 10), (None, 1e-3)])
def test_sizes_of_ome(tmp_path, unit, millimetres):
    tifffile = pytest.importorskip("tifffile", reason="tifffile cannot be imported: left out")
    masks, expected = raters(32)
    sizes = {"PhysicalSizeX": 0.5, "PhysicalSizeY": 0.25, "PhysicalSizeZ": 3.5}
    sizes |= {f"{name}Unit": unit for name in list(sizes) if unit}

    def write(path, mask):
        tifffile.imwrite(path, mask, ome=True, metadata={"axes": "ZYX", **sizes})

    paths = save(tmp_path, masks, write, ".ome.tif")
    numpy.testing.assert_array_equal(fused(tmp_path, paths), expected)
    zooms = nibabel.load(tmp_path / "out.nii.gz").header.get_zooms()
    numpy.testing.assert_allclose(zooms, numpy.array([0.5, 0.25, 3.5]) * millimetres, rtol=1e-6)


@pytest.mark.parametrize("background", [0, 1])
def test_coloured_palettes(tmp_path, background):
    image_module = pytest.importorskip("PIL.Image", reason="Pillow cannot be imported: left out")
    mask = (numpy.random.default_rng(33).random((7, 11)) < 0.5).astype("u1")
    image = image_module.fromarray(mask if background == 0 else 1 - mask)
    image.putpalette([0, 0, 0, 200, 30, 30] if background == 0 else [200, 30, 30, 0, 0, 0])
    image.save(tmp_path / "a.png")
    shown = numpy.asarray(image_module.open(tmp_path / "a.png").convert("RGB")).any(axis=2)
    numpy.testing.assert_array_equal(shown, mask != 0)
    numpy.testing.assert_array_equal(fused(tmp_path, [tmp_path / "a.png"]).reshape(mask.shape), mask)


def test_own_levels_come_back(tmp_path):
    masks, _ = raters(34, (9, 11))
    paths = save(tmp_path, masks + [1 - masks[0]], numpy.save, ".npy")
    soft, exact = tmp_path / "soft.png", tmp_path / "soft.nii.gz"
    for output in (soft, exact):
        assert fuse(paths, output, "--method", "average").returncode == 0
    levels = numpy.asarray(nibabel.load(exact).dataobj).transpose().reshape(9, 11)
    assert (levels == 0.5).any()
    for threshold in (0, 0.25, 0.5, 0.75):
        cut = fused(tmp_path, [soft], "--method", "majority", "--threshold", str(threshold), "--force")
        numpy.testing.assert_array_equal(cut.reshape(9, 11), levels > threshold)
