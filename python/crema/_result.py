# SPDX-License-Identifier: Apache-2.0
"""What a fusion gives."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from crema import _core
from crema._kinds import Array, Frame
from crema._part import Consensus, Part


@dataclass(repr=False, eq=False)
class Result(Consensus):
    """A consensus of one structure or of several, and how it came about. It can be pickled and copied.

    A mask is one structure. Where `labels` or `regions` were fused there is one for each of them, and
    `result["liver"]` or `result[2]` is its `Part`, which has all that a result of a mask has; iterating gives
    their names, as a dict does. Tables of several labels have a column for the label.

    Attributes
    ----------
    image
        Of the kind that came in: uint8 (bool, if that came in) for hard methods, float32 levels for soft ones; where
        labels were fused, the label of each voxel and 0 where it has none.
    method : str
        Its name.
    lmsd : float
        Sum over components, and over labels, of the mean squared distance to the raters.
    bound : float or None
        Lower bound of the LMSD of any consensus (with labels, of any without overlaps); None unless proved.
    warnings : list of str
        Warnings of the run.
    lmsd_alone : float
        What labels that may overlap reach at most.
    claimed_twice : int
        Voxels that several labels took when each was alone; `to_dict()["disputes"]` says how they were settled.
    """

    method: str
    lmsd: float
    bound: float | None
    warnings: list[str]
    lmsd_alone: float
    claimed_twice: int
    _labelled: bool = field(repr=False)
    _flats: list[Array] = field(repr=False)
    _frame: Frame = field(repr=False)
    _inputs: list[str] = field(repr=False)
    _fused: _core.Fused | None = field(repr=False)
    _structure: int | None = field(default=None, repr=False)

    @staticmethod
    def of(fused: _core.Fused, frame: Frame, inputs: list[str]) -> Result:
        found = fused.method, fused.lmsd, fused.lower_bound, fused.warnings, fused.lmsd_alone, fused.claimed_twice
        return Result(*found, fused.labelled, fused.images(), frame, inputs, fused)

    _KEPT = ("labels", "subcrowns", "_votes", "_facts", "_foreground", "_picture")

    def __getstate__(self) -> dict[str, Any]:
        image = {"image": self.image} if len(self._flats) == 1 else {}
        return {**super().__getstate__(), **image, "_record": self.to_dict()}

    @cached_property
    def image(self) -> Any:
        """The consensus."""
        if len(self._flats) > 1:
            raise ValueError("the labels overlap, so that no one image holds them; take labels[name].mask.")
        return self._frame.wrap(self._flats[0], mask=not self._labelled)

    def hard(self) -> Any:
        """The consensus as a mask: levels above one half; the tie policy has those at it. Labels are as they are."""
        if self._flats[0].dtype.kind != "f":
            return self.image
        return self._frame.wrap(self._inside(self._flats[0]))

    @cached_property
    def labels(self) -> dict[Any, Part]:
        """A `Part` for each structure, by its name or, where it has none, its value; a mask is 1."""
        fused = self._counts()
        parts = {}
        for s, (value, name, voxels, _, lmsd, bound, shown, layer) in enumerate(fused.structures()):
            reported = self.method, lmsd, bound, self.warnings, value, name, voxels
            own = tuple(shown), self._flats[layer], self._frame, self._inputs, fused, s
            parts[name or value] = Part(*reported, *own)
        return parts

    @property
    def levels(self) -> dict[Any, Any]:
        """A map of levels from 0 to 1 for each structure, of the kind that came in; for soft methods."""
        return {key: part.levels for key, part in self.labels.items()}

    def __getitem__(self, label: Any) -> Part:
        for key, part in self.labels.items():
            if label in (key, part.value):
                return part
        raise KeyError(f"{label!r} is not a label here; labels are {', '.join(map(repr, self.labels))}.")

    def __contains__(self, label: object) -> bool:
        return any(label in (key, part.value) for key, part in self.labels.items())

    def __iter__(self) -> Iterator[Any]:
        return iter(self.labels)

    def __len__(self) -> int:
        return len(self.labels)

    def _heading(self) -> str:
        return self.method
