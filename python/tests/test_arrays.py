# SPDX-License-Identifier: Apache-2.0
"""Any array that holds a mask gives the same consensus, in the caller's own shape, order and type."""

from __future__ import annotations

import numpy as np
import pytest
from conftest import FOR_MAPS, same
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import crema

DTYPES = ["?", "u1", "i1", "u2", ">u2", "i4", "<i8", "u8", "f2", "f4", ">f4", "f8"]
HARD = [method.name for method in crema.methods() if method.kind == "hard" and method.name not in FOR_MAPS]
SOFT = [method.name for method in crema.methods() if method.kind == "soft" and method.name not in FOR_MAPS]


def majority(stack):
    return (2 * stack.astype(int).sum(axis=0) > len(stack)).astype(np.uint8)


@pytest.mark.parametrize("dtype", DTYPES)
def test_every_type_of_number_gives_the_same_voxels(masks, dtype):
    expected = crema.fuse(masks).image
    found = crema.fuse(list(masks.astype(dtype))).image
    assert found.dtype == (np.bool_ if dtype == "?" else np.uint8)
    assert same(found.astype(np.uint8), expected)


@pytest.mark.parametrize("method", HARD)
def test_hard_results_are_uint8_zeros_and_ones(masks, method):
    image = crema.fuse(masks, method=method).image
    assert image.dtype == np.uint8 and image.shape == masks.shape[1:] and set(np.unique(image)) <= {0, 1}


@pytest.mark.parametrize("method", SOFT)
def test_soft_results_are_float32_levels(masks, method):
    image = crema.fuse(masks, method=method).image
    assert image.dtype == np.float32 and image.shape == masks.shape[1:] and image.min() >= 0 and image.max() <= 1


def test_fortran_order_is_kept_and_means_the_axes_the_other_way_round(masks):
    turned = [np.asfortranarray(mask.T) for mask in masks]
    for method in ("jaccard", "tanimoto", "staple"):
        result = crema.fuse(turned, method=method).image
        assert result.flags.f_contiguous and same(result, crema.fuse(masks, method=method).image.T)


def test_a_mixture_of_orders_follows_the_first(masks):
    mixed = [masks[0], *(np.asfortranarray(mask) for mask in masks[1:])]
    result = crema.fuse(mixed).image
    assert result.flags.c_contiguous and same(result, crema.fuse(masks).image)


@pytest.mark.parametrize("take", [np.s_[::2], np.s_[:, ::-1], np.s_[:, 3:20, 5:30], np.s_[..., ::3]])
def test_strides_are_followed(masks, take):
    views = [mask[take] for mask in masks]
    assert not any(view.flags.c_contiguous and view.flags.f_contiguous for view in views)
    assert same(crema.fuse(views).image, crema.fuse([view.copy() for view in views]).image)


def test_exchanged_axes_are_kept_as_given(masks):
    views = [mask.transpose(1, 0, 2) for mask in masks]
    assert same(crema.fuse(views).image, crema.fuse(masks).image.transpose(1, 0, 2))


def test_a_stack_a_list_a_tuple_a_dict_and_a_generator_are_the_same(masks):
    expected = crema.fuse(masks).image
    for given_as in (list(masks), tuple(masks), dict(enumerate(masks)), (mask for mask in masks)):
        assert same(crema.fuse(given_as).image, expected)


def test_two_dimensions(masks):
    result = crema.fuse(masks[:, 3])
    assert result.image.shape == masks.shape[2:] and result.to_dict()["connectivity"] == 8
    assert same(result.image, crema.fuse(masks[:, 3:4]).image[0])


def test_nothing_is_written_into_the_masks(masks):
    assert not masks.flags.writeable
    before = masks.copy()
    crema.fuse(masks, method="all")
    assert same(masks, before)


def test_masks_may_be_changed_after_the_call(masks):
    own = masks.copy()
    result = crema.fuse(own)
    own[:] = 1
    assert same(result.image, crema.fuse(masks).image) and result.votes().max() <= len(masks)
    assert same(result.votes(), masks.sum(axis=0, dtype=np.uint8))


def test_empty_masks_give_an_empty_consensus():
    for method in [*HARD, *SOFT]:
        result = crema.fuse(np.zeros((3, 4, 5, 6), np.uint8), method=method)
        assert not result.image.any() and result.lmsd == 0 and result.components == []
    assert result.warnings[0] == "rater 1: the mask is empty."


def test_one_other_value_than_one_is_inside_and_warned_of(masks):
    result = crema.fuse([masks[0], masks[1] * 255, masks[2] * 7])
    assert same(result.image, crema.fuse(masks[:3]).image)
    assert result.warnings[:2] == [
        "rater 2: holds 0 and 255; 255 counts as inside.",
        "rater 3: holds 0 and 7; 7 counts as inside.",
    ]


def test_floats_near_a_mask_are_rounded_and_warned_of(masks):
    result = crema.fuse([masks[0], masks[1].astype(np.float32) * 0.9999])
    assert same(result.image, crema.fuse(masks[:2]).image)
    assert any("rounded to 0 and 1" in warning for warning in result.warnings)


def test_threshold_and_label_choose_what_is_inside(masks):
    expected = crema.fuse(masks).image
    chances = [mask * np.float32(0.4) + np.float32(0.3) for mask in masks]
    assert same(crema.fuse(chances, threshold=0.5).image, expected)
    labels = masks * 3 + (1 - masks)
    assert same(crema.fuse(labels, label=3).image, expected)
    assert same(crema.fuse(labels, threshold=1).image, expected)


def test_slices_by_axis_by_letter_and_by_spacing(masks):
    across = {0: "z", 1: "y", 2: "x"}
    for axis, letter in across.items():
        expected = crema.fuse(masks, slice_wise=letter)
        for value in (axis, axis - 3):
            assert same(crema.fuse(masks, slice_wise=value).image, expected.image)
        assert expected.to_dict()["slice_wise"] == letter
        turned = crema.fuse([np.asfortranarray(mask) for mask in masks], slice_wise=axis)
        assert same(turned.image, expected.image)
        spacing = [1.0, 1.0, 1.0]
        spacing[axis] = 3
        assert same(crema.fuse(masks, slice_wise=True, spacing=spacing).image, expected.image)
        assert same(crema.fuse(masks, slice_wise=np.bool_(True), spacing=spacing).image, expected.image)
    assert same(crema.fuse(masks, slice_wise=False).image, crema.fuse(masks).image)


def test_spacing_is_told_in_the_order_of_the_axes(masks):
    record = crema.fuse(masks, spacing=(3, 2, 0.5)).to_dict()
    assert record["grid"]["spacing"] == [0.5, 2, 3] and record["volume_mm3"] == 3 * record["voxels"]


stacks = hnp.array_shapes(min_dims=3, max_dims=4, min_side=1, max_side=6).flatmap(
    lambda shape: hnp.arrays(np.bool_, shape)
)


@given(stack=stacks, dtype=st.sampled_from(DTYPES), order=st.sampled_from("CFA"), step=st.sampled_from([1, -1, 2]))
def test_majority_is_the_majority_whatever_the_memory_looks_like(stack, dtype, order, step):
    raters = []
    for mask in stack.astype(dtype):
        room = np.zeros((*mask.shape[:-1], mask.shape[-1] * 2), dtype, order="F" if order == "F" else "C")
        view = room[..., : mask.shape[-1]] if step == 1 else room[..., ::step][..., : mask.shape[-1]]
        view[...] = mask
        raters.append(view if order != "A" else mask)
    result = crema.fuse(raters, method="majority")
    assert same(result.image.astype(np.uint8), majority(stack))
    average = crema.fuse(raters, method="average").image
    np.testing.assert_array_equal(average, (stack.sum(axis=0) / len(stack)).astype(np.float32))


@given(stack=stacks, seed=st.integers(0, 99), method=st.sampled_from(["jaccard", "dice", "soergel", "tanimoto"]))
def test_the_order_of_raters_and_mirrored_axes_do_not_matter(stack, seed, method):
    """Two subcrowns that give exactly the same criterion may change places: the result is as good then."""
    expected = crema.fuse(list(stack), method=method)
    shuffled = crema.fuse(list(np.random.default_rng(seed).permutation(stack)), method=method)
    assert shuffled.lmsd == pytest.approx(expected.lmsd, abs=1e-12)
    if method in ("soergel", "tanimoto"):
        np.testing.assert_allclose(shuffled.image, expected.image, atol=2e-6)
    mirrored = crema.fuse(list(stack[:, ::-1]), method=method)
    np.testing.assert_allclose(mirrored.image, expected.image[::-1], atol=2e-6)
