# SPDX-License-Identifier: Apache-2.0
"""What can be known of a consensus, of all its structures or of one."""

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
from crema._kinds import Array, is_path
from crema._raters import Place

_SUBCROWN = [("component", "i8"), ("distance", "i4"), ("raters", "u8"), ("voxels", "i8"), ("level", "f8")]


def add_inputs(record: dict[str, Any], inputs: list[str]) -> dict[str, Any]:
    """Checksums of the files that were read, unless provenance is left out."""
    if inputs and "run" in record:
        record["inputs"] = [{"path": path, "sha256": digits} for path, digits in _core.checksums(inputs)]
    return record


class Consensus(Agreement):
    """What a `Result` and its parts have in common."""

    #: What is found out when it is wanted, and kept as data by a copy.
    _KEPT: tuple[str, ...]

    def __getstate__(self) -> dict[str, Any]:
        """The library's own counts stay behind."""
        kept = {name: getattr(self, name) for name in self._KEPT}
        return {**self.__dict__, **kept, "_inputs": [], "_fused": None}

    @cached_property
    def _foreground(self) -> bool:
        return self._counts().favours_foreground

    def _inside(self, levels: Array) -> Array:
        inside: Array = levels >= 0.5 if self._foreground else levels > 0.5
        return inside.view(np.uint8)

    @cached_property
    def _votes(self) -> Array:
        return self._counts().votes(self._structure)

    def votes(self) -> Any:
        """How many raters drew each voxel, in an image of the kind that came in; of several labels, as any of them."""
        counts = self._map(self._votes.copy())
        return replace(counts, counts=True) if isinstance(counts, Image) else counts

    @property
    def components(self) -> list[dict[str, Any]]:
        """The connected components of the union, as docs/formats.md describes the component table; above 10 000 of
        them, of all labels together, the record has a summary instead. Of several labels, each row says its label."""
        record = self._own_record()
        if "structures" not in record:
            table: list[dict[str, Any]] = record.get("component_table", [])
            return table
        rows = []
        for own in record["structures"]:
            name = own["value"] if own["label"] == str(own["value"]) else own["label"]
            rows += [{"label": name, **one} for one in own.get("component_table", [])]
        return rows

    @property
    def raters(self) -> list[dict[str, Any]]:
        """Each rater: voxels, of one structure also overlap with the consensus and detection, and performance where it
        was estimated."""
        table: list[dict[str, Any]] = self._own_record()["raters"]
        return table

    @cached_property
    def subcrowns(self) -> np.ndarray[Any, np.dtype[np.void]]:
        """Groups of voxels that were decided on alike: component (from 0), distance, raters (bit k is rater k),
        voxels, level; of several labels, label comes first."""
        fused = self._counts()
        every = self._structure is None and fused.labelled
        tables = []
        for s, row in enumerate(fused.structures()):
            if self._structure not in (None, s):
                continue
            columns = fused.subcrowns(s)
            table = np.empty(
                len(columns[0]), np.dtype([("label", "u2"), *_SUBCROWN] if every else _SUBCROWN, align=True)
            )
            for (name, _), column in zip(_SUBCROWN, columns, strict=True):
                table[name] = column
            if every:
                table["label"] = row[0]
            tables.append(table)
        return np.concatenate(tables) if len(tables) > 1 else tables[0]

    def _own_record(self) -> dict[str, Any]:
        if "_record" not in self.__dict__:
            return self._counts().record(self._structure)
        kept: dict[str, Any] = deepcopy(self.__dict__["_record"])
        return kept

    def to_dict(self) -> dict[str, Any]:
        """The record that the program writes; docs/formats.md has its fields. Checksums are those of the files as they
        are now."""
        return add_inputs(self._own_record(), self._inputs)

    @cached_property
    def _facts(self) -> dict[str, int]:
        fused = self._counts()
        rows = [row for s, row in enumerate(fused.structures()) if self._structure in (None, s)]
        labels = {"labels": len(rows)} if self._structure is None and fused.labelled else {}
        counts = {"components": sum(row[3] for row in rows), "voxels": sum(row[2] for row in rows)}
        return {"raters": fused.raters, **labels, **counts}

    def figure(
        self,
        show: Literal[
            "contours", "votes", "levels", "subcrowns", "distances", "construction", "iteration", "trace"
        ] = "contours",
        *,
        slice: str = "auto",
        image: Any = None,
        methods: str | Sequence[str] | None = None,
        whole: bool = False,
        outlines: bool = False,
    ) -> Figure:
        """A picture of the raters and this consensus, to scale: what `crema figure` draws.

        Several labels have panels of their own, each in its colour; `result["liver"].figure()` shows one of them.

        Parameters
        ----------
        show : {"contours", "votes", "levels", "subcrowns", "distances", "construction", "iteration", "trace"}
            docs/figure.md shows each of them.
        slice : str
            "auto" is the one on which raters disagree most, of those that the consensus meets; "z=12" names one,
            counted from 0, "z=12,13" several, and "all-components" draws a panel for each component.
        image : array, image or path, optional
            What the raters looked at, on their grid; drawn in grey beneath.
        methods : str or list of str, optional
            Draw what these make of the same counts, each in a panel of its own, instead of this consensus.
        whole : bool
            Whether the whole slice is shown, not only the part around what raters drew.
        outlines : bool
            Whether raters' contours lie on top of votes, levels or subcrowns.

        Examples
        --------
        >>> import crema
        >>> masks, geometry = crema.phantom("lesions", size=(6, 40, 40), raters=3)
        >>> figure = crema.fuse(masks).figure("votes")
        >>> figure.svg[:4], figure.shown.split(",")[0]
        ('<svg', 'votes of 3 raters')
        """
        plain = image is None and methods is None and not whole and not outlines
        usual = show == "contours" and slice == "auto" and plain
        kept = self.__dict__.get("_picture")
        if self._fused is None and usual and kept is not None:
            assert isinstance(kept, Figure)
            return kept
        fused = self._counts()
        file, grey, warnings = None, None, list[str]()
        if is_path(image):
            file = os.fsdecode(image)
            require_files([file], _core.Settings({}))
        elif image is not None:
            grey, warnings = Place(fused.reference, self._frame).levels("the image", image, whole=True)
        names = [methods] if isinstance(methods, str) else methods
        svg, shown, more = _core.figure(fused, self._structure, show, slice, names, whole, outlines, file, grey)
        return Figure(svg, shown, [*warnings, *more], [*self._inputs, *([file] if file else [])])

    @cached_property
    def _picture(self) -> Figure | None:
        drawn = self._facts["components"] > 0 and "floor" not in self.to_dict()  # pictures are of masks
        return self.figure() if drawn else None

    def _heading(self) -> str:
        raise NotImplementedError

    def __repr__(self) -> str:
        facts = ", ".join(
            f"{count} {name.removesuffix('s') if count == 1 else name}" for name, count in self._facts.items()
        )
        bound = "" if self.bound is None else f", bound={self.bound:.6g}"
        return f"<crema.{type(self).__name__} {self._heading()}: {facts}, lmsd={self.lmsd:.6g}{bound}>"

    def _repr_html_(self) -> str:
        facts: dict[str, object] = {"method": self.method, **self._facts, "LMSD": f"{self.lmsd:.6g}"}
        if self.bound is not None:
            facts["bound"] = f"{self.bound:.6g}"
        picture = self._picture
        from crema._page import page  # for notebooks alone

        return page(picture._repr_html_() if picture else "", facts, self.raters, self.warnings)


@dataclass(repr=False, eq=False)
class Part(Consensus):
    """What became of one structure: a label, a region, or the only one of a mask.

    A part has for its structure all that a `Result` has for a mask: `agreement`, `compare`, `figure`, `votes`,
    `subcrowns`, `components`, `to_dict`. It can be pickled and copied, with its voxels and numbers but without counts.

    Attributes
    ----------
    method : str
        Its name.
    lmsd : float
        Sum over its components of the mean squared distance to the raters.
    bound : float or None
        No consensus of it has a lower LMSD; None unless that was proved.
    warnings : list of str
        Those of the result.
    value : int
        What its voxels have in the image.
    name : str
        Empty where it has none.
    voxels : int
    """

    method: str
    lmsd: float
    bound: float | None
    warnings: list[str]
    value: int
    name: str
    voxels: int
    _shown: tuple[int, ...] = field(repr=False)
    _flat: Array = field(repr=False)
    _frame: Any = field(repr=False)
    _inputs: list[str] = field(repr=False)
    _fused: _core.Fused | None = field(repr=False)
    _structure: int | None = field(repr=False)

    _KEPT = ("_facts", "_foreground", "_levels")

    @property
    def key(self) -> Any:
        """What it goes by in its result: its name or, where it has none, its value."""
        return self.name or self.value

    @cached_property
    def _levels(self) -> Array | None:
        assert self._structure is not None
        return self._counts().levels(self._structure)

    @property
    def levels(self) -> Any:
        """Its levels from 0 to 1, of the kind that came in; for soft methods."""
        if self._levels is None:
            raise ValueError(f"{self.method} makes masks, not levels; take mask.")
        return self._frame.wrap(self._levels)

    @property
    def mask(self) -> Any:
        """Its voxels as a mask, of the kind that came in."""
        if self._flat.dtype.kind == "f":
            return self._frame.wrap(self._inside(self._flat))
        return self._frame.wrap(np.isin(self._flat, self._shown).view(np.uint8))

    @property
    def image(self) -> Any:
        """Its levels where the method makes them, else its mask."""
        return self.mask if self._levels is None else self.levels

    def hard(self) -> Any:
        """The same as mask."""
        return self.mask

    def _heading(self) -> str:
        return f"{self.key} of {self.method}"
