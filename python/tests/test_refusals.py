# SPDX-License-Identifier: Apache-2.0
"""Bad input raises an error that says what is wrong and what to do; nothing crashes."""

from __future__ import annotations

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import crema

GOOD = np.eye(6, dtype=np.uint8)


def refuse(sentence, masks, error=ValueError, **keywords):
    with pytest.raises(error, match=re.escape(sentence)):
        crema.fuse(masks, **keywords)


def test_shapes_that_differ():
    refuse("rater 2: shape (6, 5), but rater 1 is (6, 6); resample it or leave it out.", [GOOD, GOOD[:, :5]])
    refuse("nnunet: shape (6, 5), but unet is (6, 6)", {"unet": GOOD, "nnunet": GOOD[:, :5]})


@pytest.mark.parametrize("dtype", [np.uint8, np.int16, np.float32])
def test_several_labels(dtype):
    labels = GOOD.astype(dtype)
    labels[0, 1] = 2
    refuse("rater 2: holds the labels 0, 1, 2, but a mask has one; choose it with label=", [GOOD, labels])


def test_probabilities():
    chances = np.linspace(0, 1, 36, dtype=np.float32).reshape(6, 6)
    refuse("rater 1: values from 0 to 1: looks like a probability map: use threshold=0.5", [chances, GOOD])


def test_what_is_not_finite_is_counted_and_placed():
    broken = np.zeros((3, 4, 5), np.float32)
    broken[1, 2, 3] = np.nan
    broken[2, 0, 0] = np.inf
    refuse("rater 1: 2 voxels are NaN or infinite, the first at index (1, 2, 3); replace them by 0.", [broken])
    refuse("the first at index (1, 2, 3)", [np.asfortranarray(broken)])
    refuse("NaN", [broken], threshold=0.5)


def test_numbers_of_raters():
    refuse("no raters given; give at least one mask.", [])
    refuse("65 raters given, but at most 64 can be fused; leave some out.", np.ones((65, 3, 3), np.uint8))
    assert crema.fuse(np.ones((64, 3, 3), np.uint8)).image.all()


def test_dimensions():
    refuse("rater 1: is 1-D with shape (5,), but masks are 2-D or 3-D", [np.zeros(5, np.uint8)])
    refuse("rater 1: is 4-D", [np.zeros((1, 2, 3, 4), np.uint8)])
    refuse("rater 1: is 0-D", [np.uint8(1)])
    refuse("one array of shape (6, 6) was given, and its first axis is the raters", GOOD)
    refuse("rater 1: shape (0, 4); every size must be at least 1", [np.zeros((0, 4), np.uint8)])


@pytest.mark.parametrize("dtype", [object, "U1", "c8", "m8[s]", np.longdouble, [("a", "u1")]])
def test_types_that_are_no_masks(dtype):
    refuse("convert it with numpy.asarray(mask, dtype=numpy.uint8)", [np.zeros((3, 3), dtype)])


def test_masks_that_are_no_arrays():
    refuse("rater 1: is not an array", [[[0, 1], [1]]])
    refuse("dtype object holds Python objects", [None, GOOD])
    for masks in (3, None):
        refuse(f"masks={masks}: give the raters' masks as a list", masks, TypeError)


def test_masked_arrays_are_refused(tmp_path):
    hidden = np.ma.masked_array(GOOD, mask=GOOD == 0)
    refuse("rater 2: is a masked array; say what its hidden voxels are, with mask.filled(0).", [GOOD, hidden])
    refuse("rater 1: is a masked array", np.ma.masked_array(np.stack([GOOD, GOOD]), mask=False))
    refuse("the region: is a masked array", [GOOD, GOOD], method="staple", roi=hidden)
    with pytest.raises(ValueError, match="the consensus: is a masked array"):
        crema.certify(hidden, [GOOD, GOOD])
    with pytest.raises(ValueError, match="masked array"):
        crema.write(tmp_path / "a.nii", hidden)


def test_an_unknown_method_comes_with_a_suggestion():
    refuse("jaccard", [GOOD], method="jacard")
    refuse("unknown method nope. crema.methods lists all methods.", [GOOD], method="nope")
    refuse("no method given; name at least one.", [GOOD], method=[])
    for method in (3, None, [3]):
        refuse(f"method={method}: give a name, or a list of names", [GOOD], TypeError, method=method)


def test_settings_that_make_no_sense():
    pair = [GOOD, GOOD]
    refuse("connectivity", pair, connectivity=26)
    refuse("slice_wise=: w is not one of x, y, z", pair, slice_wise="w")
    refuse("masks of shape (6, 6) have no such axis", pair, slice_wise=2)
    for axis in (1.5, [1]):
        refuse(f"slice_wise={axis}: give an axis of the array", pair, TypeError, slice_wise=axis)
    refuse("spacing=3: give one number per axis of shape (6, 6).", pair, TypeError, spacing=3)
    refuse("weights=: 1 weight is given for 2 raters; give one for each.", pair, weights=[1])
    refuse("all weights are 0", pair, weights=[0, 0])
    refuse("weights=: -1 is not a valid weight; weights are 0 or more.", pair, weights=[1, -1])
    refuse("tie=: middle is not one of background, foreground.", pair, tie="middle")
    refuse("blocks=: cube is not one of subcrown, crown, voxel, group.", pair, blocks="cube")
    refuse("threads=: 0 is not a whole number from 1 to 4096.", pair, threads=0)
    refuse("spacing=(1.0,): give one positive number per axis", pair, spacing=[1])
    refuse("threshold= and label= exclude each other", pair, threshold=1, label=1)
    refuse("budget=: requires certify=True", pair, budget=5)
    refuse("the prior 2 is not strictly between 0 and 1", pair, method="staple", prior=2)
    refuse("prior=: x is not a valid prior", pair, method="staple", prior="x")
    refuse("unknown preset", pair, method="staple", preset="elastix")


def test_settings_that_a_method_does_not_accept():
    pair = [GOOD, GOOD]
    refuse("prior= applies to staple, accuracy, shared, common and staple-mrf only, not to jaccard.", pair, prior=0.5)
    refuse(
        "only, not to majority. crema.certify certifies any result, in a distance of your choice.",
        pair,
        method="majority",
        certify=True,
    )
    refuse("only, not to staple.", pair, method="staple", weights=[1, 1])
    refuse("preset= applies to staple only, not to dice.", pair, method="dice", preset="itk")
    refuse("prior=: the preset itk sets it", pair, method="staple", preset="itk", prior=0.5)
    refuse('margin= requires roi="box" or union.', pair, method="staple", margin=2)
    refuse(
        "roi=: a mask as region crops the raters' masks, which jaccard does not support; run it without it.",
        pair,
        method=["jaccard", "staple"],
        roi=GOOD,
    )


def test_regions():
    pair = [GOOD, GOOD]
    refuse("the region: shape (6, 5), but the raters' is (6, 6)", pair, method="staple", roi=GOOD[:, :5])
    refuse("the region: the region is empty; it must hold at least one voxel.", pair, method="staple", roi=GOOD * 0)
    labels = GOOD.copy()
    labels[0, 1] = 2
    refuse("the region: holds the labels 0, 1, 2", pair, method="staple", roi=labels)
    refuse("near: ", pair, error=FileNotFoundError, method="staple", roi="near")


def test_files_that_are_not_there(tmp_path):
    missing = tmp_path / "gone.nii.gz"
    with pytest.raises(FileNotFoundError, match=r"gone.nii.gz"):
        crema.fuse([missing])
    with pytest.raises(FileNotFoundError, match=r"gone.nii.gz"):
        crema.read(missing)


def test_files_that_are_no_masks(tmp_path):
    text = tmp_path / "page.nii.gz"
    text.write_text("<html>not found</html>")
    with pytest.raises(ValueError, match=r"page.nii.gz"):
        crema.fuse([text])


def test_kinds_do_not_mix(tmp_path):
    refuse("some raters are files and some are not", [GOOD, str(tmp_path)])


@given(st.recursive(st.none() | st.integers() | st.floats() | st.text(max_size=3), st.lists, max_leaves=8))
def test_nonsense_raises_unless_it_happens_to_be_a_mask(nonsense):
    try:
        result = crema.fuse(nonsense if isinstance(nonsense, (list, str)) else [nonsense])
    except (ValueError, TypeError, OSError):
        return
    assert np.ndim(nonsense[0]) in (2, 3) and result.image.shape == np.shape(nonsense[0])
