# SPDX-License-Identifier: Apache-2.0
"""Masks to try things on."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np

from crema import _core
from crema._image import Geometry

if TYPE_CHECKING:
    from numpy.typing import NDArray


class Phantom(NamedTuple):
    """Masks of several made-up raters.

    Attributes
    ----------
    masks : ndarray
        uint8, of shape (raters, z, y, x).
    geometry : Geometry
        Of each of them.
    """

    masks: NDArray[np.uint8]
    geometry: Geometry


def phantom(
    kind: Literal["organ", "lesions", "cord", "toy", "spine"] = "lesions",
    *,
    size: tuple[int, int, int] | Literal["small", "full"] = "small",
    raters: int | None = None,
    seed: int = 1,
    lesions: int | None = None,
) -> Phantom:
    """Made-up raters with the geometry of the paper's datasets.

    Parameters
    ----------
    kind : {"organ", "lesions", "cord", "toy", "spine"}
        One large object, many small ones, a thin one across slices, blocks side by side, or a thick one across slices.
    size : (z, y, x) or {"small", "full"}
        Size of the image; "full" is the size in the paper.
    raters : int, optional
        Number of raters; by default that of the paper's dataset.
    seed : int
        The same seed gives the same voxels on every machine.
    lesions : int, optional
        How many, for the kind of that name.

    Examples
    --------
    >>> import crema
    >>> masks, geometry = crema.phantom("organ", size=(8, 32, 32), raters=3)
    >>> masks.shape
    (3, 8, 32, 32)
    """
    if size not in ("small", "full") if isinstance(size, str) else len(size) != 3:
        raise ValueError(f'{size!r} is not a valid size; write "small", "full" or (z, y, x).')
    extent = None if isinstance(size, str) else (size[2], size[1], size[0])
    flat, grid = _core.phantom(kind, extent, size == "full", raters or 0, seed, lesions or 0)
    return Phantom(flat.reshape(-1, *reversed(grid.size)), Geometry.of(grid))
