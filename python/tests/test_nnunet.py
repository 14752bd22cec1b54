# SPDX-License-Identifier: Apache-2.0
"""`crema nnunet` beside nnU-Net's own ensembling, where nnU-Net is installed."""

from __future__ import annotations

import json
import pickle
import subprocess

import numpy as np
import pytest
import SimpleITK as sitk
from conftest import needs

FOLDS = 3


def predict(folder, case, levels, regions):
    """What nnUNetv2_predict --save_probabilities leaves of a case."""
    folder.mkdir(exist_ok=True)
    np.savez_compressed(folder / f"{case}.npz", probabilities=levels)
    image = sitk.GetImageFromArray(np.zeros(levels.shape[1:], np.uint8))
    image.SetSpacing((0.7, 0.8, 3.0))
    image.SetOrigin((10.0, -20.0, 30.0))
    sitk.WriteImage(image, str(folder / f"{case}.nii.gz"))
    geometry = {"spacing": image.GetSpacing(), "origin": image.GetOrigin(), "direction": image.GetDirection()}
    (folder / f"{case}.pkl").write_bytes(pickle.dumps({"sitk_stuff": geometry, "spacing": [3.0, 0.8, 0.7]}))
    labels = {"background": 0, "organ": [1, 2], "core": [2]} if regions else {"background": 0, "organ": 1, "core": 2}
    dataset = {"channel_names": {"0": "CT"}, "labels": labels, "numTraining": 2, "file_ending": ".nii.gz"}
    (folder / "dataset.json").write_text(json.dumps({**dataset, "regions_class_order": [1, 2]} if regions else dataset))
    plans = {"dataset_name": "Dataset001_Made", "plans_name": "nnUNetPlans", "configurations": {}}
    (folder / "plans.json").write_text(json.dumps({**plans, "image_reader_writer": "SimpleITKIO"}))


def network(rng, regions):
    z, y, x = np.indices((8, 30, 26))
    far = np.sqrt((2 * (z - 4)) ** 2 + (y - 15 - rng.normal()) ** 2 + (x - 13 - rng.normal()) ** 2)
    outer, inner = (8 - far) / rng.uniform(0.6, 1.5), (4 - far) / rng.uniform(0.6, 1.5)
    if regions:
        return 1 / (1 + np.exp(-np.stack([outer, np.maximum(inner, 3 - np.abs(x - 22))])))  # a core beyond the organ
    shares = np.exp(np.stack([0 * far, outer, outer + 2 * inner]))
    return shares / shares.sum(axis=0)


@needs("nnunetv2")
@pytest.mark.parametrize("regions", [False, True], ids=["softmax", "regions"])
def test_the_average_is_that_of_nnunet_ensemble(tmp_path, program_path, regions):
    ensembling = pytest.importorskip("nnunetv2.ensembling.ensemble")
    rng = np.random.default_rng(4)
    folders = [tmp_path / f"fold_{k}" for k in range(FOLDS)]
    for folder in folders:
        for case, dtype in (("case_1", np.float32), ("case_2", np.float16)):
            predict(folder, case, network(rng, regions).astype(dtype), regions)
    ensembling.ensemble_folders([str(folder) for folder in folders], str(tmp_path / "theirs"), True, 1)
    options = ["--method", "average", "--floor", "0", "--levels", "--quiet"]
    subprocess.run([program_path, "nnunet", *folders, "-o", tmp_path / "ours", *options], check=True, timeout=600)
    for case in ("case_1", "case_2"):
        ours, theirs = (sitk.ReadImage(str(tmp_path / who / f"{case}.nii.gz")) for who in ("ours", "theirs"))
        labels = sitk.GetArrayFromImage(theirs)
        assert (sitk.GetArrayFromImage(ours) == labels).all() and set(np.unique(labels)) == {0, 1, 2}
        for what in ("GetSpacing", "GetOrigin", "GetDirection"):
            assert np.allclose(getattr(ours, what)(), getattr(theirs, what)(), atol=1e-6)
        levels = [np.load(tmp_path / who / f"{case}.npz")["probabilities"] for who in ("ours", "theirs")]
        assert np.abs(levels[0] - levels[1]).max() < 1e-3  # the background is what the classes leave of 1
