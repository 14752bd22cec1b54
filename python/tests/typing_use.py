# SPDX-License-Identifier: Apache-2.0
"""What a typed caller writes; mypy reads it, nobody runs it."""

from __future__ import annotations

import numpy as np

import crema

stack, geometry = crema.phantom("organ", size=(8, 32, 32))
one: crema.Result = crema.fuse(stack, method="dice", certify=True, tie="foreground")
paper: dict[str, crema.Result] = crema.fuse(stack, method="paper", max_memory="4G", gap=False)
several: dict[str, crema.Result] = crema.fuse(stack, method=["dice", "staple"], threads=2)
labels: crema.Result = crema.fuse(stack, labels={"organ": 1}, channels=None)
part: crema.Part = labels["organ"]
bound: float | None = one.bound
image: crema.Image = crema.read("mask.nii.gz", threshold=0.5)
certificate: crema.Certificate = crema.certify(np.zeros((8, 32, 32)), stack, distance="soergel")
warnings: list[str] = crema.write("mask.nii.gz", image, overwrite=True)
names: list[str] = [method.name for method in crema.methods()]
checked: crema.Check = crema.check(["a.nii.gz", "b.nii.gz"], threshold=0.5)
padded: crema.Background = crema.background(stack, connectivity=6)
entries: str = crema.cite(["jaccard", "staple"]).bibtex
figure: crema.Figure = one.figure("votes", slice="z=3")
figure.save("figure.png", dpi=150)
reply: dict[str, object] = one.agreement(leave_one_out="exact", bootstrap=200)
dice: np.ndarray = one.leave_one_out().arrays()["dice"]
counted: list[str] = crema.write("votes.nii.gz", one.votes(), counts=True)
