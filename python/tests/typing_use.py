# SPDX-License-Identifier: Apache-2.0
"""What a typed caller writes; mypy reads it, nobody runs it."""

from __future__ import annotations

import numpy as np

import crema

stack, geometry = crema.phantom("organ", size=(8, 32, 32))
one: crema.Result = crema.fuse(stack, method="dice", certify=True, tie="foreground")
paper: dict[str, crema.Result] = crema.fuse(stack, method="paper", max_memory="4G", gap=False)
several: dict[str, crema.Result] = crema.fuse(stack, method=["dice", "staple"], threads=2)
bound: float | None = one.bound
image: crema.Image = crema.read("mask.nii.gz", threshold=0.5)
certificate: crema.Certificate = crema.certify(np.zeros((8, 32, 32)), stack, distance="soergel")
warnings: list[str] = crema.write("mask.nii.gz", image, overwrite=True)
names: list[str] = [method.name for method in crema.methods()]
