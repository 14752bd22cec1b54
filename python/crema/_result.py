# SPDX-License-Identifier: Apache-2.0
"""What a fusion gives."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from crema import _core, _picture
from crema._kinds import Array
from crema._raters import Raters

_SUBCROWN = np.dtype(
    [("component", "i8"), ("distance", "i4"), ("raters", "u8"), ("voxels", "i8"), ("level", "f8")], align=True
)


@dataclass
class Frame:
    """How the caller's images look: order, shape and kind, without their voxels."""

    raters: Raters
    tie: str

    def wrap(self, flat: Array) -> Any:
        array = self.raters.shaped(flat)
        if array.dtype == np.uint8 and self.raters.boolean:
            array = array.view(np.bool_)
        return self.raters.wrap(array)


@dataclass(repr=False, eq=False)
class Result:
    """A consensus, and how it came about.

    Attributes
    ----------
    image
        Of the kind that came in: uint8 (bool, if that came in) for hard methods, float32 for soft ones.
    method : str
        Its name.
    lmsd : float
        Sum over components of the mean squared distance to the raters.
    bound : float or None
        No consensus has a lower LMSD; None unless that was proved.
    warnings : list of str
        What a careful reader would want to know.
    """

    method: str
    warnings: list[str]
    _flat: Array = field(repr=False)
    _frame: Frame = field(repr=False)
    _fused: _core.Fused = field(repr=False)
    _reduction: _core.Reduction = field(repr=False)
    _settings: _core.Settings = field(repr=False)
    _command: list[str] = field(repr=False)
    _seconds: float = field(repr=False)

    @cached_property
    def image(self) -> Any:
        """The consensus."""
        return self._frame.wrap(self._flat)

    def hard(self) -> Any:
        """The consensus as a mask: levels above one half; the tie policy has those at it."""
        if self._flat.dtype == np.uint8:
            return self.image
        inside = self._flat >= 0.5 if self._settings.tie == "foreground" else self._flat > 0.5
        return self._frame.wrap(inside.view(np.uint8))

    def votes(self) -> Any:
        """How many raters drew each voxel, in an image of the kind that came in."""
        counts = self._reduction.vote_counts()
        return self._frame.raters.wrap(self._frame.raters.shaped(counts))

    @property
    def lmsd(self) -> float:
        return self._fused.lmsd

    @property
    def bound(self) -> float | None:
        return self._fused.lower_bound

    @cached_property
    def _record(self) -> dict[str, Any]:
        text = self._fused.record(
            self._reduction,
            self._settings,
            self._command,
            self._frame.raters.files,
            self.warnings,
            self._seconds,
        )
        record: dict[str, Any] = json.loads(text)
        return record

    @property
    def components(self) -> list[dict[str, Any]]:
        """The connected components of the union, as docs/formats.md describes the component table."""
        table: list[dict[str, Any]] = self.to_dict()["component_table"]
        return table

    @property
    def raters(self) -> list[dict[str, Any]]:
        """Each rater beside the consensus: voxels, overlap, detection, and performance where it was estimated."""
        table: list[dict[str, Any]] = self.to_dict()["raters"]
        return table

    @cached_property
    def subcrowns(self) -> np.ndarray[Any, np.dtype[np.void]]:
        """Groups of voxels that were decided on alike: component (from 0), distance, raters (bit k is rater k),
        voxels, level."""
        columns = self._fused.subcrowns(self._reduction)
        table = np.empty(len(columns[0]), _SUBCROWN)
        for name, column in zip(_SUBCROWN.names or (), columns):
            table[name] = column
        return table

    def to_dict(self) -> dict[str, Any]:
        """The record that the program writes; docs/formats.md has its fields."""
        return json.loads(json.dumps(self._record))  # type: ignore[no-any-return]

    def __repr__(self) -> str:
        bound = "" if self.bound is None else f", bound={self.bound:.6g}"
        return (
            f"<crema.Result {self.method}: {self._reduction.raters} raters, {self._reduction.components} components, "
            f"{self._fused.voxels} voxels, lmsd={self.lmsd:.6g}{bound}>"
        )

    def _repr_html_(self) -> str:
        return _picture.page(self._reduction, self._flat, self.method, self._facts(), self.warnings)

    def _facts(self) -> dict[str, str]:
        facts = {
            "raters": str(self._reduction.raters),
            "components": str(self._reduction.components),
            "voxels": str(self._fused.voxels),
            "LMSD": f"{self.lmsd:.6g}",
        }
        if self.bound is not None:
            facts["bound"] = f"{self.bound:.6g}"
        return facts
