# SPDX-License-Identifier: Apache-2.0
"""How well raters agree, how sure a consensus is, and what other methods make of the same counts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from crema import _core
from crema._image import Image
from crema._settings import number_text
from crema._tables import Record, Rows, columns_of

if TYPE_CHECKING:
    from crema._kinds import Array, Frame


def _text(name: str, value: Any) -> str:
    """A value as the library reads it."""
    if isinstance(value, str):
        return value
    try:
        return number_text(value)
    except (TypeError, ValueError):
        raise TypeError(f"{name}={value!r}: give a number.") from None


class Agreement:
    """What a Result tells beyond its image."""

    _fused: _core.Fused | None
    _flat: Array
    _frame: Frame
    _inputs: list[str]

    def _counts(self) -> _core.Fused:
        if self._fused is None:
            raise ValueError("a result that was pickled or copied holds no counts; fuse the masks again.")
        return self._fused

    def _map(self, flat: Array) -> Any:
        """What is no consensus, in an image of the kind that came in."""
        made = self._frame.wrap(flat, mask=False)
        return replace(made, geometry=made.geometry.unmarked()) if isinstance(made, Image) else made

    def _case(self, case: str | None) -> str:
        return case or ("" if self._inputs else "case")

    def _study(
        self,
        case: str | None,
        words: Mapping[str, Any],
        *,
        surfaces: bool = False,
        flips: bool = False,
        review: int | None = None,
    ) -> tuple[Record, Array | None]:
        """`words` are what the program is told on its command line."""
        levels = np.ascontiguousarray(self._flat, np.float32)
        texts = {name: _text(name, value) for name, value in words.items() if value is not None}
        counts, name = self._counts(), self._case(case)
        record, tables, shares = _core.agreement(counts, levels, name, texts, surfaces, flips, review)
        return Record(record, dict(tables)), shares

    def agreement(
        self,
        *,
        surfaces: bool = True,
        tolerance: float | None = None,
        hd95: Literal["max", "pooled", "area"] | None = None,
        region: Literal["full", "box", "union"] | None = None,
        margin: int | None = None,
        leave_one_out: Literal["fixed", "exact"] | None = None,
        bootstrap: int | None = None,
        seed: int | None = None,
        flip_weights: bool = False,
        review: int | None = None,
        case: str | None = None,
    ) -> Record:
        """How the raters agree with each other and with this consensus: the record of `crema agreement`.

        docs/agreement.md defines every number. What is undefined is None, with the reason under "undefined".

        Parameters
        ----------
        surfaces : bool
            Whether surface distances are measured, in millimetres.
        tolerance : float, optional
            Millimetres within which surfaces agree, for the normalised surface Dice; 1 unless given.
        hd95 : {"max", "pooled", "area"}, optional
            Which of the three definitions; the larger of the two directed percentiles unless given.
        region : {"full", "box", "union"}, optional
            Which voxels kappa and alpha are told of; the full image unless given.
        margin : int, optional
            Voxels added around the box or the union.
        leave_one_out : {"fixed", "exact"}, optional
            Leave out each rater once: with the components of all raters, or with components formed anew.
        bootstrap : int, optional
            Draw as many raters as there are, with replacement, so many times.
        seed : int, optional
            Another number draws other raters; 1 unless given.
        flip_weights : bool
            Whether the weight of each rater is sought at which the decision about a component turns.
        review : int, optional
            So many places that are worth a second look; 0 is all of them.
        case : str, optional
            What the case is called; of files, the folder they share.

        Returns
        -------
        Record
            A dict; its arrays() and frames() are the tables that the program writes: rater_pairs, raters, components,
            and where they were asked for review and leave_one_out.

        Examples
        --------
        >>> import crema
        >>> masks, geometry = crema.phantom("lesions", size=(6, 40, 40), raters=5)
        >>> told = crema.fuse(masks).agreement(surfaces=False)
        >>> 0 < told["positive_agreement"] < 1, len(told["pairs"])
        (True, 10)
        >>> told.arrays()["rater_pairs"]["dice"].shape
        (10,)
        """
        words = dict(tolerance=tolerance, hd95=hd95, region=region, margin=margin)
        more = dict(leave_one_out=leave_one_out, bootstrap=bootstrap, seed=seed)
        told, _ = self._study(case, {**words, **more}, surfaces=surfaces, flips=flip_weights, review=review)
        if leave_one_out:
            told.add_table("leave_one_out", columns_of(told["consensuses"][0]["leave_one_out"]["raters"]))
        return told

    def leave_one_out(self, mode: Literal["fixed", "exact"] = "fixed") -> Rows:
        """This consensus beside the one without a rater, for each: Dice, change of size, components gained and lost.

        "fixed" keeps the components of all raters, "exact" forms them anew from the others' masks. The rows are dicts;
        arrays() and frame() give them as columns.
        """
        told = self._study(None, {"leave_one_out": mode})[0]
        return Rows(told["consensuses"][0]["leave_one_out"]["raters"])

    def bootstrap(self, replicates: int = 200, seed: int = 1) -> Record:
        """What the consensus might have been with other raters of the same kind.

        Returns
        -------
        Record
            Spread of voxels, soft volume and LMSD; "kept", per component the share of replicates that keep it; and
            "image", how often each voxel is in, of the kind that came in. Its arrays() and frames() have the tables
            "spread" and "components".
        """
        record, shares = self._study(None, {"bootstrap": replicates, "seed": seed})
        assert shares is not None
        one = record["consensuses"][0]
        kept = [component["bootstrap_kept"] for component in one.get("component_table", [])]
        spread = [{"measure": name, **one["bootstrap"][name]} for name in ("voxels", "soft_volume", "lmsd")]
        tables = {
            "spread": columns_of(spread),
            "components": {"component": list(range(1, len(kept) + 1)), "kept": kept},
        }
        return Record({**one["bootstrap"], "kept": kept, "image": self._map(shares)}, tables)

    def compare(self, methods: str | Sequence[str] = "paper", *, case: str | None = None) -> Record:
        """What other methods make of the same counts: the record of `crema compare`.

        Its arrays() and frames() are the tables that the program writes: methods and method_pairs. Methods that look
        at neighbouring voxels need the masks again; ask `fuse` for them.
        """
        names = _core.find_methods([methods] if isinstance(methods, str) else list(methods))
        record, tables = _core.compare(self._counts(), names, self._case(case))
        return Record(record, dict(tables))
