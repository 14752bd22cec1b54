# SPDX-License-Identifier: Apache-2.0
"""The settings as keywords, for type checkers. Made by crema._make_keywords; do not edit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, TypedDict

Distance = Literal[
    "jaccard", "dice", "soergel", "tanimoto", "dice1", "dice2", "hamming", "hamming1", "tversky", "tversky1"
]


class Keywords(TypedDict, total=False):
    threshold: float | None
    label: float | None
    labels: str | Sequence[int] | Sequence[str] | Mapping[str, int] | None
    regions: str | Mapping[str, Sequence[int]] | None
    undecided: int | None
    segment: str | None
    segments_are: Literal["labels", "raters"] | None
    palette: str | None
    like: str | None
    probabilities: bool | None
    logits: Literal["softmax", "sigmoid"] | None
    floor: float | None
    connectivity: int | None
    slice_wise: int | str | bool | None
    tie: Literal["background", "foreground"] | None
    blocks: Literal["subcrown", "crown", "voxel", "group"] | None
    weights: str | Sequence[float] | None
    empty_test: bool | None
    alpha: float | None
    beta: float | None
    gap: bool | None
    certify: bool | None
    budget: int | None
    budget_seconds: float | None
    preset: Literal["itk", "niftyseg", "crkit", "stapler", "stapler-bin", "nnunet"] | None
    prior: float | str | None
    roi: Any
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
    labels: str | Sequence[int] | Sequence[str] | Mapping[str, int] | None
    regions: str | Mapping[str, Sequence[int]] | None
    segment: str | None
    segments_are: Literal["labels", "raters"] | None
    palette: str | None
    like: str | None
    probabilities: bool | None
    logits: Literal["softmax", "sigmoid"] | None
    floor: float | None
    connectivity: int | None
    slice_wise: int | str | bool | None
    weights: str | Sequence[float] | None
    alpha: float | None
    beta: float | None
    budget: int | None
    budget_seconds: float | None
    consensus_threshold: float | None
    provenance: bool | None
    threads: int | None
    low_memory: bool | None
    max_memory: int | str | None


class CheckKeywords(TypedDict, total=False):
    threshold: float | None
    label: float | None
    labels: str | Sequence[int] | Sequence[str] | Mapping[str, int] | None
    regions: str | Mapping[str, Sequence[int]] | None
    segment: str | None
    segments_are: Literal["labels", "raters"] | None
    palette: str | None
    like: str | None
    probabilities: bool | None
    logits: Literal["softmax", "sigmoid"] | None
    floor: float | None
    provenance: bool | None
    threads: int | None
    low_memory: bool | None
    max_memory: int | str | None


class BackgroundKeywords(TypedDict, total=False):
    threshold: float | None
    label: float | None
    labels: str | Sequence[int] | Sequence[str] | Mapping[str, int] | None
    regions: str | Mapping[str, Sequence[int]] | None
    segment: str | None
    segments_are: Literal["labels", "raters"] | None
    palette: str | None
    like: str | None
    connectivity: int | None
    slice_wise: int | str | bool | None
    provenance: bool | None
    threads: int | None
    low_memory: bool | None
    max_memory: int | str | None


class MeasureKeywords(TypedDict, total=False):
    roi: Any
    margin: int | None
    surface_tolerance: float | None
    hd95: Literal["max", "pooled", "area"] | None
    surfaces: bool | None
    leave_one_out: Literal["fixed", "exact"] | None
    bootstrap: int | None
    seed: int | None
    flip_weights: bool | None
    uniqueness: bool | None
