# SPDX-License-Identifier: Apache-2.0
"""From what the caller has to masks on one grid, borrowed where that is possible."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from crema import _core
from crema._files import open_headers, read_opened
from crema._kinds import Array, Kind, Order, Source, is_path, is_stack, kind_of, make_grid

MOST_RATERS = 64
_BYTES = (np.dtype(np.uint8), np.dtype(np.bool_))


@dataclass
class Raters:
    """Masks of one grid, in memory order."""

    names: list[str]
    unjudged: list[str]  #: the name where values are still to be looked at, else empty
    masks: list[Array]  #: flat, one byte per voxel
    header: _core.Header  #: of the first rater
    order: Order
    shape: tuple[int, ...]
    boolean: bool  #: the first one is bool, so that a hard result is
    wrap: Callable[[Array], Any]
    files: list[str]  #: what the record calls the raters; empty for nameless ones
    warnings: list[str]

    @property
    def grid(self) -> _core.Grid:
        return self.header.grid

    def shaped(self, flat: Array) -> Array:
        return flat.reshape(self.shape, order=self.order)


def _named(masks: Any) -> list[tuple[str | None, Any]]:
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
        return [(None, mask) for mask in masks]
    if kind_of(masks).order is not None:
        raise ValueError(f"{kind_of(masks).title} was given instead of a list of them; write [mask, ...].")
    return [(None, mask) for mask in masks]


def _check_count(count: int) -> None:
    if count == 0:
        raise ValueError("no raters were given; give at least one mask.")
    if count > MOST_RATERS:
        raise ValueError(f"{count} raters were given, but at most {MOST_RATERS} can be fused; leave some out.")


def _read_files(named: list[tuple[str | None, Any]], options: _core.ReadOptions) -> list[tuple[str | None, Any]]:
    """Files as images of ours; one with several segments gives as many raters."""
    opened: list[tuple[str | None, Any]] = []
    for name, mask in named:
        for header in open_headers(os.fspath(mask), options):
            opened.append((name or _core.rater_name(header), read_opened(header, options)))
    return opened


def _check_array(array: Array, name: str) -> None:
    if array.dtype.kind not in "biuf" or array.dtype.itemsize > 8:
        what = "holds Python objects instead of numbers" if array.dtype.kind == "O" else "is no type for a mask"
        raise ValueError(f"{name}: dtype {array.dtype} {what}; convert it with numpy.asarray(mask, dtype=numpy.uint8).")
    if array.ndim not in (2, 3):
        raise ValueError(
            f"{name}: is {array.ndim}-D with shape {array.shape}, but masks are 2-D or 3-D; "
            + ("squeeze it, or give its volumes as raters." if array.ndim > 3 else "give it the shape of its image.")
        )
    if 0 in array.shape or max(array.shape) >= 2**31:
        raise ValueError(f"{name}: shape {array.shape}; every size must be at least 1 and below 2³¹.")


def _order_of(kind: Kind, array: Array) -> Order:
    """Fortran's only where the array has that and not C's."""
    if kind.order is not None:
        return kind.order
    return "F" if array.flags.f_contiguous and not array.flags.c_contiguous else "C"


def _flat(array: Array, order: Order) -> Array:
    """The memory of an array; a copy only where that is not one run in this order."""
    return np.asarray(array, order=order).reshape(-1, order=order)


def _refuse_not_finite(source: Source, name: str) -> None:
    """Tells where in the caller's own order of axes."""
    bad = ~np.isfinite(source.array)
    count = int(bad.sum())
    if count:
        first = tuple(int(i) for i in np.unravel_index(int(bad.argmax()), bad.shape))
        raise ValueError(
            f"{name}: {count} voxel{' is' if count == 1 else 's are'} NaN or infinite, the first at index {first}; "
            f"replace {'it' if count == 1 else 'them'} by 0."
        )


def _to_mask(
    source: Source, name: str, order: Order, grid: _core.Grid, options: _core.ReadOptions
) -> tuple[Array, list[str]]:
    """Other numbers than bytes, by the rules for files."""
    array = source.array
    if array.dtype.kind == "f" and array.dtype.itemsize == 2:
        array = array.astype(np.float32)
    if array.dtype == bool:
        array = array.view(np.uint8)
    number = _core.ValueType(
        array.dtype.newbyteorder("=").name, not array.dtype.isnative, source.slope, source.intercept
    )
    try:
        return _core.to_mask(_flat(array, order).view(np.uint8), number, name, grid, options)
    except ValueError:
        if array.dtype.kind == "f":
            _refuse_not_finite(source, name)
        raise


def _is_borrowable(source: Source, strict: bool) -> bool:
    plain = source.slope == 1 and source.intercept == 0
    return strict and plain and source.array.dtype in _BYTES


class _Gatherer:
    """Adds one rater after the other to those before."""

    def __init__(self, kind: Kind, spacing: tuple[float, ...] | None, options: _core.ReadOptions, strict: bool):
        self.kind, self.spacing, self.options, self.strict = kind, spacing, options, strict
        self.raters: Raters | None = None

    def grid_of(self, source: Source, order: Order) -> _core.Grid:
        if source.grid is not None:
            return source.grid
        spacing = self.spacing or (1.0,) * source.array.ndim
        if len(spacing) != source.array.ndim or not all(0 < s < float("inf") for s in spacing):
            raise ValueError(f"spacing={spacing}: give one positive number per axis of shape {source.array.shape}.")
        return make_grid(source.array.shape, order, spacing)

    def add(self, name: str, mask: Any) -> None:
        source = self.kind.open(mask, name)
        _check_array(source.array, name)
        if self.raters is None:
            self.raters = self.start(name, mask, source)
            placement = None
        else:
            placement = self.place(self.raters, name, source)
        self.put(self.raters, name, source, placement)

    def start(self, name: str, mask: Any, source: Source) -> Raters:
        order = _order_of(self.kind, source.array)
        header = _core.Header(name, self.grid_of(source, order), source.grid is not None)
        like = self.kind.keep(mask)

        def wrap(array: Array) -> Any:
            return self.kind.wrap(like, array)

        shape, boolean = source.array.shape, source.array.dtype == bool
        return Raters([], [], [], header, order, shape, boolean, wrap, [], [])

    def place(self, raters: Raters, name: str, source: Source) -> _core.Placement | None:
        """Where an image lies on the first one's grid; arrays lie nowhere else."""
        if source.grid is not None:
            return _core.place(raters.header, _core.Header(name, source.grid, True))
        if source.array.shape != raters.shape:
            raise ValueError(
                f"{name}: shape {source.array.shape}, but {raters.names[0]} is {raters.shape}; "
                "resample it or leave it out."
            )
        return None

    def put(self, raters: Raters, name: str, source: Source, placement: _core.Placement | None) -> None:
        grid = source.grid or raters.grid
        if _is_borrowable(source, self.strict):
            flat, warnings, unjudged = _flat(source.array, raters.order).view(np.uint8), list[str](), name
        else:
            flat, warnings = _to_mask(source, name, raters.order, grid, self.options)
            unjudged = ""
        raters.warnings += source.warnings
        if placement is not None:
            raters.warnings += placement.warnings
            if not placement.identity:
                flat = _core.apply(placement, raters.grid, grid, flat)
        raters.masks.append(flat)
        raters.names.append(name)
        raters.unjudged.append(unjudged)
        raters.warnings += warnings


def _check_kinds(named: list[tuple[str | None, Any]], names: list[str]) -> Kind:
    first = kind_of(named[0][1])
    for name, (_, mask) in zip(names, named):
        kind = kind_of(mask)
        if kind is not first:
            raise ValueError(
                f"{name}: is {kind.title}, but {names[0]} is {first.title}; give all raters as one kind."
            )
    return first


def gather(
    masks: Any,
    *,
    spacing: tuple[float, ...] | None,
    threshold: float | None,
    label: float | None,
    max_memory: int | None,
) -> Raters:
    """All raters' masks on the first one's grid. Raises ValueError that names the rater at fault."""
    options = _core.ReadOptions(threshold, label, max_memory or 0)
    strict = threshold is None and label is None
    named = _named(masks)
    _check_count(len(named))
    paths = sum(is_path(mask) for _, mask in named)
    if 0 < paths < len(named):
        raise ValueError("some raters are files and some are not; give all raters as one kind.")
    if paths:
        named = _read_files(named, options)
        _check_count(len(named))
    names = [name or f"rater {k + 1}" for k, (name, _) in enumerate(named)]
    kind = _check_kinds(named, names)
    # What was read from files was made a mask there.
    judging = _core.ReadOptions(None, None, 0) if paths else options
    gatherer = _Gatherer(kind, spacing, judging, strict or paths > 0)
    for name, (_, mask) in zip(names, named):
        gatherer.add(name, mask)
    assert gatherer.raters is not None
    raters = gatherer.raters
    raters.files = [name for name, _ in named if name]
    if paths:
        raters.unjudged = [""] * len(names)
    return raters
