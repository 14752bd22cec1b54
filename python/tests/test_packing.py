# SPDX-License-Identifier: Apache-2.0
"""Tensors on another device are cropped and packed there: the same results from few copied bytes.

The device is a stand-in that counts them; where torch is installed, its own tensors are packed, too.
"""

from __future__ import annotations

import numpy as np
import pytest
from conftest import needs, same
from crema._tensors import packing as _packing
from tensors import MetaTensor, Tensor

import crema

SHAPE = (20, 60, 70)
BOX = (slice(5, 9), slice(20, 33), slice(30, 45))
VOLUME = 4 * 13 * 15


@pytest.fixture
def small():
    """Five raters of one object that fills a small part of the image, whose corners are marked."""
    rng = np.random.default_rng(1)
    masks = np.zeros((5, *SHAPE), np.uint8)
    masks[(slice(None), *BOX)] = rng.random((5, 4, 13, 15)) < 0.7
    masks[:, 5, 20, 30] = masks[:, 8, 32, 44] = 1
    return masks


def softmax(raters=3, classes=3):
    """Levels (C, z, y, x) of two objects near one corner, one array per network; far away nearly all is background."""
    rng = np.random.default_rng(2)
    z, y, x = np.indices(SHAPE)
    nets = []
    for _ in range(raters):
        scores = [np.zeros(SHAPE)]
        for c in range(1, classes):
            far = np.sqrt((z - 6) ** 2 + (y - 20 - 6 * c - rng.normal()) ** 2 + (x - 30) ** 2)
            scores.append((5 - far) / rng.uniform(0.5, 1))
        shares = np.exp(np.stack(scores))
        nets.append((shares / shares.sum(axis=0)).astype(np.float32))
    return nets


def fetched(call):
    """What a call gives, and how many bytes came to the host for it."""
    Tensor.fetched = 0
    result = call()
    return result, Tensor.fetched


@pytest.mark.parametrize("dtype", [bool, np.uint8, np.int64, np.float32, np.float16])
@pytest.mark.parametrize("method", ["jaccard", "staple", "tanimoto"])
def test_masks_of_five_raters_are_a_byte_per_voxel_of_their_box(small, packages, dtype, method):
    given = small.astype(dtype)
    plain = crema.fuse(list(given), method=method)
    result, copied = fetched(lambda: crema.fuse([Tensor(mask, "cuda:0") for mask in given], method=method))
    assert VOLUME <= copied < VOLUME + 5 * sum(SHAPE) + 20
    assert result.image.device.name == "cuda:0" and same(result.image.array, plain.image)
    assert result.lmsd == plain.lmsd and result.warnings == plain.warnings


def test_more_than_eight_raters_take_a_byte_more(packages, small):
    many = [*small, *small[:4]]
    result, copied = fetched(lambda: crema.fuse([Tensor(mask, "cuda:0") for mask in many]))
    assert 2 * VOLUME <= copied < 2 * VOLUME + 9 * sum(SHAPE) + 20
    assert same(result.image.array, crema.fuse(many).image)


def test_labels_are_bytes(small, packages):
    maps = (small.astype(np.int64) * (1 + (np.arange(SHAPE[2]) > 37))).astype(np.int64)
    result, copied = fetched(lambda: crema.fuse([Tensor(labels, "cuda:0") for labels in maps], labels="all"))
    assert copied < 5 * (VOLUME + sum(SHAPE) + 4)
    assert same(result.image.array, crema.fuse(list(maps), labels="all").image)


def test_one_hot_arrays_are_packed_and_come_back(small, packages):
    hot = [np.stack([1 - mask, mask]) for mask in small]
    result, copied = fetched(lambda: crema.fuse([Tensor(one, "cuda:0") for one in hot], channels=0))
    assert copied < 2.1 * np.prod(SHAPE)  # five raters, two channels, a byte for all raters
    assert result.image.device.name == "cuda:0" and same(result.image.array, crema.fuse(hot, channels=0).image)


@pytest.mark.parametrize("method", ["jaccard", "soergel", "tanimoto", "average", "logit-average", "robust"])
def test_levels_are_cropped_to_what_reaches_the_floor(packages, method):
    maps = [net[1] for net in softmax()]
    plain = crema.fuse(maps, method=method, probabilities=True)
    tensors = [Tensor(levels, "cuda:0") for levels in maps]
    result, copied = fetched(lambda: crema.fuse(tensors, method=method, probabilities=True))
    assert copied < 0.15 * sum(levels.nbytes for levels in maps)
    assert result.image.device.name == "cuda:0" and same(result.image.array, plain.image)
    assert result.lmsd == plain.lmsd and result.to_dict()["support_voxels"] == plain.to_dict()["support_voxels"]


@pytest.mark.parametrize("axis", [0, -1])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_classes_are_cropped_and_come_back(packages, axis, dtype):
    given = [np.ascontiguousarray(np.moveaxis(net, 0, axis)).astype(dtype) for net in softmax()]
    keywords = dict(method="tanimoto", probabilities=True, channels=axis)
    plain = crema.fuse(given, **keywords)
    result, copied = fetched(lambda: crema.fuse([Tensor(one, "cuda:1") for one in given], **keywords))
    assert copied < 0.15 * sum(one.astype(np.float32).nbytes for one in given)
    assert result.image.device.name == "cuda:1" and same(result.image.array, plain.image)
    assert all(same(result.levels[label].array, plain.levels[label]) for label in (1, 2))
    assert result.warnings == plain.warnings == []


def test_what_has_to_be_seen_whole_is_copied_whole(packages):
    """Sums that are not 1, values outside 0 to 1, NaN and logits are reported as they are on the host."""
    nets = softmax()
    off = [net.copy() for net in nets]
    off[1][0, 0, 0, 0] = 0.9  # far from all objects
    keywords = dict(method="average", probabilities=True, channels=0)
    result = crema.fuse([Tensor(net, "cuda:0") for net in off], **keywords)
    assert result.warnings == crema.fuse(off, **keywords).warnings and "0.9" in result.warnings[0]
    for bad in (np.nan, 1.5, -0.25):
        broken = [nets[0][1], nets[1][1].copy()]
        broken[1][-1, -1, -1] = bad
        with pytest.raises(ValueError, match="rater 2: ") as host:
            crema.fuse(broken, probabilities=True)
        with pytest.raises(ValueError, match="rater 2: ") as device:
            crema.fuse([Tensor(levels, "cuda:0") for levels in broken], probabilities=True)
        assert str(host.value) == str(device.value)
    logits = [10 * net - 5 for net in nets]
    same_here = crema.fuse(logits, **keywords, logits="softmax")
    assert same(
        crema.fuse([Tensor(one, "cuda:0") for one in logits], **keywords, logits="softmax").image.array, same_here.image
    )


def test_an_image_of_classes_is_recognised_there_too(packages):
    """Its last class is nowhere, so that a box around the levels would leave it out."""
    net = softmax(1)[0][:, 6]
    net = np.concatenate([net, np.zeros_like(net[:1])])
    for given in ([net, net], [Tensor(net, "cuda:0")] * 2):
        with pytest.raises(ValueError, match=r"probabilities of 4 classes along axis 0.*channels=0"):
            crema.fuse(given, probabilities=True)


def test_empty_and_odd_masks_are_told_alike(small, packages):
    empty = [small[0], np.zeros_like(small[0])]
    result = crema.fuse([Tensor(mask, "cuda:0") for mask in empty])
    assert result.warnings == crema.fuse(empty).warnings
    for odd in (small[1] * 255, small[1] * 0.5, np.where(small[1] > 0, -3, 0)):
        outcomes = []
        for given in ([small[0], odd], [Tensor(small[0], "cuda:0"), Tensor(odd, "cuda:0")]):
            try:
                outcomes.append(crema.fuse(given).warnings)
            except ValueError as error:
                outcomes.append(str(error))
        assert outcomes[0] == outcomes[1] and outcomes[0]


def test_meta_tensors_are_packed_and_keep_their_place(small, packages):
    affine = np.diag([0.5, 0.5, 2.0, 1.0])
    tensors = [
        MetaTensor(Tensor(np.ascontiguousarray(mask.T)[None], "cuda:0"), Tensor(affine), {"a": 1}) for mask in small
    ]
    result, copied = fetched(lambda: crema.fuse(tensors))
    assert copied < 1.5 * VOLUME + 5 * (sum(SHAPE) + 2 * affine.nbytes)
    assert type(result.image) is MetaTensor and same(result.image.affine.numpy(), affine)
    assert same(result.image.array[0], crema.fuse(list(small)).image.T)


@pytest.mark.parametrize("device", ["cpu", "cuda:0"])
@pytest.mark.parametrize("regions", [None, {"whole": [1]}, {"whole": [1, 2], "core": [2]}])
def test_classes_of_meta_tensors_keep_their_place(packages, device, regions):
    affine = np.diag([0.5, 0.5, 2.0, 1.0])
    nets = [net if regions is None else net[1 : 1 + len(regions)] for net in softmax()]
    turned = [np.ascontiguousarray(net.transpose(0, 3, 2, 1)) for net in nets]
    keywords = dict(method="average", probabilities=True, channels=0, regions=regions)
    image = crema.fuse([MetaTensor(Tensor(net, device), Tensor(affine)) for net in turned], **keywords).image
    assert type(image) is MetaTensor and image.device.name == device and same(image.affine.numpy(), affine)
    assert same(image.array, np.ascontiguousarray(crema.fuse(nets, **keywords).image.T)) and image.array.any()


def check_packing(make):
    """The functions themselves, on any tensors."""
    rng = np.random.default_rng(3)
    for count in (1, 5, 8, 9):
        for dtype in (bool, np.uint8, np.int16, np.int64, np.float16, np.float32, np.float64):
            masks = np.zeros((count, 6, 9, 11), dtype)
            masks[:, 1:4, 3:8, 2:9] = rng.random((count, 3, 5, 7)) < 0.5
            arrays = _packing.bring_masks([make(mask) for mask in masks])
            assert all((array == mask).all() for array, mask in zip(arrays, masks, strict=True))
            assert {array.dtype for array in arrays} == {np.dtype(bool if dtype is bool else np.uint8)}
    turned = masks[0].transpose(2, 1, 0)
    array = _packing.bring_masks([make(masks[0]).permute(2, 1, 0)])[0]
    assert array.flags.f_contiguous and (array == turned).all()
    net = softmax(1)[0]
    array = _packing.bring_levels([make(net)], 0.05, 0)[0]
    assert (np.where(array < 0.05, 0, array) == np.where(net < 0.05, 0, net))[1:].all()
    assert np.abs(array.sum(axis=0) - 1).max() < 1e-3
    assert _packing.bring_levels([make(2 * net)], 0.05, 0) == [None]


def test_packing_and_unpacking():
    check_packing(Tensor)


@needs("torch")
def test_packing_real_tensors():
    torch = pytest.importorskip("torch")
    check_packing(lambda array: torch.from_numpy(np.ascontiguousarray(array)))
