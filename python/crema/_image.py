# SPDX-License-Identifier: Apache-2.0
"""Arrays that know where they lie."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.lib.mixins import NDArrayOperatorsMixin

from crema import _core

if TYPE_CHECKING:
    from numpy.typing import NDArray


@dataclass(frozen=True)
class Geometry:
    """Where voxels lie, in millimetres; the axes of the world point right, anterior and superior.

    Attributes
    ----------
    size, spacing, origin : tuple
        Along x, y, z: the reverse of the order in which arrays are indexed.
    direction : tuple of 9 floats
        Row by row; its columns are the directions of x, y, z.
    """

    size: tuple[int, int, int]
    spacing: tuple[float, float, float] = (1.0, 1.0, 1.0)
    origin: tuple[float, float, float] = (0.0, 0.0, 0.0)
    direction: tuple[float, ...] = (1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0)
    _header: _core.Header | None = field(default=None, repr=False, compare=False)
    _measured: bool = field(default=True, repr=False, compare=False)

    @staticmethod
    def of(source: _core.Header | _core.Grid) -> Geometry:
        header = source if isinstance(source, _core.Header) else None
        grid = source.grid if isinstance(source, _core.Header) else source
        x, y, z = grid.size
        spacing, origin = tuple(grid.spacing), tuple(grid.origin)
        return Geometry((x, y, z), spacing, origin, tuple(grid.direction), header, grid.measured)  # type: ignore[arg-type]

    @property
    def shape(self) -> tuple[int, ...]:
        """As arrays have it: (z, y, x), or (y, x) for one slice."""
        x, y, z = self.size
        return (y, x) if z == 1 else (z, y, x)

    @property
    def affine(self) -> NDArray[np.float64]:
        """4×4, from voxel (i, j, k) along x, y, z to millimetres, as nibabel has it."""
        affine = np.eye(4)
        affine[:3, :3] = np.reshape(self.direction, (3, 3)) * self.spacing
        affine[:3, 3] = self.origin
        return affine

    def grid(self) -> _core.Grid:
        return _core.Grid(self.size, self.spacing, self.origin, self.direction, self._measured)

    def header(self, name: str) -> _core.Header:
        """The file's own, where there is one: what is written with it has its geometry to the bit."""
        own = self._header
        return own if own is not None and Geometry.of(own) == self else _core.Header(name, self.grid(), True)

    def unmarked(self) -> Geometry:
        """The same for what is no consensus: a file that is written with it does not say that it is one."""
        return replace(self, _header=self._header.unmarked()) if self._header is not None else self

    def cropped(self, parts: tuple[slice, ...]) -> Geometry:
        """Where the voxels lie that slices of an array of this shape leave; None of them may be empty."""
        size, spacing, origin = list(self.size), list(self.spacing), np.array(self.origin)
        direction = np.reshape(self.direction, (3, 3)).copy()
        for axis, part in zip(range(len(parts) - 1, -1, -1), parts, strict=True):
            kept = range(*part.indices(self.size[axis]))
            origin = origin + direction[:, axis] * self.spacing[axis] * kept.start
            spacing[axis] *= abs(kept.step)
            direction[:, axis] *= np.sign(kept.step)
            size[axis] = len(kept)
        result: Any = [tuple(size), tuple(spacing), tuple(origin.tolist()), tuple(direction.ravel().tolist())]
        return self if result == [self.size, self.spacing, self.origin, self.direction] else Geometry(*result)

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_header": None}

    def __deepcopy__(self, _memo: object) -> Geometry:
        return self


def _as_array(value: Any) -> Any:
    return value.array if isinstance(value, Image) else value


@dataclass(frozen=True, eq=False)
class Image(NDArrayOperatorsMixin):
    """An array and where it lies; unpacks to the two, and can be pickled and copied.

    It stands for its array: in NumPy's functions, in arithmetic and comparisons, by index, and by the attributes and
    methods of arrays. What has a value for every voxel, or for a box of them, stays an Image; all else is an array.

    Attributes
    ----------
    array : ndarray
        Indexed (z, y, x), or (y, x) for one slice.
    geometry : Geometry
    warnings : tuple of str
        What was remarkable about the file.
    counts : bool
        Whether it holds numbers of raters, which `write` then takes.

    Examples
    --------
    >>> import numpy as np, crema
    >>> image = crema.Image(np.eye(4, dtype=np.uint8), crema.Geometry((4, 4, 1), (2.0, 2.0, 1.0)))
    >>> (image > 0).geometry.spacing, image[1:, 1:].geometry.origin, int(image.sum()), int(image[2, 2])
    ((2.0, 2.0, 1.0), (2.0, 2.0, 0.0), 4, 1)
    """

    array: NDArray[Any]
    geometry: Geometry
    warnings: tuple[str, ...] = ()
    counts: bool = False

    def __iter__(self) -> Iterator[Any]:
        yield self.array
        yield self.geometry

    def __len__(self) -> int:
        return len(self.array)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]:
        if copy is False and dtype is not None and np.dtype(dtype) != self.array.dtype:
            raise ValueError(f"an image of {self.array.dtype} is no {np.dtype(dtype)} array without a copy.")
        return np.array(self.array, dtype) if copy else np.asarray(self.array, dtype)

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, **kwargs: Any) -> Any:
        places = {image.geometry for image in inputs if isinstance(image, Image)}
        if len(places) > 1:
            raise ValueError(f"{ufunc.__name__}: the images do not lie alike; put one on the other's grid first.")
        if "out" in kwargs:
            kwargs["out"] = tuple(map(_as_array, kwargs["out"]))
        result = getattr(ufunc, method)(*map(_as_array, inputs), **kwargs)
        if method != "__call__" or "out" in kwargs:
            return result
        return tuple(map(self._placed, result)) if isinstance(result, tuple) else self._placed(result)

    def _placed(self, result: Any) -> Any:
        shape = getattr(result, "shape", None)
        return replace(self, array=result, warnings=(), counts=False) if shape == self.array.shape else result

    def __getitem__(self, index: Any) -> Any:
        found = self.array[_as_array(index)]
        parts = index if isinstance(index, tuple) else (index,)
        if not all(isinstance(part, slice) for part in parts) or 0 in found.shape:
            return found
        every = (*parts, *(slice(None),) * (self.array.ndim - len(parts)))
        return replace(self, array=found, geometry=self.geometry.cropped(every))

    def __setitem__(self, index: Any, value: Any) -> None:
        self.array[_as_array(index)] = _as_array(value)

    def __getattr__(self, name: str) -> Any:
        """What arrays have: shape, dtype, sum() and the like."""
        if name.startswith("_") or not hasattr(np.ndarray, name):
            raise AttributeError(f"an image of crema has no attribute {name}.")
        return getattr(self.array, name)
