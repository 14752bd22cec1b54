# SPDX-License-Identifier: Apache-2.0
"""The keywords of `fuse` besides masks and method; mypy holds them against its definition."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, TypedDict

Blocks = Literal["subcrown", "crown", "voxel", "group"]
Tie = Literal["background", "foreground"]
SliceWise = int | Literal["x", "y", "z"] | bool | None


class Keywords(TypedDict, total=False):
    connectivity: int | None
    slice_wise: SliceWise
    blocks: Blocks
    weights: Sequence[float] | Literal["auto"] | None
    tie: Tie | None
    prior: float | str | None
    region: Any
    preset: str | None
    certify: bool
    threads: int | None
    threshold: float | None
    label: float | None
    spacing: Sequence[float] | None
    empty_test: bool
    margin: int | None
    tolerance: float | None
    max_iterations: int | None
    drop_below: float | None
    coupling: float | None
    window: int | None
    softness: float | None
    budget: int | None
    budget_seconds: float | None
    max_memory: int | None
    progress: Any
