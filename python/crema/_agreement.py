# SPDX-License-Identifier: Apache-2.0
"""How well raters agree, how sure a consensus is, and what other methods make of the same counts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from crema import _core

if TYPE_CHECKING:
    from crema._kinds import Array, Frame


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

    def _case(self, case: str | None) -> str:
        return case or ("" if self._inputs else "case")

    def _study(self, case: str | None, **asked: Any) -> tuple[dict[str, Any], Array | None]:
        told: dict[str, Any] = dict(
            surfaces=False, tolerance=1.0, hd95="max", leave_one_out=None, replicates=0, seed=1, review=None
        )
        told.update(asked)
        levels = np.ascontiguousarray(self._flat, np.float32)
        record, shares = _core.agreement(self._counts(), levels, self._case(case), *told.values())
        return record, shares

    def agreement(
        self,
        *,
        surfaces: bool = True,
        tolerance: float = 1.0,
        hd95: Literal["max", "pooled", "area"] = "max",
        review: int | None = None,
        case: str | None = None,
    ) -> dict[str, Any]:
        """How the raters agree with each other and with this consensus: the record of `crema agreement`.

        docs/agreement.md defines every number. What is undefined is None, with the reason under "undefined".

        Parameters
        ----------
        surfaces : bool
            Whether surface distances are measured, in millimetres.
        tolerance : float
            Millimetres within which surfaces agree, for the normalised surface Dice.
        hd95 : {"max", "pooled", "area"}
            Which of the three definitions.
        review : int, optional
            So many places that are worth a second look; 0 is all of them.
        case : str, optional
            What the case is called; of files, the folder they share.

        Examples
        --------
        >>> import crema
        >>> masks, geometry = crema.phantom("lesions", size=(6, 40, 40), raters=5)
        >>> told = crema.fuse(masks).agreement(surfaces=False)
        >>> 0 < told["positive_agreement"] < 1, len(told["pairs"])
        (True, 10)
        """
        return self._study(case, surfaces=surfaces, tolerance=tolerance, hd95=hd95, review=review)[0]

    def leave_one_out(self, mode: Literal["fixed", "exact"] = "fixed") -> list[dict[str, Any]]:
        """This consensus beside the one without a rater, for each: Dice, change of size, components gained and lost.

        "fixed" keeps the components of all raters, "exact" forms them anew from the others' masks.
        """
        told: list[dict[str, Any]] = self._study(None, leave_one_out=mode)[0]["consensuses"][0]["leave_one_out"][
            "raters"
        ]
        return told

    def bootstrap(self, replicates: int = 200, seed: int = 1) -> dict[str, Any]:
        """What the consensus might have been with other raters of the same kind.

        Returns
        -------
        dict
            Spread of voxels, soft volume and LMSD; "kept", per component the share of replicates that keep it; and
            "image", how often each voxel is in, of the kind that came in.
        """
        record, shares = self._study(None, replicates=replicates, seed=seed)
        if shares is None:
            raise ValueError(f"replicates={replicates}: at least one replicate is needed.")
        one = record["consensuses"][0]
        kept = [component["bootstrap_kept"] for component in one.get("component_table", [])]
        return {**one["bootstrap"], "kept": kept, "image": self._frame.wrap(shares, mask=False)}

    def compare(self, methods: str | Sequence[str] = "paper", *, case: str | None = None) -> dict[str, Any]:
        """What other methods make of the same counts: the record of `crema compare`.

        Methods that look at neighbouring voxels need the masks again; ask `fuse` for them.
        """
        names = _core.find_methods([methods] if isinstance(methods, str) else list(methods))
        return _core.compare(self._counts(), names, self._case(case))
