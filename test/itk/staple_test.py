# SPDX-License-Identifier: Apache-2.0
"""The program's STAPLE against ITK's filter on the same files; ITK_STAPLE names the program around the filter.

CREMA_CASES sets how many random cases there are.
"""

import json
import os

import numpy
import peers
import pytest

CASES = int(os.environ.get("CREMA_CASES", "100"))
# What ITK gives no number for may not be much of what was to be compared.
MOST_SKIPPED = 0.2
skipped = set()

pytestmark = pytest.mark.skipif(
    not os.environ.get("ITK_STAPLE"), reason="ITK was not found: nothing is compared with its STAPLE"
)
# The default goes on until the levels stand still, where ITK stops at its rates: only the preset is ITK's.
as_itk = pytest.mark.parametrize("options", [peers.PRESET], ids=["preset"])


def by_itk(raters, folder):
    """The map in full precision, and what is said of the raters."""
    image = folder / "itk.nii"
    reply = json.loads(peers.run(os.environ["ITK_STAPLE"], "float64", image, *raters))
    return peers.voxels_of(image), reply


def compared(raters, folder, options):
    """What disagrees, and how many iterations each took."""
    ours, theirs = peers.by_crema(raters, folder, options), by_itk(raters, folder)
    return peers.disagreements(ours, theirs), ours[1]["iterations"], theirs[1]["elapsed_iterations"] + 1


@as_itk
@pytest.mark.parametrize("seed", ["1", "2"])
@pytest.mark.parametrize("kind", peers.KINDS)
def test_phantoms_get_what_itk_gives(kind, seed, options, tmp_path):
    raters = peers.demo(tmp_path, kind, "--seed", seed)
    assert compared(raters, tmp_path, options)[0] == {}


@as_itk
def test_the_worked_example_gets_what_itk_gives(options, tmp_path):
    differences, ours, theirs = compared(peers.written(tmp_path, peers.example()), tmp_path, options)
    assert differences == {}
    assert ours == theirs == 18


@as_itk
def test_real_raters_get_what_itk_gives(options, tmp_path):
    assert compared(peers.smallest_nodule(), tmp_path, options)[0] == {}


@pytest.mark.parametrize("seed", range(CASES))
def test_random_cases_get_what_itk_gives(seed, tmp_path):
    masks = peers.random_masks(seed)
    raters = peers.written(tmp_path, masks)
    theirs = by_itk(raters, tmp_path)
    if numpy.isnan(theirs[0]).any():
        skipped.add(seed)
        pytest.skip(f"seed {seed}: ITK gives no number ({len(skipped)} such cases of {CASES} so far)")
    iterations = theirs[1]["elapsed_iterations"] + 1
    for options in (peers.PRESET,):
        ours = peers.by_crema(raters, tmp_path, options)
        reply = f"seed {seed}, {len(masks)} raters, {masks[0].shape}, {options}"
        if not peers.ends_in_time(options, iterations):
            assert (ours[1]["iterations"], ours[1]["converged"]) == (peers.LIMIT, False), reply
            continue
        assert peers.disagreements(ours, theirs) == {}, reply
        assert abs(ours[1]["iterations"] - iterations) <= 1, reply


def test_few_random_cases_are_left_out():
    assert len(skipped) <= MOST_SKIPPED * CASES, sorted(skipped)


def test_what_itk_gives_no_number_for_gets_numbers(tmp_path):
    nobody_drew = [numpy.zeros((6, 5, 4), bool)] * 3
    raters = peers.written(tmp_path, nobody_drew)
    assert numpy.isnan(by_itk(raters, tmp_path)[0]).all()
    ours, record = peers.by_crema(raters, tmp_path, peers.PRESET)
    assert (ours == 0).all()
    assert record["sensitivity"] == record["specificity"] == [1, 1, 1]


def test_the_random_cases_cover_flat_and_solid_images_and_all_numbers_of_raters():
    seen = [peers.random_masks(seed) for seed in range(CASES)]
    assert {masks[0].ndim for masks in seen} == {2, 3}
    assert {len(masks) for masks in seen} == set(range(2, 10))


def test_a_difference_is_noticed():
    reply = {"sensitivity": [0.9, 0.8], "specificity": [1, 1]}
    level = numpy.full((3, 2), 0.25)
    nearly, off, none = level.copy(), level.copy(), level.copy()
    nearly[2, 1] += 0.9e-6
    off[2, 1] += 1.1e-6
    none[0, 0] = numpy.nan
    assert peers.disagreements((level, reply), (nearly, reply)) == {}
    assert list(peers.disagreements((level, reply), (off, reply))) == ["map"]
    assert list(peers.disagreements((none, reply), (level, reply))) == ["map"]
    other = {"sensitivity": [0.9, 0.8], "specificity": [1, 1.1]}
    assert list(peers.disagreements((level, reply), (level, other))) == ["specificity"]
