# SPDX-License-Identifier: Apache-2.0
"""Tensors on another device come back there, and MONAI's keep their affine.

There is no such device where this runs: a stand-in has one (tensors.py). Where torch and MONAI are installed, they are
asked too.
"""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from conftest import needs, same
from tensors import MetaTensor, Tensor

import crema

AFFINE = np.array([[0.0, -0.9, 0.0, 5.0], [0.8, 0.0, 0.0, -7.0], [0.0, 0.0, 3.0, 2.0], [0.0, 0.0, 0.0, 1.0]])


def meta(array, device="cpu", affine=AFFINE):
    return MetaTensor(Tensor(array, device), Tensor(affine), {"filename_or_obj": "a.nii.gz"})


@pytest.mark.parametrize("device", ["cpu", "cuda:1"])
def test_results_go_back_to_the_device(masks, packages, device):
    tensors = [Tensor(mask, device) for mask in masks]
    for given in (tensors, Tensor(masks, device)):
        result = crema.fuse(given)
        for built in (result.image, result.votes()):
            assert type(built) is Tensor and str(built.device) == device
        assert same(result.image.cpu().numpy(), crema.fuse(masks).image)


def test_what_is_on_the_host_is_not_copied(masks, packages):
    Tensor.copies = 0
    crema.fuse([Tensor(mask) for mask in masks]).image.numpy()
    assert Tensor.copies == 0


def test_regions_and_truths_may_live_elsewhere_too(masks, packages):
    inside = np.zeros_like(masks[0])
    inside[:, 5:30, 5:30] = 1
    result = crema.fuse([Tensor(mask, "cuda:0") for mask in masks], method="staple", roi=Tensor(inside, "cuda:0"))
    assert same(result.image.cpu().numpy(), crema.fuse(masks, method="staple", roi=inside).image)


def test_bool_and_levels(masks, packages):
    result = crema.fuse([Tensor(mask.astype(bool), "cuda:0") for mask in masks]).image
    assert result.dtype == bool and str(result.device) == "cuda:0"
    soft = crema.fuse([Tensor(mask, "cuda:0") for mask in masks], method="tanimoto").image
    assert soft.dtype == np.float32 and str(soft.device) == "cuda:0"


def test_results_on_a_device_can_be_pickled(masks, packages):
    result = crema.fuse([Tensor(mask, "cuda:0") for mask in masks])
    again = pickle.loads(pickle.dumps(result)).image
    assert str(again.device) == "cuda:0" and same(again.array, result.image.array)


def test_a_tensor_without_voxels_is_refused(masks, packages):
    with pytest.raises(ValueError, match=r"rater 1: is on torch's meta device and has no voxels"):
        crema.fuse([Tensor(mask, "meta") for mask in masks])


@pytest.mark.parametrize("device", ["cpu", "cuda:0"])
@pytest.mark.parametrize("channel", [False, True])
def test_meta_tensors_keep_their_affine(masks, packages, device, channel):
    axes = (None, ...) if channel else (...,)
    result = crema.fuse([meta(mask.T[axes], device) for mask in masks])
    image = result.image
    assert type(image) is MetaTensor and str(image.device) == device
    assert same(image.affine.numpy(), AFFINE)
    assert image.meta["filename_or_obj"] == "a.nii.gz"
    assert same(image.array, crema.fuse(masks).image.T[axes])
    assert image.array.flags.c_contiguous
    assert same(pickle.loads(pickle.dumps(result)).image.affine.numpy(), AFFINE)


def test_meta_tensors_in_a_plane(masks, packages):
    flat = np.eye(3)
    flat[:2, 2] = 4, 5
    for affine in (flat, AFFINE):
        image = crema.fuse([meta(mask[3], affine=affine) for mask in masks]).image
        assert same(image.array, crema.fuse([mask[3] for mask in masks]).image)


def test_a_stack_of_meta_tensors(masks, packages):
    image = crema.fuse(meta(masks.transpose(0, 3, 2, 1))).image
    assert type(image) is MetaTensor and same(image.affine.numpy(), AFFINE)
    assert same(image.array, crema.fuse(masks).image.T)


def test_meta_tensors_that_lie_elsewhere_are_told_apart(masks, packages):
    far = AFFINE.copy()
    far[0, 3] += 2000.25
    with pytest.raises(ValueError, match="rater 2"):
        crema.fuse([meta(masks[0].T), meta(masks[1].T, affine=far)])
    bad = AFFINE.copy()
    bad[1, 1] = np.nan
    with pytest.raises(ValueError, match=r"rater 2: its affine is not 4 × 4 finite numbers; correct"):
        crema.fuse([meta(masks[0].T), meta(masks[1].T, affine=bad)])


@needs("torch")
def test_real_tensors(masks):
    torch = pytest.importorskip("torch")
    devices = ["cpu", *(f"cuda:{k}" for k in range(torch.cuda.device_count()))]
    for device in devices:
        image = crema.fuse([torch.from_numpy(mask.copy()).to(device) for mask in masks]).image
        assert str(image.device) == device and same(image.cpu().numpy(), crema.fuse(masks).image)
    with pytest.raises(ValueError, match="meta device"):
        crema.fuse([torch.empty(4, 5, device="meta")] * 2)
    with pytest.raises(ValueError, match=r"rater 1: torch\.bfloat16 is not valid for a mask"):
        crema.fuse([torch.zeros(4, 5, dtype=torch.bfloat16)] * 2)
    requested = torch.from_numpy(masks[0].astype(np.float32)).requires_grad_()
    assert crema.fuse([requested, requested]).image.sum() == masks[0].sum()


@needs("torch", "monai")
@pytest.mark.parametrize("channel", [False, True])
def test_real_meta_tensors(masks, channel):
    torch, monai = pytest.importorskip("torch"), pytest.importorskip("monai.data")
    axes = (None, ...) if channel else (...,)
    tensors = [
        monai.MetaTensor(torch.from_numpy(np.ascontiguousarray(mask.T[axes])), affine=torch.from_numpy(AFFINE))
        for mask in masks
    ]
    for given in (tensors, None if channel else torch.stack(tensors)):
        if given is None:
            continue
        image = crema.fuse(given).image
        assert isinstance(image, monai.MetaTensor)
        assert same(image.affine.numpy(), AFFINE)
        assert same(image.as_tensor().numpy(), crema.fuse(masks).image.T[axes])
