# SPDX-License-Identifier: Apache-2.0
"""Tensors of torch, wherever they live, and MONAI's, which know where in space they lie.

Voxels on another device are cropped and packed there where that can be done, and copied to the host; results go back.
What is kept of a tensor is no tensor on that device, so that results can be pickled. Neither package is imported here:
the owner of a tensor has imported them.
"""

from __future__ import annotations

import copy
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

Array: TypeAlias = "NDArray[Any]"


class TensorLike(NamedTuple):
    """What is needed to make a tensor like another; MONAI's have an affine too."""

    device: str
    shape: tuple[int, ...] = ()
    affine: Array | None = None
    meta: dict[str, Any] | None = None


def voxels(tensor: Any, name: str) -> Array:
    """On the host: shared where they are there already, copied where not."""
    device = tensor.device.type
    if device == "meta":
        raise ValueError(f"{name}: is on torch's meta device and has no voxels; give a tensor that holds its data.")
    tensor = tensor.detach()
    if device != "cpu":
        tensor = tensor.cpu()
    tensor = tensor.resolve_conj().resolve_neg()
    try:
        array: Array = tensor.numpy()
    except TypeError as error:
        raise ValueError(
            f"{name}: {tensor.dtype} is not valid for a mask or levels ({error}); convert it with .float(), or masks "
            "with .byte()."
        ) from None
    return array


def keep(tensor: Any) -> TensorLike:
    return TensorLike(str(tensor.device))


def wrap(like: TensorLike, array: Array) -> Any:
    result = sys.modules["torch"].from_numpy(array)
    return result if like.device == "cpu" else result.to(like.device)


def _plain(tensor: Any) -> Any:
    """MONAI's class would answer every question with another of its own; the plain tensor is enough."""
    return tensor.as_tensor() if hasattr(tensor, "as_tensor") else tensor


def _is_meta(tensor: Any) -> bool:
    return hasattr(tensor, "as_tensor")


def whole(tensor: Any, name: str) -> Array:
    """With all axes that it has."""
    return voxels(_plain(tensor), name)


def land(
    tensors: list[Any], names: list[str], bring: Callable[[list[Any]], list[Array | None]], *, channels: bool
) -> list[Any]:
    """The same on the host. `bring` makes arrays of tensors, or None of those that it cannot serve; with channels it
    sees all axes."""
    away = [k for k, tensor in enumerate(tensors) if tensor.device.type not in ("cpu", "meta")]
    plain = [_plain(tensors[k]).detach() for k in away]
    shaped = [
        tensor.reshape(spatial(tuple(tensor.shape))) if _is_meta(tensors[k]) else tensor
        for k, tensor in zip(away, plain, strict=True)
    ]
    landed = list(tensors)
    for k, tensor, array in zip(away, plain, bring(shaped), strict=True):
        array = voxels(tensor, names[k]) if array is None else array.reshape(tuple(tensor.shape))
        landed[k] = remake(tensors[k], array)
    return landed


def remake(tensor: Any, array: Array) -> Any:
    """A tensor on the host with the voxels of an array, that lies where another one does."""
    if not _is_meta(tensor):
        return wrap(TensorLike("cpu"), array)
    return meta_wrap(meta_keep(tensor)._replace(device="cpu", shape=array.shape), array)


def spatial(shape: tuple[int, ...]) -> tuple[int, ...]:
    """MONAI puts channels first: one of them is no axis of a mask."""
    return shape[1:] if len(shape) == 4 and shape[0] == 1 else shape


def meta_affine(tensor: Any, name: str) -> Array:
    """4 × 4; images in a plane may come with 3 × 3."""
    affine = np.asarray(voxels(tensor.affine, name), dtype=np.float64)
    if affine.shape == (3, 3):
        whole = np.eye(4)
        whole[np.ix_([0, 1, 3], [0, 1, 3])] = affine
        affine = whole
    if affine.shape != (4, 4) or not np.isfinite(affine).all():
        raise ValueError(f"{name}: its affine is not 4 × 4 finite numbers; correct tensor.affine first.")
    return affine


def meta_voxels(tensor: Any, name: str) -> Array:
    array = voxels(_plain(tensor), name)
    return array.reshape(spatial(array.shape))


def meta_keep(tensor: Any) -> TensorLike:
    meta = {key: value for key, value in dict(tensor.meta).items() if key != "affine"}
    return TensorLike(
        str(tensor.device), tuple(tensor.shape), meta_affine(tensor, "the first rater"), copy.deepcopy(meta)
    )


def meta_move(like: TensorLike, size: tuple[int, ...], affine: Array) -> TensorLike:
    """The same on another grid, with as many axes as it had."""
    inner = spatial(like.shape)
    moved = size[:2] if len(inner) == 2 and size[2] == 1 else size
    return like._replace(shape=(*like.shape[: len(like.shape) - len(inner)], *moved), affine=affine)


def meta_wrap(like: TensorLike, array: Array) -> Any:
    data = wrap(like, np.ascontiguousarray(array).reshape(like.shape))
    affine = sys.modules["torch"].from_numpy(np.array(like.affine))
    return sys.modules["monai.data.meta_tensor"].MetaTensor(data, affine=affine, meta=copy.deepcopy(like.meta))
