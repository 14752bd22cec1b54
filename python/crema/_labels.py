# SPDX-License-Identifier: Apache-2.0
"""Several labels, as people name them, and one-hot arrays as label maps."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from crema._channels import refuse_probabilities
from crema._settings import by_present_names

if TYPE_CHECKING:
    from crema._kinds import Array

_THIN = 4  #: so few slices are more likely channels


def labels_text(labels: Any) -> str:
    """As the library reads it: "all", "1,2", "liver=1,tumour=2" or names of segments."""
    if isinstance(labels, Mapping):
        return ",".join(f"{name}={int(label)}" for name, label in labels.items())
    return labels if isinstance(labels, str) else ",".join(map(str, labels))


def regions_text(regions: Any) -> str:
    """As the library reads it: "whole=1+2+4,core=1+4"."""
    if not isinstance(regions, Mapping):
        return str(regions)
    return ",".join(
        f"{name}={int(labels)}"
        if isinstance(labels, (int, np.integer))
        else f"{name}={labels if isinstance(labels, str) else '+'.join(str(label) for label in labels)}"
        for name, labels in regions.items()
    )


def given_keywords(settings: Mapping[str, Any], channels: int | None) -> dict[str, Any]:
    """The keywords that were given, with labels as text; one-hot arrays are labels without further words."""
    given = by_present_names({name: value for name, value in settings.items() if value is not None})
    if channels is not None and "labels" not in given and "regions" not in given:
        given["labels"] = "all"
    for name, text in (("labels", labels_text), ("regions", regions_text)):
        if name in given:
            given[name] = text(given[name])
    return given


def refuse_channels(masks: Any) -> None:
    """One array of four axes whose second one looks like channels: only the caller knows."""
    shape = tuple(masks.shape)
    if isinstance(masks, np.ndarray) and len(shape) == 4 and shape[0] > 0:
        refuse_probabilities(masks[0], "rater 1")
    if len(shape) == 4 and 2 <= shape[1] <= _THIN and 2 * shape[1] < min(shape[2:]):
        raise ValueError(
            f"one array of shape {shape} was given: its second axis may be {shape[1]} slices or {shape[1]} channels. "
            "For slices give list(array); for one-hot labels say channels=0, counted in each rater's array."
        )


def from_one_hot(array: Array, axis: int, name: str) -> Array:
    """Channel c is label c, and channel 0 the background; a voxel has one of them, or none."""
    if not -array.ndim <= axis < array.ndim or array.ndim not in (3, 4):
        raise ValueError(f"{name}: channels={axis}, but the array has shape {array.shape}; say which axis they are.")
    hot = np.moveaxis(array, axis, 0)
    if hot.shape[0] < 2 or hot.shape[0] > 65535:
        raise ValueError(f"{name}: axis {axis} of shape {array.shape} has {hot.shape[0]} channels; 2 to 65535 can be.")
    marked = hot != 0
    if not np.array_equal(hot, marked):
        refuse_probabilities(array, name)
        raise ValueError(
            f"{name}: holds other values than 0 and 1, so that it is not one-hot; for scores of classes give "
            f'numpy.argmax(mask, axis={axis}) of each rater and say labels="all" instead of channels=.'
        )
    several = int((marked.sum(axis=0) > 1).sum())
    if several:
        raise ValueError(f"{name}: {several} voxels have several channels; labels of one rater exclude each other.")
    return np.ascontiguousarray(marked.argmax(axis=0).astype(np.uint16))
