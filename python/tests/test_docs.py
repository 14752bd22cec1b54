# SPDX-License-Identifier: Apache-2.0
"""Every Python block of docs/python.md and of the README runs; those of one page share their names."""

from __future__ import annotations

import os
import re

import numpy as np
import pytest
import SimpleITK as sitk
from conftest import ROOT

import crema

BLOCK = re.compile(r"^```python\n(.*?)^```", re.MULTILINE | re.DOTALL)
PAGES = ["docs/python.md", "README.md"]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """What the recipes find in their folder: three raters as files, three networks' maps."""
    masks, geometry = crema.phantom("organ", size=(6, 48, 48), raters=3)
    random = np.random.default_rng(0)
    for k, mask in enumerate(masks, 1):
        crema.write(tmp_path / f"rater-{k}.nii.gz", mask, geometry=geometry)
        blurred = np.clip(mask * 0.6 + random.random(mask.shape) * 0.35, 0, 1)
        crema.write(tmp_path / f"network-{k}.nii.gz", blurred, geometry=geometry)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("page", PAGES)
def test_the_recipes_run(page, folder, capsys):
    text = (ROOT / page).read_text(encoding="utf-8")
    names: dict[str, object] = {"__name__": "recipe"}
    blocks = list(BLOCK.finditer(text))
    assert blocks, f"{page} has no recipe"
    for match in blocks:
        line = text.count("\n", 0, match.start()) + 2
        exec(compile("\n" * (line - 1) + match[1], str(ROOT / page), "exec"), names)
    capsys.readouterr()
    if page.startswith("docs"):
        assert os.path.exists(folder / "consensus.nii.gz")
        assert sitk.ReadImage(str(folder / "consensus.nii.gz")).GetSize() == (48, 48, 6)
