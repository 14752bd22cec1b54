# SPDX-License-Identifier: Apache-2.0
"""Arrays that have an axis of classes: what a network gives, and not yet a mask."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from crema._kinds import Array, Order, Source

_SAMPLE = 4096  #: about so many values are looked at before all are


def _first_voxels(classes: NDArray[Any]) -> NDArray[Any]:
    """Some voxels with all their classes, without a copy."""
    wanted = max(16, _SAMPLE // classes.shape[0])
    for axis in range(1, classes.ndim):
        behind = math.prod(classes.shape[axis + 1 :])
        classes = classes[(slice(None),) * axis + (slice(max(1, wanted // behind)),)]
    return classes


BESIDE_RATERS = ("the consensus", "the region")
"""What messages call an array that is no rater's: advice about raters is not for it."""


def _sums_to_one(array: NDArray[Any], axis: int) -> bool:
    """Whether all values along an axis are shares of one."""
    classes = np.moveaxis(array, axis, 0)
    for part in (_first_voxels(classes), classes):
        if not (np.abs(part.sum(axis=0, dtype=np.float64) - 1) < 0.01).all() or part.min() < -0.01:
            return False
    return True


def class_axis(array: NDArray[Any]) -> int | None:
    """The axis of the classes, whose probabilities have the sum 1 at every voxel; None where there is none."""
    if array.dtype.kind != "f" or array.ndim not in (3, 4) or 0 in array.shape:
        return None
    for axis in (0, array.ndim - 1, *range(1, array.ndim - 1)):
        if array.shape[axis] > 1 and _sums_to_one(array, axis):
            return axis if ((array != 0) & (array != 1)).any() else None  # masks are no probabilities
    return None


def refuse_probabilities(array: NDArray[Any], name: str) -> None:
    """Says all that there is to do with the probabilities of several classes."""
    axis = class_axis(array)
    if axis is None:
        return
    what = (
        f"{name}: holds the probabilities of {array.shape[axis]} classes along axis {axis} of its shape {array.shape}"
    )
    if name in BESIDE_RATERS:
        raise ValueError(f"{what}; give one mask, such as numpy.argmax(mask, axis={axis}) == 1 for class 1.")
    raise ValueError(
        f"{what}. To fuse them say probabilities=True, channels={axis}. To fuse masks instead, give "
        f'numpy.argmax(mask, axis={axis}) of each rater and say labels="all" or, for one class, such as 1, '
        f"numpy.take(mask, 1, axis={axis}) and say threshold=0.5."
    )


def class_channels(names: list[str], arrays: list[NDArray[Any]], axis: int, *, regions: bool) -> list[NDArray[Any]]:
    """The maps of all classes, one after the other; channel 0 is the background, unless they are regions."""
    stacks: list[NDArray[Any]] = []
    for name, array in zip(names, arrays, strict=True):
        if not -array.ndim <= axis < array.ndim or array.ndim not in (3, 4):
            raise ValueError(
                f"{name}: channels={axis}, but the array has shape {array.shape}; say which axis they are."
            )
        if array.dtype.kind not in "biuf":
            raise ValueError(f"{name}: dtype {array.dtype} is not valid for levels; convert it to numpy.float32.")
        stacks.append(np.moveaxis(array, axis, 0))
        if len(stacks[-1]) == 1 and not regions:
            raise ValueError(
                f"{name}: axis {axis} of shape {array.shape} has one channel, but the background has one of its own; "
                f"give numpy.squeeze(mask, axis={axis}) of each rater and leave channels= out."
            )
        if len(stacks[-1]) != len(stacks[0]):
            raise ValueError(
                f"{name}: has {len(stacks[-1])} channels, but {names[0]} has {len(stacks[0])}; give maps of the same "
                "network."
            )
    return stacks


def flatten(array: Array, order: Order) -> Array:
    """The memory of an array; a copy only where that is not one run in this order."""
    return np.asarray(array, order=order).reshape(-1, order=order)


def to_levels(source: Source, order: Order, channels: Array | None) -> Array:
    """Numbers of any kind as float32, channel after channel; the library looks at their range."""
    if channels is not None:
        floats = channels.astype(np.float32, copy=False)
        if order == "C":
            return flatten(floats, "C")
        return np.concatenate([flatten(channel, order) for channel in floats])
    flat = flatten(source.array, order).astype(np.float32, copy=False)
    if (source.slope, source.intercept) != (1, 0):
        flat = flat * np.float32(source.slope) + np.float32(source.intercept)
    return flat
