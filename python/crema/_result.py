# SPDX-License-Identifier: Apache-2.0
"""What a fusion gives."""

from __future__ import annotations

import os
from collections.abc import Sequence
from copy import deepcopy
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Literal

import numpy as np

from crema import _core
from crema._agreement import Agreement
from crema._figure import Figure
from crema._files import require_files
from crema._image import Image
from crema._kinds import Array, Frame, is_path
from crema._raters import Place

_SUBCROWN = np.dtype(
    [("component", "i8"), ("distance", "i4"), ("raters", "u8"), ("voxels", "i8"), ("level", "f8")], align=True
)


def add_inputs(record: dict[str, Any], inputs: list[str]) -> dict[str, Any]:
    """Checksums of the files that were read, unless provenance is left out."""
    if inputs and "run" in record:
        record["inputs"] = [{"path": path, "sha256": digits} for path, digits in _core.checksums(inputs)]
    return record


@dataclass(repr=False, eq=False)
class Result(Agreement):
    """A consensus, and how it came about. It can be pickled and copied.

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
    lmsd: float
    bound: float | None
    warnings: list[str]
    _flat: Array = field(repr=False)
    _frame: Frame = field(repr=False)
    _inputs: list[str] = field(repr=False)
    _fused: _core.Fused | None = field(repr=False)

    @staticmethod
    def of(fused: _core.Fused, frame: Frame, inputs: list[str]) -> Result:
        found = fused.method, fused.lmsd, fused.lower_bound, fused.warnings
        return Result(*found, fused.take_image(), frame, inputs, fused)

    def __getstate__(self) -> dict[str, Any]:
        """All that is found out when it is asked for, as data; the library's own counts stay behind."""
        kept = {
            name: getattr(self, name) for name in ("image", "subcrowns", "_votes", "_picture", "_facts", "_foreground")
        }
        return {**self.__dict__, **kept, "_record": self.to_dict(), "_inputs": [], "_fused": None}

    @property
    def _own(self) -> _core.Fused:
        assert self._fused is not None
        return self._fused

    @cached_property
    def image(self) -> Any:
        """The consensus."""
        return self._frame.wrap(self._flat)

    @cached_property
    def _foreground(self) -> bool:
        return self._own.favours_foreground

    def hard(self) -> Any:
        """The consensus as a mask: levels above one half; the tie policy has those at it."""
        if self._flat.dtype == np.uint8:
            return self.image
        inside = self._flat >= 0.5 if self._foreground else self._flat > 0.5
        return self._frame.wrap(inside.view(np.uint8))

    @cached_property
    def _votes(self) -> Array:
        return self._own.votes()

    def votes(self) -> Any:
        """How many raters drew each voxel, in an image of the kind that came in."""
        counts = self._map(self._votes.copy())
        return replace(counts, counts=True) if isinstance(counts, Image) else counts

    @property
    def components(self) -> list[dict[str, Any]]:
        """The connected components of the union, as docs/formats.md describes the component table; above 10 000 of
        them the record has a summary instead."""
        table: list[dict[str, Any]] = self._tell().get("component_table", [])
        return table

    @property
    def raters(self) -> list[dict[str, Any]]:
        """Each rater beside the consensus: voxels, overlap, detection, and performance where it was estimated."""
        table: list[dict[str, Any]] = self._tell()["raters"]
        return table

    @cached_property
    def subcrowns(self) -> np.ndarray[Any, np.dtype[np.void]]:
        """Groups of voxels that were decided on alike: component (from 0), distance, raters (bit k is rater k),
        voxels, level."""
        columns = self._own.subcrowns()
        table = np.empty(len(columns[0]), _SUBCROWN)
        for name, column in zip(_SUBCROWN.names or (), columns, strict=True):
            table[name] = column
        return table

    def _tell(self) -> dict[str, Any]:
        if self._fused is not None:
            return self._fused.record()
        kept: dict[str, Any] = deepcopy(self.__dict__["_record"])
        return kept

    def to_dict(self) -> dict[str, Any]:
        """The record that the program writes; docs/formats.md has its fields. Checksums are those of the files as they
        are now."""
        return add_inputs(self._tell(), self._inputs)

    @cached_property
    def _facts(self) -> dict[str, int]:
        return {"raters": self._own.raters, "components": self._own.components, "voxels": self._own.voxels}

    def __repr__(self) -> str:
        facts = ", ".join(f"{count} {name}" for name, count in self._facts.items())
        bound = "" if self.bound is None else f", bound={self.bound:.6g}"
        return f"<crema.Result {self.method}: {facts}, lmsd={self.lmsd:.6g}{bound}>"

    def figure(
        self,
        show: Literal["contours", "votes", "levels", "subcrowns", "trace"] = "contours",
        *,
        slice: str = "auto",
        image: Any = None,
        methods: str | Sequence[str] | None = None,
        whole: bool = False,
    ) -> Figure:
        """A picture of the raters and this consensus, to scale: what `crema figure` draws.

        Parameters
        ----------
        show : {"contours", "votes", "levels", "subcrowns", "trace"}
            docs/figure.md shows each of them.
        slice : str
            "auto" is the one on which raters disagree most, "z=12" names one, counted from 0, and "all-components"
            draws a panel for each component.
        image : array, image or path, optional
            What the raters looked at, on their grid; drawn in grey beneath.
        methods : str or list of str, optional
            Draw what these make of the same counts, each in a panel of its own, instead of this consensus.
        whole : bool
            Whether the whole slice is shown, not only the part around what raters drew.

        Examples
        --------
        >>> import crema
        >>> masks, geometry = crema.phantom("lesions", size=(6, 40, 40), raters=3)
        >>> figure = crema.fuse(masks).figure("votes")
        >>> figure.svg[:4], figure.shown.split(",")[0]
        ('<svg', 'votes of 3 raters')
        """
        usual = show == "contours" and slice == "auto" and image is None and methods is None and not whole
        if self._fused is None and usual and self._picture is not None:
            return self._picture
        fused, levels = self._counts(), np.ascontiguousarray(self._flat, np.float32)
        file, grey, warnings = None, None, list[str]()
        if is_path(image):
            file = os.fsdecode(image)
            require_files([file], _core.Settings({}))
        elif image is not None:
            grey, warnings = Place(fused.reference, self._frame).levels("the image", image, whole=True)
        names = [methods] if isinstance(methods, str) else methods
        svg, shown, more = _core.figure(fused, levels, show, slice, names, whole, file, grey)
        return Figure(svg, shown, [*warnings, *more], [*self._inputs, *([file] if file else [])])

    @cached_property
    def _picture(self) -> Figure | None:
        return self.figure() if self._facts["components"] > 0 else None

    def _repr_html_(self) -> str:
        facts: dict[str, object] = {"method": self.method, **self._facts, "LMSD": f"{self.lmsd:.6g}"}
        if self.bound is not None:
            facts["bound"] = f"{self.bound:.6g}"
        picture = self._picture
        from crema._page import page  # for notebooks alone

        return page(picture._repr_html_() if picture else "", facts, self.raters, self.warnings)
