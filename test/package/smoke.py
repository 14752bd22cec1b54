# SPDX-License-Identifier: Apache-2.0
"""The installed package fuses three masks, with nothing but numpy beside it."""

import importlib.util

import numpy as np

import crema

for name in ("SimpleITK", "nibabel", "scipy", "tqdm"):
    assert importlib.util.find_spec(name) is None, f"{name} is here: this proves nothing"

masks = np.zeros((3, 1, 4, 4), dtype=np.uint8)
masks[:, 0, 1:3, 1:3] = 1
masks[0, 0, 0, 0] = 1
consensus = crema.fuse(list(masks))
assert consensus.image.sum() == 4, consensus.image
print(f"crema {crema.__version__}: ok")
