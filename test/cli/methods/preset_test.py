# SPDX-License-Identifier: Apache-2.0
"""STAPLE as other packages compute it."""

import pytest
from staple_plain import levels_by_pattern, pattern_masks
from staple_test import fused, known  # noqa: F401, fixtures

PRESETS = {
    # name: size, levels of 110, 100 and 010, sensitivity of the first rater, to as many digits as are known
    "itk": (275, 0.975425402010, 0.177384079745, 0.082602540921, 0.892297381258),
    "crkit": (265, 1.0, 1.0, 5.08749204e-06, 0.999989945383),
    "stapler": (275, 0.996677147728, 0.294485409013, 0.132600873379, 0.882167206371),
    "stapler-bin": (255, 8.05601e-09, 1.12784e-08, 3.96507e-09, 0.363636367265),
    "niftyseg": (275, 0.993041985211, 0.426185457639, 0.240290212973, 0.866687318331),
}


@pytest.mark.parametrize("preset", PRESETS)
def test_presets_give_the_numbers_of_other_packages(fused, known, preset):
    names, masks = known
    size, both, first, second, sensitivity = PRESETS[preset]
    record, image = fused(names, "staple", "--preset", preset)
    levels = levels_by_pattern(image, masks)
    assert record["voxels"] == size and record["converged"]
    assert levels["110"] == pytest.approx(both, abs=1e-6)
    assert levels["100"] == pytest.approx(first, abs=1e-6)
    assert levels["010"] == pytest.approx(second, abs=1e-6)
    assert record["sensitivity"][0] == pytest.approx(sensitivity, abs=1e-6)
    assert record["region"]["disputed_only"] == (preset in ("crkit", "stapler-bin"))
    if preset != "itk":
        assert levels["111"] == 1 and levels["000"] == 0


def test_itk_stops_where_itk_does(fused, known):
    record, _ = fused(known[0], "staple", "--preset", "itk")
    assert record["iterations"] == 18 and record["prior"] == pytest.approx(815 / 3000, rel=1e-12)


def test_a_preset_settles_ties_unless_they_are_asked_for(fused, save):
    nested = pattern_masks({"11": 50, "10": 50, "00": 900})
    names = [save(f"t{k}.nii.gz", mask) for k, mask in enumerate(nested)]
    cut = ["--threshold-output", "0.5"]
    assert fused(names, "staple", "--preset", "stapler-bin", *cut)[1].sum() == 100
    assert fused(names, "staple", "--preset", "crkit", *cut)[1].sum() == 50
    assert fused(names, "staple", "--preset", "crkit", "--tie", "foreground", *cut)[1].sum() == 100
