# SPDX-License-Identifier: Apache-2.0
"""An image of crema stands for its array, and keeps where it lies where that is known."""

from __future__ import annotations

import copy
import pickle
import subprocess

import numpy as np
import pytest

import crema

GEOMETRY = crema.Geometry((5, 4, 3), (0.5, 0.7, 3.0), (10.0, -20.0, 30.0), (-1.0, 0, 0, 0, 0, 1.0, 0, 1.0, 0))


@pytest.fixture
def image():
    return crema.Image(np.arange(60, dtype=np.uint8).reshape(3, 4, 5), GEOMETRY, ("said",))


def test_numpy_takes_it_for_its_array(image):
    array = image.array
    assert np.asarray(image) is array and np.shares_memory(np.asarray(image), array)
    assert np.array(image).tolist() == array.tolist() and not np.shares_memory(np.array(image), array)
    assert np.asarray(image, dtype=np.float32).dtype == np.float32
    assert np.array_equal(np.where(image, 1, 0), np.where(array, 1, 0))
    assert np.sum(image) == array.sum() and np.stack([image, image]).shape == (2, 3, 4, 5)
    assert image.__array__(copy=True) is not array
    if int(np.__version__.split(".")[0]) >= 2:
        assert np.asarray(image, copy=False) is array
        with pytest.raises(ValueError, match="without a copy"):
            np.asarray(image, dtype=np.float32, copy=False)


def test_it_has_what_arrays_have(image):
    assert (image.shape, image.dtype, image.ndim, image.size, len(image)) == ((3, 4, 5), np.uint8, 3, 60, 3)
    assert image.sum() == image.array.sum() and image.max(axis=0).shape == (4, 5)
    assert image.astype(np.int32).dtype == np.int32
    with pytest.raises(AttributeError, match="has no attribute spacing"):
        _ = image.spacing
    array, geometry = image
    assert array is image.array and geometry is GEOMETRY


def test_arithmetic_keeps_where_it_lies(image):
    for built, plain in [
        (image + 1, image.array + 1),
        (2 * image, 2 * image.array),
        (image > 30, image.array > 30),
        (image == image, np.ones((3, 4, 5), bool)),
        (-(image.array.astype(int) - image), image.array.astype(int) * 0),
        (np.sqrt(image), np.sqrt(image.array)),
        (~(image > 30) | (image < 5), ~(image.array > 30) | (image.array < 5)),
    ]:
        assert isinstance(built, crema.Image) and built.geometry == GEOMETRY and np.array_equal(built.array, plain)
    both = np.divmod(image, 7)
    assert all(isinstance(one, crema.Image) for one in both)
    assert type(np.add.reduce(image)) is np.ndarray and np.add.reduce(image).shape == (4, 5)
    out = np.empty((3, 4, 5))
    assert np.add(image, 1, out=out) is out and np.array_equal(out, image.array + 1)


def test_images_that_lie_elsewhere_do_not_mix(image):
    other = crema.Image(image.array, crema.Geometry((5, 4, 3)))
    with pytest.raises(ValueError, match="do not lie alike"):
        image + other


@pytest.mark.parametrize(
    "index",
    [
        np.s_[1:],
        np.s_[:, 1:3],
        np.s_[1:3, ::2, 1:5:3],
        np.s_[::-1],
        np.s_[:, ::-2, 4:1:-1],
        np.s_[:],
    ],
)
def test_a_box_of_voxels_lies_where_it_lay(image, index):
    part = image[index]
    assert isinstance(part, crema.Image) and np.array_equal(part.array, image.array[index])
    assert part.geometry.shape == part.shape
    places = np.stack(np.meshgrid(*(range(n) for n in image.shape), indexing="ij"), -1)[..., ::-1]
    world = places @ GEOMETRY.affine[:3, :3].T + GEOMETRY.affine[:3, 3]
    own = np.stack(np.meshgrid(*(range(n) for n in part.shape), indexing="ij"), -1)[..., ::-1]
    assert np.allclose(own @ part.geometry.affine[:3, :3].T + part.geometry.affine[:3, 3], world[index], atol=1e-12)


def test_other_indices_give_arrays(image):
    for index in (0, (1, 2), np.s_[1, :, :], image.array > 3, [0, 2], ..., np.s_[3:]):
        assert not isinstance(image[index], crema.Image)
        assert np.array_equal(image[index], image.array[index])
    assert np.array_equal(image[image > 3], image.array[image.array > 3])
    assert image[2, 3, 4] == 59
    image[image > 3] = 0
    assert image.array.max() == 3


def test_a_flat_image_can_be_cut_too():
    image = crema.Image(np.eye(4, dtype=np.uint8), crema.Geometry((4, 4, 1), (2.0, 3.0, 1.0)))
    part = image[1:, 2:]
    assert part.geometry == crema.Geometry((2, 3, 1), (2.0, 3.0, 1.0), (4.0, 3.0, 0.0))
    assert part.geometry.shape == part.shape


def test_a_part_of_a_file_is_fused_and_written_where_it_lies(masks, tmp_path):
    whole = []
    for k, mask in enumerate(masks):
        crema.write(
            tmp_path / f"{k}.nii.gz", mask, geometry=crema.Geometry((45, 41, 7), (0.9, 0.9, 3.0), (1.0, 2.0, 3.0))
        )
        whole.append(crema.read(tmp_path / f"{k}.nii.gz"))
    result = crema.fuse([image[1:6, 3:, :40] for image in whole])
    assert result.image.geometry.origin == pytest.approx((1.0, 2.0 + 3 * 0.9, 6.0), abs=1e-6)
    crema.write(tmp_path / "part.nii.gz", result.image)
    assert np.allclose(crema.read(tmp_path / "part.nii.gz").geometry.affine, result.image.geometry.affine)


def test_it_can_be_copied(image):
    for other in (pickle.loads(pickle.dumps(image)), copy.copy(image), copy.deepcopy(image)):
        assert np.array_equal(other.array, image.array) and other.geometry == image.geometry
        assert other.warnings == image.warnings


def test_votes_can_be_written_as_the_program_writes_them(request, masks, tmp_path):
    paths = [tmp_path / f"r{k}.nii.gz" for k in range(len(masks))]
    for path, mask in zip(paths, masks, strict=True):
        crema.write(path, mask, geometry=crema.Geometry((45, 41, 7), (0.9, 0.9, 3.0)))
    votes = crema.fuse(paths).votes()
    assert crema.write(tmp_path / "votes.nii.gz", votes) == []
    program = request.getfixturevalue("program_path")
    subprocess.run([program, "agreement", "-q", "--no-surfaces", *paths, "--maps", tmp_path / "maps"], check=True)
    assert (tmp_path / "maps" / "votes.nii.gz").read_bytes() == (tmp_path / "votes.nii.gz").read_bytes()


def test_counts_of_arrays_are_written_when_they_are_said_to_be(masks, tmp_path):
    import nibabel

    votes = crema.fuse(masks).votes()
    with pytest.raises(ValueError, match="counts=True"):
        crema.write(tmp_path / "votes.nii.gz", votes)
    crema.write(tmp_path / "votes.nii.gz", votes, counts=True)
    assert np.array_equal(nibabel.load(tmp_path / "votes.nii.gz").get_fdata().T, masks.sum(axis=0))
    with pytest.raises(ValueError, match="whole numbers"):
        crema.write(tmp_path / "x.nii.gz", votes * 0.5, counts=True)
    with pytest.raises(ValueError, match="whole numbers"):
        crema.write(tmp_path / "x.nii.gz", votes.astype(int) - 1, counts=True)
