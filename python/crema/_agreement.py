# SPDX-License-Identifier: Apache-2.0
"""How well raters agree, how sure a consensus is, and what other methods make of the same counts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal

from crema import _core
from crema._image import Image
from crema._methods import method_names
from crema._settings import by_present_names, settings_from, with_parameters
from crema._tables import Record, Rows, columns_of

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from crema._keywords import MeasureKeywords
    from crema._kinds import Array, Frame


_SETTINGS = _core.measure_settings()
_SPREAD = ("voxels", "soft_volume", "lmsd")


class Agreement:
    """What a `Result` or a `Part` of it knows beyond its image."""

    method: str
    lmsd: float
    bound: float | None
    warnings: list[str]
    _fused: _core.Fused | None
    _structure: int | None  #: the only one that is meant; none: all
    _frame: Frame
    _inputs: list[str]

    def _counts(self) -> _core.Fused:
        if self._fused is None:
            raise ValueError("a result that was pickled or copied holds no counts; fuse the masks again.")
        return self._fused

    def _map(self, flat: Array) -> Any:
        """What is no consensus, in an image of the kind that came in."""
        result = self._frame.wrap(flat, mask=False)
        return replace(result, geometry=result.geometry.unmarked()) if isinstance(result, Image) else result

    def _case(self, case: str | None) -> str:
        return case or ("" if self._inputs else "case")

    def _structures(self, record: Mapping[str, Any]) -> list[tuple[dict[str, Any], Mapping[str, Any]]]:
        """What a record says of each structure, and the label that rows about it begin with; a mask has none, though
        its record has the setting of that name."""
        reported: list[Mapping[str, Any]] = record.get("structures", [record])
        return [({"label": one["label"]} if self._counts().labelled else {}, one) for one in reported]

    def _left_out(self, record: Mapping[str, Any]) -> list[dict[str, Any]]:
        reported = [(label, one["consensuses"][0]["leave_one_out"]) for label, one in self._structures(record)]
        return [{**label, **row} for label, one in reported for row in one["raters"]]

    def _study(
        self, caller: str, case: str | None, given: Mapping[str, Any], review: int | None = None
    ) -> tuple[Record, list[Array]]:
        requested = settings_from(caller, _SETTINGS, by_present_names(given))
        counts, name = self._counts(), self._case(case)
        record, tables, shares = _core.agreement(counts, self._structure, name, requested, review)
        return Record(record, dict(tables)), shares

    def agreement(
        self, *, review: int | None = None, case: str | None = None, **settings: Unpack[MeasureKeywords]
    ) -> Record:
        """How the raters agree with each other and with this consensus: the record of `crema agreement`.

        docs/agreement.md defines every number. What is undefined is None, with the reason under "undefined".

        Parameters
        ----------
        review : int, optional
            Number of decisions worth a second look; 0 for all.
        case : str, optional
            Name of the case; for files, the folder they share.
        {settings}

        Returns
        -------
        Record
            A dict; its arrays() and frames() are the tables that the program writes: rater_pairs, raters, components,
            component_raters, and where they are wanted review and leave_one_out. Of several labels, "structures" has a
            dict for each, and the tables have a column for the label.

        Examples
        --------
        >>> import crema
        >>> masks, geometry = crema.phantom("lesions", size=(6, 40, 40), raters=5)
        >>> found = crema.fuse(masks).agreement(surfaces=False)
        >>> 0 < found["positive_agreement"] < 1, len(found["pairs"])
        (True, 10)
        >>> found.arrays()["rater_pairs"]["dice"].shape
        (10,)
        """
        reported, _ = self._study("agreement", case, settings, review)
        if settings.get("leave_one_out"):
            reported.add_table("leave_one_out", columns_of(self._left_out(reported)))
        return reported

    def leave_one_out(self, mode: Literal["fixed", "exact"] = "fixed") -> Rows:
        """This consensus beside the one without a rater, for each: Dice, change of size, components gained and lost.

        "fixed" keeps the components of all raters, "exact" computes them again from the others' masks. The rows are
        dicts; arrays() and frame() give them as columns.
        """
        return Rows(self._left_out(self._study("leave_one_out", None, {"leave_one_out": mode, "surfaces": False})[0]))

    def bootstrap(self, replicates: int = 200, seed: int = 1) -> Record:
        """What the consensus might have been with other raters of the same kind.

        Returns
        -------
        Record
            Spread of voxels, soft volume and LMSD; "kept", per component the share of replicates that keep it; and
            "image", how often each voxel is in, of the kind that came in. Its arrays() and frames() have the tables
            "spread" and "components". Of several labels, "structures" has one such dict for each.
        """
        record, shares = self._study("bootstrap", None, {"bootstrap": replicates, "seed": seed, "surfaces": False})
        found, spread, components = [], [], []
        for (label, reported), map in zip(self._structures(record), shares, strict=True):
            one = reported["consensuses"][0]
            kept = [component["bootstrap_kept"] for component in one.get("component_table", [])]
            found.append({**label, **one["bootstrap"], "kept": kept, "image": self._map(map)})
            spread += [{**label, "measure": name, **one["bootstrap"][name]} for name in _SPREAD]
            components += [{**label, "component": c + 1, "kept": share} for c, share in enumerate(kept)]
        tables = {"spread": columns_of(spread), "components": columns_of(components) or {"component": [], "kept": []}}
        return Record({"structures": found} if "structures" in record else found[0], tables)

    def compare(self, methods: str | Sequence[str] = "paper", *, case: str | None = None) -> Record:
        """What other methods make of the same counts: the record of `crema compare`.

        Its arrays() and frames() are the tables that the program writes: methods and method_pairs. Methods that use
        neighbouring voxels need the masks again; call `fuse` for them.
        """
        names = method_names(methods)
        record, tables = _core.compare(self._counts(), self._structure, names, self._case(case))
        return Record(record, dict(tables))


Agreement.agreement.__doc__ = with_parameters(Agreement.agreement.__doc__, _SETTINGS, indent=8)
