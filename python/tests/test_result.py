# SPDX-License-Identifier: Apache-2.0
"""What a result reports."""

from __future__ import annotations

import json

import numpy as np
import pytest
from conftest import ROOT, same

import crema


def test_the_record_has_the_documented_fields(masks):
    record = crema.fuse(masks, certify=True).to_dict()
    json.dumps(record)
    documented = (ROOT / "docs/formats.md").read_text(encoding="utf-8")
    for key in record:
        assert f"`{key}`" in documented, key
    assert record["command"][0] == "crema.fuse" and "method='jaccard'" in record["command"]


def test_the_record_is_the_callers_own(masks):
    result = crema.fuse(masks)
    result.to_dict()["raters"].clear()
    assert len(result.raters) == len(masks)


def test_subcrowns_add_up(masks):
    for method in ("jaccard", "soergel", "staple"):
        result = crema.fuse(masks, method=method)
        table = result.subcrowns
        assert table.dtype.names == ("component", "distance", "raters", "voxels", "level")
        assert table["voxels"].sum() == masks.any(axis=0).sum()
        assert table["component"].max() + 1 == len(result.components)
        inside = float((table["voxels"] * table["level"]).sum())
        assert inside == pytest.approx(float(result.image[masks.any(axis=0)].sum(dtype=float)), rel=1e-6)
        for k, mask in enumerate(masks):
            drew = (table["raters"] >> np.uint64(k)) & np.uint64(1) == 1
            assert table["voxels"][drew].sum() == mask.sum()


def test_names_are_in_the_record(masks):
    result = crema.fuse({"unet": masks[0], "nnunet": masks[1]})
    assert [rater["file"] for rater in result.raters] == ["unet", "nnunet"]
    assert "file" not in crema.fuse(masks).raters[0]


def test_hard_cuts_at_one_half(masks):
    pair = masks[:2]
    average = crema.fuse(pair, method="average")
    assert same(average.hard(), (pair.sum(axis=0) > 1).astype(np.uint8))
    generous = crema.fuse(pair, method="average", tie="foreground")
    assert same(generous.hard(), (pair.sum(axis=0) > 0).astype(np.uint8))
    assert crema.fuse(pair.astype(bool), method="average").hard().dtype == bool
    result = crema.fuse(masks)
    assert result.hard() is result.image


def test_bounds(masks):
    assert crema.fuse(masks).bound is None
    result = crema.fuse(masks, certify=True)
    best = crema.fuse(masks, blocks="group")
    assert result.bound is not None and best.bound is not None
    assert result.bound <= best.lmsd <= result.lmsd
    certificate = crema.certify(result, masks)
    assert certificate.lmsd == pytest.approx(result.lmsd, rel=1e-12) and certificate.gap >= 0
    assert certificate.proven and certificate.voxels == result.image.sum()


def test_certify_refuses_what_is_no_consensus(masks):
    with pytest.raises(ValueError, match="they must be equal"):
        crema.certify(masks[0, 0], masks)
    with pytest.raises(ValueError, match="levels lie between 0 and 1"):
        crema.certify(masks[0] * 2.0, masks, distance="soergel")
    with pytest.raises(ValueError, match=r"cut it with consensus_threshold=0\.5, or use a soft distance"):
        crema.certify(masks[0] * 0.7, masks)
    cut = crema.certify(masks[0] * 0.7, masks, consensus_threshold=0.5)
    assert cut.lmsd == crema.certify(masks[0], masks).lmsd
    with pytest.raises(ValueError, match="is not a valid distance"):
        crema.certify(masks[0], masks, distance="hausdorff")
    with pytest.raises(ValueError, match='weights="auto": weights can only be derived together with a consensus'):
        crema.certify(masks[0], masks, weights="auto")


def test_certificates_tell_the_raters(masks):
    record = crema.certify(masks[0], masks, weights=[1, 2, 1, 1, 1]).to_dict()
    assert [rater["voxels"] for rater in record["raters"]] == [int(mask.sum()) for mask in masks]
    assert record["weights"] == [1, 2, 1, 1, 1] and record["command"][0] == "crema.certify"
    outside = masks[0].copy()
    outside[0, 0, 0] = 1
    assert not masks[:, 0, 0, 0].any()
    warnings = crema.certify(outside, masks).warnings
    assert any("1 of its voxels lies outside all raters' masks" in one for one in warnings)


def test_warnings_know_their_kind(masks):
    result = crema.fuse([masks[0], masks[0] * 0, masks[1], masks[1]])
    kinds = {warning.kind: warning.severity for warning in result.warnings}
    assert kinds["empty-mask"] == kinds["copy"] == "defect"
    record = result.to_dict()
    assert [one["kind"] for one in record["warning_kinds"]] == [warning.kind for warning in result.warnings]


def test_warnings_are_the_programs_sentences(masks):
    result = crema.fuse([masks[0], masks[0], 1 - masks[1]])
    assert "rater 2 is identical to rater 1; if it is a copy, leave it out." in result.warnings
    assert any("rater 3" in warning and "the mask looks inverted" in warning for warning in result.warnings)
    assert "rater 1: is the only rater; a consensus needs at least two." in crema.fuse([masks[0]]).warnings


def test_weights_found_by_themselves(masks):
    result = crema.fuse(masks, weights="auto")
    record = result.to_dict()
    assert len(record["weights"]) == len(masks) and max(record["weights"]) == 1
    assert record["weight_search"]["converged"]


def test_some_methods_do_not_accept_everything(masks):
    both = crema.fuse(masks, method=["jaccard", "staple"], weights=[1, 1, 1, 1, 2], certify=True)
    assert "weights= does not apply to staple." in both["staple"].warnings
    assert both["jaccard"].bound is not None and both["staple"].bound is None


def test_a_region_may_be_a_mask(masks):
    region = np.zeros(masks.shape[1:], bool)
    region[:, 5:35, 5:40] = True
    result = crema.fuse(masks, method="staple", roi=region)
    assert not result.image[~region].any()
    assert result.to_dict()["region"]["voxels"] == region.sum()
    assert same(crema.fuse(masks, method="staple", roi=np.asfortranarray(region)).image, result.image)


def test_empty_results_are_shown_too():
    result = crema.fuse(np.zeros((2, 4, 4), np.uint8))
    assert "<table>" in result._repr_html_() and "<img" not in result._repr_html_()
    with pytest.raises(ValueError, match="no rater marked anything"):
        result.figure()
    assert repr(result).startswith("<crema.Result jaccard: 2 raters, 0 components")
    assert "1 component, 1 voxel," in repr(crema.fuse([np.eye(1), np.eye(1)]))
