# SPDX-License-Identifier: Apache-2.0
"""Cases at the edge of what raters can agree about; the program's are in test/cli/agreement_test.py."""

from __future__ import annotations

import numpy as np
import pytest

import crema


def box(shift):
    mask = np.zeros((6, 10, 12), np.uint8)
    mask[1:5, 2:8, 2 + shift : 7 + shift] = 1
    return mask


def test_one_rater_has_nobody_to_agree_with():
    result = crema.fuse([box(0)])
    reply = result.agreement()
    assert reply["positive_agreement"] is None and reply["undefined"]["positive_agreement"] == "there is only one rater"
    assert reply["pairs"] == [] and reply["outlier"] is None
    assert reply.arrays()["rater_pairs"]["dice"].shape == (0,)
    assert reply["consensuses"][0]["raters"][0]["dice"] == 1
    with pytest.raises(ValueError, match="at least two raters"):
        result.leave_one_out()
    assert result.figure().svg.startswith("<svg") and crema.check([box(0)])


def test_raters_who_all_drew_nothing():
    result = crema.fuse([np.zeros((4, 5, 6), np.uint8)] * 3)
    reply = result.agreement()
    assert reply["undefined"]["positive_agreement"] == "no rater marked anything"
    assert all(row["dice"] is None and row["hd95_mm"] is None for row in reply["pairs"])
    assert np.isnan(reply.arrays()["rater_pairs"]["dice"]).all()
    assert reply.arrays()["components"]["margin"].shape == (0,)
    assert all(row["voxels"] == 0 for row in result.compare()["methods"])
    shaken = result.bootstrap(5)
    assert shaken["voxels"]["high"] == 0 and not shaken["image"].any() and shaken["kept"] == []
    with pytest.raises(ValueError, match="no rater marked anything"):
        result.figure()
    study = crema.background([np.zeros((4, 5, 6), np.uint8)] * 3)
    assert study.figure().svg.startswith("<svg") and len(study.methods) > 5


def test_two_raters_have_no_outlier():
    reply = crema.fuse([box(0), box(1)]).agreement()
    assert reply["outlier"] is None and "at least three raters" in reply["undefined"]["outlier"]
    assert reply["positive_agreement"] == pytest.approx(reply["pairs"][0]["dice"])


def test_a_consensus_on_another_grid_is_refused():
    images = [crema.Image(box(k), crema.Geometry((12, 10, 6))) for k in range(3)]
    moved = crema.Image(box(0), crema.Geometry((12, 10, 6), (1.0, 2.0, 1.0)))
    with pytest.raises(ValueError, match="the consensus"):
        crema.certify(moved, images)


@pytest.mark.parametrize("slice_", ["z=6", "x=12", "y=-1", "w=3", "", "most"])
def test_unknown_slices_are_refused(slice_):
    with pytest.raises(ValueError, match="slice"):
        crema.fuse([box(0), box(1)]).figure(slice=slice_)


def test_an_image_that_lies_elsewhere_is_refused():
    images = [crema.Image(box(k), crema.Geometry((12, 10, 6))) for k in range(3)]
    result = crema.fuse(images)
    grey = np.random.default_rng(0).normal(size=(6, 10, 12))
    assert "<image" in result.figure(image=crema.Image(grey, images[0].geometry)).svg
    for geometry in (crema.Geometry((12, 10, 6), (1.0, 2.0, 1.0)), crema.Geometry((12, 10, 6), origin=(0.5, 0.0, 0.0))):
        with pytest.raises(ValueError, match="the image"):
            result.figure(image=crema.Image(grey, geometry))
    with pytest.raises(ValueError, match=r"the image.*resample"):
        result.figure(image=crema.Image(grey[:3], crema.Geometry((12, 10, 3))))
