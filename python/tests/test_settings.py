# SPDX-License-Identifier: Apache-2.0
"""Keywords are the library's settings: its table names, reads, checks and describes them."""

from __future__ import annotations

import inspect
import os

import numpy as np
import pytest
from conftest import FOR_MAPS, ROOT, same
from crema._make_keywords import source
from crema._settings import SETTINGS, as_text, settings_from

import crema
from crema import _core


def squeezed(text):
    return " ".join(text.split())


def test_the_keywords_for_type_checkers_are_fresh():
    kept = (ROOT / "python/crema/_keywords.py").read_text(encoding="utf-8")
    assert source() == kept, "stale; run: python -m crema._make_keywords python/crema/_keywords.py"


def test_the_help_lists_every_keyword_with_its_sentence():
    page = squeezed(inspect.getdoc(crema.fuse))
    for setting in (SETTINGS[name] for name in _core.fuse_settings()):
        assert f" {setting.name} : " in page
        assert squeezed(setting.text)[1:] in page, setting.name
    assert "{settings}" not in page and "If False: skip the final comparison" in page
    page = squeezed(inspect.getdoc(crema.certify))
    for name in _core.certify_settings():
        assert f" {name} : " in page
    assert "{" not in page and " drop_below : " not in page


def test_unknown_keywords_come_with_the_nearest_one(masks):
    with pytest.raises(TypeError, match=r"fuse\(\) has no keyword conectivity\. Did you mean connectivity\?"):
        crema.fuse(masks, conectivity=6)
    with pytest.raises(TypeError, match=r"has no keyword metod\. Did you mean method\?"):
        crema.fuse(masks, metod="dice")
    with pytest.raises(TypeError, match=r"certify\(\) has no keyword blocks\."):
        crema.certify(masks[0], masks, blocks="group")


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (True, "True"),
        (np.bool_(False), "False"),
        (3, "3"),
        (np.int16(3), "3"),
        (2.0, "2"),
        (1e9, "1000000000"),
        (0.1, "0.1"),
        (1e-300, "1e-300"),
        (np.float32(0.5), "0.5"),
        (np.pi, repr(np.pi)),
        ("500/N^1", "500/N^1"),
        ([1, 0.25, np.float64(3)], "1,0.25,3"),
        (np.array([1.5, 2]), "1.5,2"),
    ],
)
def test_values_become_text_that_reads_back_exactly(value, text):
    assert as_text("weights", value) == text


def test_values_that_no_text_stands_for(masks):
    with pytest.raises(TypeError, match=r"budget=<object.*give int"):
        crema.fuse(masks, certify=True, budget=object())
    with pytest.raises(TypeError, match="prior="):
        crema.fuse(masks, method="staple", prior=1j)


def test_none_is_not_given_and_neither_is_a_switch_as_it_stands(masks):
    expected = crema.fuse(masks, method="majority").image
    nothing = dict.fromkeys(SETTINGS)
    assert same(crema.fuse(masks, method="majority", **nothing).image, expected)
    assert same(crema.fuse(masks, method="majority", certify=False, empty_test=True, gap=True).image, expected)
    with pytest.raises(ValueError, match="empty_test=False applies to jaccard"):
        crema.fuse(masks, method="majority", empty_test=False)


def test_the_papers_methods(masks):
    paper = crema.fuse(masks, method="paper")
    assert isinstance(paper, dict) and len(paper) == 10 and "simple" not in paper
    everything = crema.fuse(masks, method="all")
    assert list(everything) == [method.name for method in crema.methods() if method.name not in FOR_MAPS]
    assert list(crema.fuse(masks, method=["paper", "simple"])) == [*paper, "simple"]
    assert isinstance(crema.fuse(masks, method="MACCHIatO-D"), crema.Result)


def test_levels_may_be_cut(masks):
    result = crema.fuse(masks, method="average", threshold_output=0.5)
    assert same(result.image, crema.fuse(masks, method="average").hard())
    assert result.to_dict()["threshold_output"] == 0.5 and same(result.hard(), result.image)


def test_provenance_may_be_left_out(masks, tmp_path):
    assert "date" in crema.fuse(masks).to_dict()["run"]
    assert "run" not in crema.fuse(masks, provenance=False).to_dict()
    paths = [tmp_path / "a.nii", tmp_path / "b.nii"]
    for path, mask in zip(paths, masks[:2], strict=True):
        crema.write(path, mask)
    result = crema.fuse(paths)
    assert [one["path"] for one in result.to_dict()["inputs"]] == list(map(str, paths))
    os.remove(paths[0])
    assert [one["path"] for one in result.to_dict()["inputs"]] == [str(paths[1])]
    assert "inputs" not in crema.fuse(paths[1:], provenance=False).to_dict()


def test_the_programs_limit_of_threads(masks):
    with pytest.raises(ValueError, match="threads=: 1000000 is not a whole number from 1 to 4096"):
        crema.fuse(masks, threads=10**6)
    with pytest.raises(ValueError, match="threads="):
        crema.certify(masks[0], masks, threads=10**6)


def test_memory_is_given_in_bytes_or_with_a_letter(masks):
    for given in (10**9, "1G", 1e9):
        assert same(crema.fuse(masks, max_memory=given).image, crema.fuse(masks).image)
    with pytest.raises(ValueError, match="max_memory=: much is not an amount of memory"):
        crema.fuse(masks, max_memory="much")


def test_settings_from_keywords_are_those_of_the_library():
    requested = settings_from("fuse", list(SETTINGS), {"roi": "roi.nii.gz", "threshold": 0.5})
    assert requested.region_file == "roi.nii.gz" and not requested.strict


def test_a_former_keyword_is_understood_with_a_warning(masks):
    with pytest.warns(FutureWarning, match="region= is now called roi="):
        old = crema.fuse(masks, method="staple", region="box")
    assert (old.image == crema.fuse(masks, method="staple", roi="box").image).all()
    with pytest.raises(TypeError, match="give one of them"):
        crema.fuse(masks, method="staple", region="box", roi="box")


def test_kappa_is_of_the_region_of_the_fusion_or_of_the_one_named(masks):
    result = crema.fuse(masks, method="staple", roi="box")
    reply = [result.agreement(surfaces=False, **more)["chance_corrected"]["region"] for more in ({}, {"roi": "union"})]
    assert reply == ["box", "union"]
    with pytest.raises(ValueError, match="roi=: a mask"):
        result.agreement(roi="mask.nii")
