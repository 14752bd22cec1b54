# SPDX-License-Identifier: Apache-2.0
"""Against ITK's STAPLE, and against a plain optimiser for the soft methods."""

from __future__ import annotations

import numpy as np
import pytest
import SimpleITK as sitk
from scipy import optimize

import crema


@pytest.mark.parametrize("kind", ["organ", "lesions", "cord"])
def test_staple_is_that_of_itk(kind):
    masks, _ = crema.phantom(kind, size=(6, 40, 44), seed=5)
    theirs = sitk.GetArrayFromImage(sitk.STAPLE([sitk.GetImageFromArray(mask) for mask in masks], 1.0))
    ours = crema.fuse(masks, method="staple", preset="itk")
    np.testing.assert_allclose(ours.image, theirs, atol=1e-6)
    certified = sitk.STAPLEImageFilter()
    certified.SetForegroundValue(1.0)
    certified.Execute([sitk.GetImageFromArray(mask) for mask in masks])
    np.testing.assert_allclose([r["sensitivity"] for r in ours.raters], certified.GetSensitivity(), atol=1e-6)
    np.testing.assert_allclose([r["specificity"] for r in ours.raters], certified.GetSpecificity(), atol=1e-6)


def lmsd(levels, stack, method):
    """The criterion of one component, straight from its definition."""
    total = 0.0
    extent = (levels**2).sum() if method in ("tanimoto", "dice2") else levels.sum()
    for mask in stack:
        common, size = levels[mask].sum(), mask.sum()
        share = common / (extent + size - common) if method in ("tanimoto", "soergel") else 2 * common / (extent + size)
        total += (1 - share) ** 2
    return total / len(stack)


@pytest.mark.parametrize("method", ["soergel", "tanimoto", "dice1", "dice2"])
@pytest.mark.parametrize("seed", range(4))
def test_no_optimiser_over_all_voxels_finds_a_better_map(method, seed):
    random = np.random.default_rng(seed)
    stack = np.ones((4, 1, 5, 6), bool)
    stack &= random.random(stack.shape) < 0.75
    stack[:, 0, 2] = True  # one component, and everybody drew in it
    result = crema.fuse(stack, method=method, blocks="group", certify=True)
    ours = lmsd(result.image.astype(float), stack, method)
    assert ours == pytest.approx(result.lmsd, abs=1e-6)
    union = stack.any(axis=0)
    assert len(result.components) == 1

    def objective(x):
        levels = np.zeros(union.shape)
        levels[union] = x
        return lmsd(levels, stack, method)

    best = min(
        optimize.minimize(
            objective, start, method="L-BFGS-B", bounds=[(0, 1)] * len(start), options={"maxiter": 300}
        ).fun
        for start in (stack.mean(axis=0)[union], np.full(union.sum(), 0.9), random.random(union.sum()))
    )
    assert result.lmsd <= best + 1e-6
    assert result.bound <= best + 1e-6
    subcrown = crema.fuse(stack, method=method)
    assert subcrown.lmsd <= lmsd(stack.mean(axis=0), stack, method) + 1e-9
