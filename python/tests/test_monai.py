# SPDX-License-Identifier: Apache-2.0
"""`crema.monai` beside MONAI's own `MeanEnsembled`, where MONAI is installed."""

from __future__ import annotations

import importlib.util

import numpy as np
import pytest
from conftest import needs

import crema

KEYS = ["a", "b", "c", "d", "e"]


def outputs(classes, seed=1, size=(14, 16, 9)):
    """Softmax of five models, [C, H, W, D]; the objects lie side by side."""
    rng = np.random.default_rng(seed)
    x, y, z = np.indices(size)
    models = []
    for _ in KEYS:
        scores = [np.zeros(size)]
        for c in range(1, classes):
            far = np.sqrt((x - 4 * c) ** 2 + (y - 7 - rng.normal(0, 0.5)) ** 2 + (z - 4) ** 2)
            scores.append((3 - far) / rng.uniform(0.5, 1))
        shares = np.exp(np.stack(scores))
        models.append((shares / shares.sum(axis=0)).astype(np.float32))
    return models


@pytest.mark.skipif(bool(importlib.util.find_spec("monai")), reason="MONAI is installed")
def test_without_monai_the_import_says_what_to_install():
    with pytest.raises(ImportError, match="pip install monai"):
        importlib.import_module("crema.monai")


@needs("torch", "monai")
@pytest.mark.parametrize("classes", [2, 3])
def test_the_average_is_that_of_mean_ensembled(classes):
    torch, monai = pytest.importorskip("torch"), pytest.importorskip("monai.transforms")
    from crema.monai import ConsensusEnsembled

    data = {key: torch.from_numpy(model) for key, model in zip(KEYS, outputs(classes), strict=True)}
    mean = monai.MeanEnsembled(KEYS, "out")(data)
    ours = ConsensusEnsembled(KEYS, "out", method="average", floor=0)(data)
    assert mean.keys() == ours.keys() and type(ours["out"]) is type(mean["out"])
    assert ours["out"].shape == mean["out"].shape and ours["out"].dtype == mean["out"].dtype
    assert (ours["out"] - mean["out"]).abs().max() < 1e-6
    discrete = monai.AsDiscreted("out", argmax=True)
    assert (discrete(ours)["out"] == discrete(mean)["out"]).all()


@needs("torch", "monai")
def test_keys_stacks_arrays_and_meta_tensors_as_mean_ensembled_has_them():
    torch, monai = pytest.importorskip("torch"), pytest.importorskip("monai.transforms")
    from crema.monai import ConsensusEnsemble, ConsensusEnsembled
    from monai.data import MetaTensor

    models = outputs(3)
    affine = torch.diag(torch.tensor([2.0, 2.0, 5.0, 1.0], dtype=torch.float64))
    stacked = torch.from_numpy(np.stack(models))
    for given in (
        stacked,
        MetaTensor(stacked, affine=affine),
        np.stack(models),
        list(stacked),
        models,
        [MetaTensor(model, affine=affine) for model in stacked],
        stacked.double(),
        stacked.half(),
        torch.stack([model[:, :, :, 4] for model in stacked]),
    ):
        mean = monai.MeanEnsembled("pred")({"pred": given, "other": 1})
        ours = ConsensusEnsembled("pred", method="average", floor=0)({"pred": given, "other": 1})
        assert ours.keys() == mean.keys() and type(ours["pred"]) is type(mean["pred"])
        assert ours["pred"].dtype == mean["pred"].dtype and ours["pred"].shape == mean["pred"].shape
        assert np.abs(np.asarray(ours["pred"]).astype(float) - np.asarray(mean["pred"])).max() < 2e-3
        if isinstance(given, MetaTensor):
            assert (ours["pred"].affine == mean["pred"].affine).all()
    with pytest.raises(ValueError, match="output_key"):
        ConsensusEnsembled(["a", "b"])
    with pytest.raises(ValueError, match="one case at a time"):
        ConsensusEnsemble()(torch.zeros(2, 1, 3, 4, 5, 6))


@needs("torch", "monai")
def test_any_method_gives_what_fuse_gives():
    torch = pytest.importorskip("torch")
    from crema.monai import ConsensusEnsemble

    models = outputs(3)
    for method in ("tanimoto", "soergel", "jaccard", "majority", "robust"):
        ensemble = ConsensusEnsemble(method)
        out = ensemble([torch.from_numpy(model) for model in models])
        plain = crema.fuse(models, method=method, probabilities=True, channels=0)
        assert (out.argmax(0).numpy() == plain.image).all() and (out.sum(0) - 1).abs().max() < 1e-5
        assert len(ensemble.rules) == (2 if method in ("tanimoto", "soergel", "jaccard") else 0)
    alone = ConsensusEnsemble("tanimoto", softmax=False)([torch.from_numpy(model[1:]) for model in models])
    for c in (1, 2):
        plain = crema.fuse([model[c] for model in models], method="tanimoto", probabilities=True)
        assert (alone[c - 1].numpy() == plain.image).all()


@needs("torch", "monai")
def test_where_no_model_finds_anything_all_is_background():
    torch = pytest.importorskip("torch")
    from crema.monai import ConsensusEnsemble

    nothing = torch.zeros(5, 3, 8, 9)
    nothing[:, 0] = 1
    assert (ConsensusEnsemble()(nothing) == nothing[0]).all()
    assert (ConsensusEnsemble(softmax=False)(nothing[:, 1:]) == 0).all()
    with pytest.raises(ValueError, match="NaN"):
        ConsensusEnsemble()(nothing * float("nan"))
