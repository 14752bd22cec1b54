# SPDX-License-Identifier: Apache-2.0
"""Results and images can be pickled and copied, and then say the same."""

from __future__ import annotations

import copy
import multiprocessing
import pickle

import nibabel
import numpy as np
import pytest
import SimpleITK as sitk
from conftest import same

import crema

AFFINE = np.diag([0.9, 0.8, 3.0, 1.0])
COPIES = [lambda one: pickle.loads(pickle.dumps(one)), copy.copy, copy.deepcopy]
KINDS = {
    "arrays": lambda masks, _folder: list(masks),
    "bools": lambda masks, _folder: list(masks.astype(bool)),
    "fortran": lambda masks, _folder: [np.asfortranarray(mask.T) for mask in masks],
    "sitk": lambda masks, _folder: [sitk.GetImageFromArray(mask) for mask in masks],
    "nibabel": lambda masks, _folder: [nibabel.Nifti1Image(mask.T.copy(), AFFINE) for mask in masks],
    "images": lambda masks, _folder: [crema.Image(mask, crema.Geometry((45, 41, 7))) for mask in masks],
    "files": lambda masks, folder: [write(folder / f"{k}.nii.gz", mask) for k, mask in enumerate(masks)],
}


def write(path, mask):
    crema.write(path, mask)
    return path


def voxels(image):
    if isinstance(image, sitk.Image):
        return sitk.GetArrayFromImage(image)
    return np.asarray(image.dataobj if isinstance(image, nibabel.Nifti1Image) else image)


@pytest.mark.parametrize("copied", COPIES, ids=["pickle", "copy", "deepcopy"])
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("method", ["jaccard", "average"])
def test_a_copied_result_says_the_same(masks, tmp_path, copied, kind, method):
    result = crema.fuse(KINDS[kind](masks, tmp_path), method=method, tie="foreground")
    other = copied(result)
    assert type(other.image) is type(result.image) and same(voxels(other.image), voxels(result.image))
    assert same(voxels(other.hard()), voxels(result.hard())) and same(voxels(other.votes()), voxels(result.votes()))
    assert other.to_dict() == result.to_dict() and other.warnings == result.warnings
    assert same(other.subcrowns, result.subcrowns)
    assert (other.components, other.raters) == (result.components, result.raters)
    assert (repr(other), other._repr_html_()) == (repr(result), result._repr_html_())
    other.to_dict()["raters"].clear()
    assert len(copied(other).raters) == len(masks)


def test_a_copy_is_its_own(masks):
    result = crema.fuse(masks)
    other = copy.deepcopy(result)
    other.image[:] = 0
    other.warnings.append("changed")
    assert result.image.any() and "changed" not in result.warnings


def test_results_come_back_from_other_processes(masks):
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        result = pool.apply(crema.fuse, (masks,))
    assert same(result.image, crema.fuse(masks).image)


@pytest.mark.parametrize("copied", COPIES, ids=["pickle", "copy", "deepcopy"])
def test_a_copied_image_is_written_with_its_geometry(masks, tmp_path, copied):
    geometry = crema.Geometry((45, 41, 7), (0.5, 0.75, 2.0), (1.0, -2.0, 3.0))
    crema.write(tmp_path / "a.nii.gz", masks[0], geometry=geometry)
    image = copied(crema.read(tmp_path / "a.nii.gz"))
    assert same(image.array, masks[0]) and image.geometry == geometry
    crema.write(tmp_path / "b.nii.gz", image)
    assert crema.read(tmp_path / "b.nii.gz").geometry == geometry


def test_a_changed_geometry_is_the_one_that_is_written(masks, tmp_path):
    import dataclasses

    crema.write(tmp_path / "a.nii.gz", masks[0])
    array, geometry = crema.read(tmp_path / "a.nii.gz")
    crema.write(tmp_path / "b.nii.gz", array, geometry=dataclasses.replace(geometry, spacing=(2.0, 2.0, 5.0)))
    assert crema.read(tmp_path / "b.nii.gz").geometry.spacing == (2.0, 2.0, 5.0)


def test_certificates_are_copied_too(masks):
    certificate = crema.certify(masks[0], masks)
    for copied in COPIES:
        assert copied(certificate) == certificate and copied(certificate).to_dict() == certificate.to_dict()
