# SPDX-License-Identifier: Apache-2.0
"""The program's STAPLE against SimpleITK's, which people call from Python; left out where it is not installed."""

import peers
import pytest

sitk = pytest.importorskip("SimpleITK", reason="SimpleITK is not installed: nothing is compared with its STAPLE")
CASES = 24


def by_simpleitk(raters):
    """The map in the order of the axes that nibabel has, and what is said of the raters."""
    staple = sitk.STAPLEImageFilter()
    staple.SetForegroundValue(1)
    image = staple.Execute([sitk.ReadImage(str(path), sitk.sitkUInt8) for path in raters])
    found = {"sensitivity": staple.GetSensitivity(), "specificity": staple.GetSpecificity()}
    return sitk.GetArrayFromImage(image).T, {**found, "iterations": staple.GetElapsedIterations() + 1}


def assert_same(raters, folder, reply=""):
    theirs = by_simpleitk(raters)
    for options in (peers.PRESET,):
        if peers.ends_in_time(options, theirs[1]["iterations"]):
            assert peers.disagreements(peers.by_crema(raters, folder, options), theirs) == {}, f"{reply} {options}"


@pytest.mark.parametrize("kind", peers.KINDS)
def test_phantoms_get_what_simpleitk_gives(kind, tmp_path):
    assert_same(peers.demo(tmp_path, kind), tmp_path)


def test_the_worked_example_gets_what_simpleitk_gives(tmp_path):
    assert_same(peers.written(tmp_path, peers.example()), tmp_path)


def test_real_raters_get_what_simpleitk_gives(tmp_path):
    assert_same(peers.smallest_nodule(), tmp_path)


@pytest.mark.parametrize("seed", range(1000, 1000 + CASES))
def test_random_cases_get_what_simpleitk_gives(seed, tmp_path):
    assert_same(peers.written(tmp_path, peers.random_masks(seed)), tmp_path, f"seed {seed}")


def test_the_function_with_defaults_is_the_same(tmp_path):
    raters = peers.demo(tmp_path, "cord")
    image = sitk.STAPLE([sitk.ReadImage(str(path)) for path in raters])
    ours = peers.by_crema(raters, tmp_path, peers.PRESET)[0]
    assert peers.farthest(ours, sitk.GetArrayFromImage(image).T) <= peers.CLOSE
