# SPDX-License-Identifier: Apache-2.0
"""Several labels: label maps or one-hot arrays in, one label map out."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from crema import _core
from crema._files import require_files
from crema._image import Geometry
from crema._kinds import IMAGE, Array, Frame, is_path
from crema._raters import check_kinds, flatten, frame_on, lay_out, named_masks, value_type
from crema._result import add_inputs

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


def refuse_channels(masks: Any) -> None:
    """One array of four axes whose second one looks like channels: nobody but the caller knows."""
    shape = tuple(masks.shape)
    if len(shape) == 4 and 2 <= shape[1] <= _THIN and 2 * shape[1] < min(shape[2:]):
        raise ValueError(
            f"one array of shape {shape} was given: its second axis may be {shape[1]} slices or {shape[1]} channels. "
            "For slices give list(array); for one-hot labels say channels=0, counted in each rater's array."
        )


def _from_one_hot(array: Array, axis: int, name: str) -> Array:
    """Channel c is label c, and channel 0 the background; a voxel has one of them, or none."""
    if not -array.ndim <= axis < array.ndim or array.ndim not in (3, 4):
        raise ValueError(f"{name}: channels={axis}, but the array has shape {array.shape}; say which axis they are.")
    hot = np.moveaxis(array, axis, 0)
    if hot.shape[0] < 2 or hot.shape[0] > 65535:
        raise ValueError(f"{name}: axis {axis} of shape {array.shape} has {hot.shape[0]} channels; 2 to 65535 can be.")
    marked = hot != 0
    if not np.array_equal(hot, marked):
        raise ValueError(f"{name}: holds other values than 0 and 1; take the argmax of probabilities yourself.")
    several = int((marked.sum(axis=0) > 1).sum())
    if several:
        raise ValueError(f"{name}: {several} voxels have several channels; labels of one rater exclude each other.")
    return np.ascontiguousarray(marked.argmax(axis=0).astype(np.uint16))


def _open_maps(masks: Any, spacing: Any, asked: _core.Settings, channels: int | None) -> tuple[Any, Frame]:
    named = named_masks(masks)
    _core.check_count(len(named))
    paths = [os.fsdecode(mask) for _, mask in named if is_path(mask)]
    if paths:
        if len(paths) < len(named):
            raise ValueError("some raters are files and some are not; give all raters as one kind.")
        if channels is not None:
            raise ValueError("channels= is about arrays, but files were given; leave it out.")
        require_files(paths, asked)
        opened = _core.open_label_files(paths, [name for name, _ in named if name], asked)
        geometry = Geometry.of(opened.reference)
        return opened, Frame(IMAGE, geometry, geometry.shape, "C")
    names = [name or f"rater {k + 1}" for k, (name, _) in enumerate(named)]
    maps = [mask for _, mask in named]
    if channels is not None:
        kind = check_kinds(names, maps)
        maps = [
            _from_one_hot(kind.open(mask, name).array, channels, name) for name, mask in zip(names, maps, strict=True)
        ]
    kind = check_kinds(names, maps)
    header, placements = lay_out(kind, names, maps, spacing, asked)
    frame, flats, warnings = None, [], []
    for name, mask, placement in zip(names, maps, placements, strict=True):
        source = kind.open(mask, name)
        frame = frame or frame_on(header, kind, mask, source)
        grid = source.grid or header.grid
        array, number = value_type(source)
        flat = _core.to_labels(flatten(array, frame.order).view(np.uint8), number, name, grid)
        flats.append(flat if placement.identity else _core.apply_labels(placement, header.grid, grid, flat))
        warnings += [*source.warnings, *placement.warnings]
    assert frame is not None
    told = [name for name, _ in named if name]
    return _core.open_label_maps(header, flats, names, told, warnings), frame


@dataclass(frozen=True, eq=False)
class LabelPart:
    """What became of one label, or of one region.

    Attributes
    ----------
    value : int
        What its voxels have in the image.
    name : str
        Empty where it has none.
    voxels : int
    lmsd : float
        Sum over its components of the mean squared distance to the raters.
    bound : float or None
        No consensus of it has a lower LMSD; None unless that was proved.
    """

    value: int
    name: str
    voxels: int
    lmsd: float
    bound: float | None
    _shown: tuple[int, ...] = field(repr=False)
    _image: Array = field(repr=False)
    _frame: Frame = field(repr=False)

    @property
    def mask(self) -> Any:
        """Its voxels as a mask, of the kind that came in."""
        return self._frame.wrap(np.isin(self._image, self._shown).view(np.uint8))


@dataclass(repr=False, eq=False)
class LabelResult:
    """A consensus of several labels, in which no voxel has two unless raters' segments overlap.

    Attributes
    ----------
    method : str
    lmsd, lmsd_alone : float
        Summed over the labels; and had they been free to overlap.
    bound : float or None
        No consensus without overlaps has a lower LMSD; None unless that was proved.
    claimed_twice : int
        Voxels that several labels took when each was alone; `to_dict()["disputes"]` tells how they were settled.
    warnings : list of str
    labels : dict
        A `LabelPart` for each label, by its name or, where it has none, its value.
    """

    method: str
    lmsd: float
    lmsd_alone: float
    bound: float | None
    claimed_twice: int
    warnings: list[str]
    labels: dict[Any, LabelPart]
    _images: list[Array] = field(repr=False)
    _frame: Frame = field(repr=False)
    _inputs: list[str] = field(repr=False)
    _fused: Any = field(repr=False)

    @staticmethod
    def of(fused: Any, frame: Frame, inputs: list[str]) -> LabelResult:
        images = [image.astype(np.uint8) if image.max(initial=0) < 256 else image for image in fused.take_images()]
        parts: dict[Any, LabelPart] = {}
        for value, name, voxels, lmsd, bound, shown, layer in fused.labels():
            parts[name or value] = LabelPart(value, name, voxels, lmsd, bound, tuple(shown), images[layer], frame)
        found = fused.method, fused.lmsd, fused.lmsd_alone, fused.lower_bound, fused.claimed_twice, fused.warnings
        return LabelResult(*found, parts, images, frame, inputs, fused)

    def __getstate__(self) -> dict[str, Any]:
        kept = {"_record": self.to_dict(), "_levels": self._levels}
        return {**self.__dict__, **kept, "_inputs": [], "_fused": None}

    @property
    def image(self) -> Any:
        """The label of each voxel, 0 where it has none, of the kind that came in."""
        if len(self._images) > 1:
            raise ValueError("the labels overlap, so that no one image holds them; take labels[name].mask.")
        return self._frame.wrap(self._images[0], mask=False)

    @cached_property
    def _levels(self) -> Array | None:
        flat: Array | None = self._fused.levels()
        return None if flat is None else flat.reshape(len(self.labels), -1)

    @property
    def levels(self) -> dict[Any, Any]:
        """A map of levels from 0 to 1 for each label, of the kind that came in; for soft methods."""
        if self._levels is None:
            raise ValueError(f"{self.method} makes masks, not levels; take labels[name].mask.")
        return {key: self._frame.wrap(flat) for key, flat in zip(self.labels, self._levels, strict=True)}

    @cached_property
    def _record(self) -> dict[str, Any]:
        record: dict[str, Any] = self._fused.record()
        return record

    def to_dict(self) -> dict[str, Any]:
        """The record that the program writes; docs/formats.md has its fields."""
        return add_inputs(dict(self._record), self._inputs)

    def __repr__(self) -> str:
        return f"<crema.LabelResult {self.method}: {len(self.labels)} labels, lmsd={self.lmsd:.6g}>"


def fuse_labels(
    masks: Any, spacing: Any, channels: int | None, asked: _core.Settings, names: list[str], call: tuple[list[str], Any]
) -> dict[str, LabelResult]:
    """Each method's answer."""
    raters, frame = _open_maps(masks, spacing, asked, channels)
    inputs = list(map(str, raters.paths))
    answers = _core.fuse_labels(raters, asked, names, *call)
    return {answer.method: LabelResult.of(answer, frame, inputs) for answer in answers}


def label_keywords(labels: Any, regions: Any, channels: int | None) -> dict[str, str]:
    """What the library is told; one-hot arrays are labels without further words."""
    if channels is not None and labels is None and regions is None:
        labels = "all"
    given = {"labels": None if labels is None else labels_text(labels)}
    given["regions"] = None if regions is None else regions_text(regions)
    return {name: text for name, text in given.items() if text is not None}


Labels = str | Sequence[int] | Sequence[str] | Mapping[str, int]
Regions = str | Mapping[str, Sequence[int]]
