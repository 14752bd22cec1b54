# SPDX-License-Identifier: Apache-2.0
"""What napari.yaml names: masks and label maps as layers of labels, and such a layer as a mask."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from crema import _core
from crema._files import read, write
from crema._fuse import fuse
from crema._image import Geometry, Image

if TYPE_CHECKING:
    from numpy.typing import NDArray

Layer = tuple[Any, dict[str, Any], str]


def _layer(image: Image, name: str) -> Layer:
    array, geometry = image
    axes = slice(3 - array.ndim, None)
    meta = {
        "name": name,
        "scale": geometry.spacing[::-1][axes],
        "translate": geometry.origin[::-1][axes],
        "metadata": {"crema": geometry},
    }
    return np.asarray(array), meta, "labels"


def _layers_of(path: str) -> list[Layer]:
    """A layer for each segment, or one for a mask or a label map."""
    stem = os.path.basename(path).split(".")[0]
    headers = _core.read_headers(path, _core.Settings({}))
    if len(headers) > 1:
        return [_layer(read(path, segment=header.name), f"{stem} {header.name}") for header in headers]
    try:
        return [_layer(read(path), stem)]
    except ValueError:
        maps = fuse([path], labels="all").image  # of one rater: the map as it is
        return [_layer(maps, stem)]


def get_reader(path: str | Sequence[str]) -> Callable[[str | Sequence[str]], list[Layer]]:
    """The reader of the files that napari.yaml lists; what is wrong with one is said when it is read."""

    def read_layers(paths: str | Sequence[str]) -> list[Layer]:
        listed = [paths] if isinstance(paths, str) else paths
        return [layer for one in listed for layer in _layers_of(os.fspath(one))]

    return read_layers


def write_mask(path: str, data: NDArray[Any], meta: dict[str, Any]) -> list[str]:
    """Writes a layer of zeros and ones, where the file lay that it came from or by the scale of the layer."""
    array = np.asarray(data)
    geometry = meta.get("metadata", {}).get("crema")
    if not isinstance(geometry, Geometry) or geometry.shape != array.shape:
        x, y, *z = reversed(array.shape)
        scale = [*reversed([float(s) for s in meta.get("scale", ())][-array.ndim :]), 1.0, 1.0, 1.0][:3]
        geometry = replace(Geometry((x, y, z[0] if z else 1)), spacing=(scale[0], scale[1], scale[2]))
    write(path, array, geometry=geometry, overwrite=True)
    return [path]
