# SPDX-License-Identifier: Apache-2.0
"""The settings as keywords, for type checkers. Made by crema._make_keywords; do not edit."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, TypedDict

Distance = Literal["jaccard", "dice", "soergel", "tanimoto", "dice1", "dice2"]


class Keywords(TypedDict, total=False):
    threshold: float | None
    label: float | None
    undecided: int | None
    segment: str | None
    segments_are: Literal["labels", "raters"] | None
    like: str | None
    connectivity: int | None
    slice_wise: int | str | bool | None
    tie: Literal["background", "foreground"] | None
    blocks: Literal["subcrown", "crown", "voxel", "group"] | None
    weights: str | Sequence[float] | None
    empty_test: bool | None
    gap: bool | None
    certify: bool | None
    budget: int | None
    budget_seconds: float | None
    preset: Literal["itk", "niftyseg", "crkit", "stapler", "stapler-bin"] | None
    prior: float | str | None
    region: Any
    margin: int | None
    tolerance: float | None
    max_iterations: int | None
    drop_below: float | None
    coupling: float | None
    window: int | None
    softness: float | None
    threshold_output: float | None
    provenance: bool | None
    threads: int | None
    low_memory: bool | None
    max_memory: int | str | None


class CertifyKeywords(TypedDict, total=False):
    threshold: float | None
    label: float | None
    segment: str | None
    segments_are: Literal["labels", "raters"] | None
    like: str | None
    connectivity: int | None
    slice_wise: int | str | bool | None
    weights: str | Sequence[float] | None
    budget: int | None
    budget_seconds: float | None
    provenance: bool | None
    threads: int | None
    low_memory: bool | None
    max_memory: int | str | None


class CheckKeywords(TypedDict, total=False):
    threshold: float | None
    label: float | None
    segment: str | None
    segments_are: Literal["labels", "raters"] | None
    like: str | None
    provenance: bool | None
    threads: int | None
    low_memory: bool | None
    max_memory: int | str | None


class BackgroundKeywords(TypedDict, total=False):
    threshold: float | None
    label: float | None
    segment: str | None
    segments_are: Literal["labels", "raters"] | None
    like: str | None
    connectivity: int | None
    slice_wise: int | str | bool | None
    provenance: bool | None
    threads: int | None
    low_memory: bool | None
    max_memory: int | str | None
