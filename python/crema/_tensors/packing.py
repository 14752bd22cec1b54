# SPDX-License-Identifier: Apache-2.0
"""Tensors on another device, cropped and packed there, so that little is copied to the host.

Masks of 0 and 1 become bits, up to eight raters to the byte; label maps become bytes; of levels the box is copied
outside of which all are below the floor. On the host they are put together again: each array has the values of its
tensor, but levels below the floor may be 0. Where that cannot be promised there is None, and the tensor has to be
copied as it is. All this needs NumPy and the tensors' own operations, and nothing else of the package.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

Array: TypeAlias = "NDArray[Any]"
Box: TypeAlias = "tuple[slice, ...]"

_INTEGERS = ("bool", "uint8", "int8", "int16", "int32", "int64")
_FLOATS = ("float16", "float32", "float64")
_BITS = 8
_ROUNDING = 5e-7  #: how far levels may lie outside 0 to 1; the library allows twice that
_SUM = 5e-4  #: how far the sum of a voxel's classes may be from 1; the library warns at twice that


def _type_of(tensor: Any) -> str:
    return str(tensor.dtype).removeprefix("torch.")


def _is_plain(tensor: Any, *types: str) -> bool:
    return _type_of(tensor) in types and not getattr(tensor, "is_sparse", False) and 0 not in tuple(tensor.shape)


def _order_of(tensor: Any) -> Literal["C", "F"]:
    """In which order a plain copy would lie."""
    if tensor.is_contiguous():
        return "C"
    return "F" if tensor.permute(*reversed(range(tensor.ndim))).is_contiguous() else "C"


def _host(tensor: Any) -> Array:
    array: Array = tensor.cpu().numpy()
    return array


def _along(tensor: Any, axis: int) -> Array:
    """Where anything is, along one axis."""
    for other in reversed(range(tensor.ndim)):
        if other != axis:
            tensor = tensor.any(other)
    found: Array = _host(tensor) != 0
    return found


def box_around(tensors: Sequence[Any]) -> Box | None:
    """The smallest box with all that is not 0 in any of these tensors of one shape; None where all is."""
    box = [slice(0, size) for size in tensors[0].shape]
    for axis in range(len(box)):
        found = np.any([_along(tensor[tuple(box)], axis) for tensor in tensors], axis=0)
        where = np.flatnonzero(found)
        if where.size == 0:
            return None
        box[axis] = slice(int(where[0]), int(where[-1]) + 1)
    return tuple(box)


def pack(tensors: Sequence[Any], box: Box) -> Any:
    """A byte for each voxel of the box, with a bit for each of up to eight masks."""
    bits = (tensors[0][box] != 0).byte()
    for k, tensor in enumerate(tensors[1:], start=1):
        bits = bits | ((tensor[box] != 0).byte() << k)
    return bits


def _whole(tensor: Any, dtype: Any, box: Box, inside: Array) -> Array:
    array = np.zeros(tuple(tensor.shape), dtype, order=_order_of(tensor))
    array[box] = inside
    return array


def _unpacked(tensors: Sequence[Any], box: Box) -> list[Array]:
    arrays = []
    for first in range(0, len(tensors), _BITS):
        some = tensors[first : first + _BITS]
        bits = _host(pack(some, box))
        for k, tensor in enumerate(some):
            dtype = bool if _type_of(tensor) == "bool" else np.uint8
            arrays.append(_whole(tensor, dtype, box, (bits >> np.uint8(k)) & np.uint8(1)))
    return arrays


def _is_binary(tensor: Any) -> bool:
    return _type_of(tensor) == "bool" or bool(((tensor == 0) | (tensor == 1)).all())


def _labels(tensor: Any, box: Box) -> Array | None:
    """Whole numbers, in bytes where they fit; None for others."""
    if _type_of(tensor) not in _INTEGERS:
        return None
    crop = tensor[box]
    if bool(((crop >= 0) & (crop <= 255)).all()):
        crop = crop.byte()
    inside = _host(crop)
    return _whole(tensor, inside.dtype, box, inside)


def _groups(tensors: Sequence[Any], *types: str) -> list[list[int]]:
    """Those that can be looked at together: of one shape on one device."""
    groups: dict[Any, list[int]] = {}
    for k, tensor in enumerate(tensors):
        if _is_plain(tensor, *types):
            groups.setdefault((str(tensor.device), tuple(tensor.shape)), []).append(k)
    return list(groups.values())


def bring_masks(tensors: Sequence[Any]) -> list[Array | None]:
    """Masks and label maps on the host."""
    arrays: list[Array | None] = [None] * len(tensors)
    for group in _groups(tensors, *_INTEGERS, *_FLOATS):
        box = box_around([tensors[k] for k in group])
        if box is None:
            box = (slice(0, 0),) * tensors[group[0]].ndim
        binary = [k for k in group if _is_binary(tensors[k][box])]
        for k, array in zip(binary, _unpacked([tensors[k] for k in binary], box), strict=True):
            arrays[k] = array
        for k in group:
            if arrays[k] is None:
                arrays[k] = _labels(tensors[k], box)
    return arrays


def _are_levels(tensor: Any, background: bool) -> bool:
    """From 0 to 1 and, with the background among the classes, of the sum 1: nothing to complain of is cropped."""
    if not bool(((tensor >= -_ROUNDING) & (tensor <= 1 + _ROUNDING)).all()):
        return False
    return not background or bool(((tensor.float().sum(0) - 1).abs() < _SUM).all())


def _may_be_cropped(box: Box, shape: tuple[int, ...]) -> bool:
    """An image whose classes are taken for slices fills all axes but one, and has to be seen whole to be recognised."""
    return len(shape) < 3 or sum(size > at.stop - at.start for at, size in zip(box, shape, strict=True)) > 1


def _levels(stack: Any, box: Box, background: bool) -> Array:
    shape = tuple(stack.shape)
    if _order_of(stack[0]) == "C":
        whole = np.zeros(shape, np.float32)
    else:
        whole = np.zeros((shape[0], *shape[:0:-1]), np.float32).transpose(0, *range(len(shape) - 1, 0, -1))
    if background:
        whole[0] = 1
    inside = (slice(None), *box)
    whole[inside] = _host(stack[inside].float())
    return whole


def bring_levels(
    tensors: Sequence[Any], floor: float, channels: int | None = None, *, background: bool = True
) -> list[Array | None]:
    """Levels on the host, as float32; `channels` is the axis of the classes, of which the first is the background."""
    arrays: list[Array | None] = [None] * len(tensors)
    background = background and channels is not None
    for group in _groups(tensors, *_FLOATS):
        some = [tensors[k] for k in group]
        if some[0].ndim - (channels is not None) not in (2, 3) or not -some[0].ndim <= (channels or 0) < some[0].ndim:
            continue
        stacks = [tensor[None] if channels is None else tensor.movedim(channels, 0) for tensor in some]
        if not all(_are_levels(stack, background) for stack in stacks):
            continue
        box = box_around([(stack[int(background) :] >= floor).any(0) for stack in stacks])
        if box is None or (channels is None and not _may_be_cropped(box, tuple(some[0].shape))):
            continue
        for k, stack in zip(group, stacks, strict=True):
            whole = _levels(stack, box, background)
            arrays[k] = whole[0] if channels is None else np.moveaxis(whole, 0, channels)
    return arrays
