# SPDX-License-Identifier: Apache-2.0
"""From what the caller has to masks on one grid: files as they are, masks in memory borrowed where that is possible."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from crema import _core
from crema._channels import class_axis, flatten, refuse_probabilities, to_levels
from crema._files import require_files
from crema._image import Geometry
from crema._kinds import IMAGE, Array, Frame, Kind, Order, Source, is_path, is_stack, kind_of, make_grid
from crema._labels import from_one_hot
from crema._settings import as_text
from crema._tensors.landing import land

_BYTES = (np.dtype(np.uint8), np.dtype(np.bool_))
_STRICT = _core.Settings({})


@dataclass
class Place:
    """The raters' grid, and how the caller's images look."""

    header: _core.Header
    frame: Frame

    def open(self, name: str, image: Any) -> tuple[Source, Order]:
        """Another image beside the raters, and its order in memory; an array must have their shape."""
        kind = kind_of(image)
        source = kind.open(image, name)
        _check_array(source.array, name)
        if source.grid is not None:
            return source, _order_of(kind, source.array)
        if source.array.shape != self.frame.shape:
            shapes = f"shape {source.array.shape}, but the raters' is {self.frame.shape}"
            raise ValueError(f"{name}: {shapes}; they must be equal.")
        return source, self.frame.order

    def align(self, name: str, source: Source, flat: Array) -> tuple[Array, list[str]]:
        """Its voxels on the raters' grid."""
        if source.grid is None:
            return flat, []
        placement = _core.place(self.header, _core.Header(name, source.grid, True))
        if not placement.identity:
            flat = _core.apply(placement, self.header.grid, source.grid, flat)
        return flat, placement.warnings

    def levels(self, name: str, image: Any, *, whole: bool = False) -> tuple[Array, list[str]]:
        """An image in memory as float32 on the raters' grid; with `whole` it must be as large."""
        source, order = self.open(name, image)
        if whole and source.grid is not None and sorted(source.grid.size) != sorted(self.header.grid.size):
            sizes = " × ".join(map(str, source.grid.size)), " × ".join(map(str, self.header.grid.size))
            raise ValueError(
                f"{name}: is {sizes[0]} voxels, but the raters' grid is {sizes[1]}. The image must lie on the raters' "
                "grid; resample it."
            )
        flat = flatten(source.array, order).astype(np.float32)
        if (source.slope, source.intercept) != (1, 0):
            flat = flat * np.float32(source.slope) + np.float32(source.intercept)
        return self.align(name, source, flat)

    def labels(self, name: str, image: Any, channels: int | None) -> tuple[Array, list[str]]:
        """The label of each voxel on the raters' grid, of a label map or a one-hot array."""
        if channels is not None and np.ndim(image) == len(self.frame.shape) + 1:
            image = from_one_hot(kind_of(image).open(image, name).array, channels, name)
        source, order = self.open(name, image)
        return self.align(name, source, _to_labels(source, name, order, source.grid or self.header.grid))


class Raters(Place):
    """All raters of a call on one grid."""

    def __init__(self, source: _core.Raters, frame: Frame, drawn: list[int] | None = None) -> None:
        super().__init__(source.reference, frame)
        self.source = source
        self.drawn = drawn or []  #: of label maps in memory, the voxels that have a label

    def set_slices(self, requested: _core.Settings, value: Any) -> None:
        """An int is an axis of the array, True the axis of the largest spacing."""
        if isinstance(value, (bool, np.bool_)):
            value = "auto" if value else None
        if value is None:
            return
        if not isinstance(value, str):
            if not isinstance(value, (int, np.integer)):
                raise TypeError(f'slice_wise={value!r}: give an axis of the array, "x", "y", "z" or True.')
            ndim = len(self.frame.shape)
            if not -ndim <= value < ndim:
                raise ValueError(f"slice_wise={value}: masks of shape {self.frame.shape} have no such axis.")
            value = "xyz"[value % ndim if self.frame.order == "F" else ndim - 1 - value % ndim]
        requested.set("slice_wise", value)


def named_masks(masks: Any) -> list[tuple[str | None, Any]]:
    """Each rater with the name the caller gave."""
    if isinstance(masks, Mapping):
        return [(str(name), mask) for name, mask in masks.items()]
    if is_path(masks):
        return [(None, masks)]
    if is_stack(masks):
        if masks.ndim < 3:
            raise ValueError(
                f"one array of shape {tuple(masks.shape)} was given, and its first axis is the raters: each mask would "
                f"be {max(masks.ndim - 1, 0)}-D. Give a list of masks, or stack them along a new first axis."
            )
    elif kind_of(masks).order is not None:
        raise ValueError(f"{kind_of(masks).title} was given instead of a list of them; write [mask, ...].")
    if not isinstance(masks, Iterable):
        raise TypeError(f"masks={masks!r}: give the raters' masks as a list, a dict of names or a stacked array.")
    return [(None, mask) for mask in masks]


def _open_files(paths: list[str], names: list[str], requested: _core.Settings) -> Raters:
    require_files(paths, requested)
    source = _core.open_files(paths, names, requested)
    geometry = Geometry.of(source.reference)
    return Raters(source, Frame(IMAGE, geometry, geometry.shape, "C"))


def _advice(array: Array) -> str:
    if 1 in array.shape:
        squeezed = np.squeeze(array)
        axis = class_axis(squeezed)
        if axis is not None:
            return f"squeeze it, and say probabilities=True, channels={axis} for the classes along its axis {axis}."
        return "squeeze it."
    return (
        "give its volumes as raters; one-hot labels, and classes or regions with probabilities=True, come with "
        "channels=, the axis of their channels."
    )


def _check_array(array: Array, name: str, *, levels: bool = False) -> None:
    if array.dtype.kind not in "biuf" or array.dtype.itemsize > 8:
        wanted, kind = ("levels", "float32") if levels else ("a mask", "uint8")
        what = "holds Python objects instead of numbers" if array.dtype.kind == "O" else f"is not valid for {wanted}"
        raise ValueError(
            f"{name}: dtype {array.dtype} {what}; convert it with numpy.asarray(mask, dtype=numpy.{kind})."
        )
    refuse_probabilities(array, name)
    if array.ndim not in (2, 3):
        raise ValueError(
            f"{name}: is {array.ndim}-D with shape {array.shape}, but masks are 2-D or 3-D; "
            + (_advice(array) if array.ndim > 3 else "give it the shape of its image.")
        )
    if 0 in array.shape or max(array.shape) >= 2**31:
        raise ValueError(f"{name}: shape {array.shape}; every size must be at least 1 and below 2³¹.")


def _order_of(kind: Kind, array: Array) -> Order:
    """Fortran's only where the array has that and not C's."""
    if kind.order is not None:
        return kind.order
    return "F" if array.flags.f_contiguous and not array.flags.c_contiguous else "C"


def _refuse_not_finite(array: Array, name: str) -> None:
    """The position in the caller's own order of axes."""
    bad = ~np.isfinite(array)
    count = int(bad.sum())
    if count:
        first = tuple(int(i) for i in np.unravel_index(int(bad.argmax()), bad.shape))
        raise ValueError(
            f"{name}: {count} voxel{' is' if count == 1 else 's are'} NaN or infinite, the first at index {first}; "
            f"replace {'it' if count == 1 else 'them'} by 0."
        )


def value_type(source: Source) -> tuple[Array, _core.ValueType]:
    """Numbers as the library reads them, and what they are."""
    array = source.array
    if array.dtype.kind == "f" and array.dtype.itemsize == 2:
        array = array.astype(np.float32)
    if array.dtype == bool:
        array = array.view(np.uint8)
    native = array.dtype.newbyteorder("=").name
    return array, _core.ValueType(native, not array.dtype.isnative, source.slope, source.intercept)


def _to_mask(
    source: Source, name: str, order: Order, grid: _core.Grid, requested: _core.Settings | None
) -> tuple[Array, list[str]]:
    """Numbers of any kind as bytes, by the rules for files; what is no rater's has no settings."""
    array, number = value_type(source)
    try:
        return _core.to_mask(flatten(array, order).view(np.uint8), number, name, grid, requested)
    except ValueError:
        if array.dtype.kind == "f":
            _refuse_not_finite(array, name)
        raise


def _to_labels(source: Source, name: str, order: Order, grid: _core.Grid) -> Array:
    array, number = value_type(source)
    return _core.to_labels(flatten(array, order).view(np.uint8), number, name, grid)


@dataclass
class _Gathered:
    """Masks or label maps in memory, one rater after the other on the common grid."""

    requested: _core.Settings
    frame: Frame
    header: _core.Header
    masks: list[Array] = field(default_factory=list)
    names: list[str] = field(default_factory=list)
    unchecked: list[str] = field(default_factory=list)  #: the name where values are still to be looked at, else empty
    warnings: list[str] = field(default_factory=list)
    channels: int = 1  #: of each rater's levels

    def add(self, name: str, source: Source, placement: _core.Placement, channels: Array | None) -> None:
        grid, plain = source.grid or self.header.grid, (source.slope, source.intercept) == (1, 0)
        if self.requested.probabilities:
            flat, warnings, unchecked = to_levels(source, self.frame.order, channels), list[str](), ""
            self.channels = 1 if channels is None else len(channels)
        elif self.requested.wants_labels:
            flat, warnings, unchecked = _to_labels(source, name, self.frame.order, grid), list[str](), ""
        elif self.requested.strict and plain and source.array.dtype in _BYTES:
            flat, warnings, unchecked = flatten(source.array, self.frame.order).view(np.uint8), list[str](), name
        else:
            flat, warnings = _to_mask(source, name, self.frame.order, grid, self.requested)
            unchecked = ""
        self.warnings += [*source.warnings, *placement.warnings]
        self.masks.append(flat if placement.identity else _core.apply(placement, self.header.grid, grid, flat))
        self.names.append(name)
        self.unchecked.append(unchecked)
        self.warnings += warnings

    def close(self, reported: list[str]) -> Raters:
        if self.requested.probabilities:
            opened = _core.open_levels(self.header, self.masks, self.channels, self.names, reported, self.warnings)
            return Raters(opened, self.frame)
        if self.requested.wants_labels:
            opened = _core.open_maps(self.header, self.masks, self.names, reported, self.warnings)
            return Raters(opened, self.frame, [int(np.count_nonzero(labels)) for labels in self.masks])
        opened = _core.open_masks(self.header, self.masks, self.names, self.unchecked, reported, self.warnings)
        return Raters(opened, self.frame)


def _array_grid(array: Array, order: Order, spacing: Any) -> _core.Grid:
    if spacing is None:
        return make_grid(array.shape, order, None)
    try:
        steps = tuple(float(step) for step in spacing)
    except TypeError:
        raise TypeError(f"spacing={spacing!r}: give one number per axis of shape {array.shape}.") from None
    if len(steps) != array.ndim or not all(0 < step < float("inf") for step in steps):
        raise ValueError(f"spacing={steps}: give one positive number per axis of shape {array.shape}.")
    return make_grid(array.shape, order, steps)


def frame_on(header: _core.Header, kind: Kind, mask: Any, first: Source) -> Frame:
    """How results look: like the first image, on the common grid."""
    array, order, like = first.array, _order_of(kind, first.array), kind.keep(mask)
    shape, grid = array.shape, header.grid
    if first.grid is not None and not _lie_alike(grid, first.grid):
        size = tuple(grid.size)[:2] if array.ndim == 2 and grid.size[2] == 1 else tuple(grid.size)
        shape, like = size if order == "F" else size[::-1], kind.move(like, header)
    return Frame(kind, like, shape, order, array.dtype == bool)


def _lie_alike(a: _core.Grid, b: _core.Grid) -> bool:
    return (a.size, a.spacing, a.origin, a.direction) == (b.size, b.spacing, b.origin, b.direction)


def lay_out(
    kind: Kind, names: list[str], masks: list[Any], spacing: Any, requested: _core.Settings
) -> tuple[_core.Header, list[_core.Placement]]:
    """Before any voxel is looked at; arrays lie nowhere, so that all must be alike."""
    grids = [kind.where(mask, name) for name, mask in zip(names, masks, strict=True)]
    nowhere = None
    if grids[0] is None:
        arrays = [kind.open(mask, name).array for name, mask in zip(names, masks, strict=True)]
        for name, array in zip(names, arrays, strict=True):
            _check_array(array, name, levels=requested.probabilities)
            if array.shape != arrays[0].shape:
                shapes = f"shape {array.shape}, but {names[0]} is {arrays[0].shape}"
                raise ValueError(f"{name}: {shapes}; resample it or leave it out.")
        nowhere = _array_grid(arrays[0], _order_of(kind, arrays[0]), spacing)
    headers = []
    for name, grid in zip(names, grids, strict=True):
        here = nowhere if grid is None else grid
        assert here is not None
        headers.append(_core.Header(name, here, grid is not None))
    return _core.lay_out(headers, requested)


def open_masks(
    named: list[tuple[str | None, Any]],
    spacing: Sequence[float] | None,
    requested: _core.Settings,
    channels: int | None = None,
) -> Raters:
    """Masks in memory or, where labels are fused, label maps; `channels` is the axis of one-hot arrays or classes."""
    names = [name or f"rater {k + 1}" for k, (name, _) in enumerate(named)]
    landed = land(names, [mask for _, mask in named], requested, channels)
    kind = landed.kind
    header, placements = lay_out(kind, names, landed.masks, spacing, requested)
    gathered: _Gathered | None = None
    for name, mask, placement, own in zip(names, landed.masks, placements, landed.classes, strict=True):
        source = kind.open(mask, name)
        _check_array(source.array, name, levels=requested.probabilities)
        gathered = gathered or _Gathered(requested, landed.home(frame_on(header, kind, mask, source)), header)
        gathered.add(name, source, placement, own)
    assert gathered is not None
    return gathered.close([name for name, _ in named if name])


def open_raters(
    masks: Any, spacing: Sequence[float] | None, requested: _core.Settings, channels: int | None = None
) -> Raters:
    """All raters on one grid. Raises ValueError that names the rater at fault."""
    named = named_masks(masks)
    _core.check_count(len(named))
    paths = [os.fsdecode(mask) for _, mask in named if is_path(mask)]
    if not paths:
        return open_masks(named, spacing, requested, channels)
    if len(paths) < len(named):
        raise ValueError("some raters are files and some are not; give all raters as one kind.")
    if channels is not None:
        raise ValueError("channels= is about arrays, but files were given; leave it out.")
    return _open_files(paths, [name for name, _ in named if name], requested)


def use_region(requested: _core.Settings, raters: Raters, value: Any) -> None:
    """A word, a file, or a mask: an array or image like the raters'."""
    if value is None:
        return
    if is_path(value):
        requested.set("roi", as_text("roi", os.fsdecode(value)))
        require_files([requested.region_file] if requested.region_file else [], _STRICT)
        return
    name = "the region"
    source, order = raters.open(name, value)
    flat, warnings = _to_mask(source, name, order, source.grid or raters.header.grid, None)
    flat, more = raters.align(name, source, flat)
    raters.source.set_region(flat, [*source.warnings, *warnings, *more])
    requested.take_region_mask()
