# SPDX-License-Identifier: Apache-2.0
"""How far any consensus is from the best one."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np

from crema import _core
from crema._files import open_headers
from crema._keywords import SliceWise
from crema._kinds import Array, Source, is_path, kind_of
from crema._options import Wishes, settings, weight_list
from crema._progress import teller
from crema._raters import Raters, gather

Distance = Literal["jaccard", "dice", "soergel", "tanimoto", "dice1", "dice2"]


@dataclass(frozen=True)
class Judgement:
    """What the raters' masks say about a consensus.

    Attributes
    ----------
    lmsd : float
        Sum over components of the mean squared distance to the raters.
    bound : float
        No consensus has a lower one in this distance.
    proven : bool
        Whether the bound is as high as it can be, in every component.
    voxels : int
        Of the consensus, above one half.
    outside : int
        Of these, drawn by no rater.
    components : list of dict
        The same for each component of the union.
    warnings : list of str
    """

    distance: str
    lmsd: float
    bound: float
    proven: bool
    voxels: int
    outside: int
    components: list[dict[str, Any]] = field(repr=False)
    warnings: list[str] = field(repr=False)
    seconds: float = field(repr=False)

    @property
    def gap(self) -> float:
        """How much lower the LMSD of the best consensus can be at most."""
        return max(0.0, self.lmsd - self.bound)

    def to_dict(self) -> dict[str, Any]:
        """What `crema certify --json` tells about the consensus."""
        return {
            "distance": self.distance,
            "components": len(self.components),
            "lmsd": self.lmsd,
            "lower_bound": self.bound,
            "gap": self.gap,
            "relative_gap": self.gap / self.lmsd if self.lmsd > 0 else 0.0,
            "proven": self.proven,
            "voxels": self.voxels,
            "outside": self.outside,
            "component_table": self.components,
            "warnings": self.warnings,
            "seconds": self.seconds,
        }


def _component(row: tuple[Any, ...]) -> dict[str, Any]:
    low, high, union, voxels, criterion, bound, proven = row
    return {
        "box": {"low": list(low), "high": list(high)},
        "union_voxels": union,
        "voxels": voxels,
        "criterion": criterion,
        "lower_bound": bound,
        "gap": max(0.0, criterion - bound),
        "proven": proven,
    }


def _open_levels(consensus: Any, raters: Raters) -> tuple[Source, list[str]]:
    """Levels as they are; a file is read as a map."""
    if not is_path(consensus):
        return kind_of(consensus).open(consensus, "the consensus"), []
    options = _core.ReadOptions(None, None, 0)
    (header,) = open_headers(consensus, options)
    flat, warnings = _core.read_map(header, options)
    shape = tuple(header.grid.size[::-1])[3 - len(raters.shape) :]
    return Source(flat.reshape(shape), header.grid), [*header.warnings, *warnings]


def _levels(consensus: Any, raters: Raters) -> tuple[Array, list[str]]:
    """The consensus as float32 on the raters' grid."""
    source, warnings = _open_levels(consensus, raters)
    array = source.array
    if array.dtype.kind not in "biuf":
        raise ValueError(f"the consensus: dtype {array.dtype} is no type for levels; convert it to float32.")
    if source.grid is None and array.shape != raters.shape:
        raise ValueError(f"the consensus: shape {array.shape}, but the raters' is {raters.shape}; they must be equal.")
    flat = np.asarray(array, order=raters.order).reshape(-1, order=raters.order).astype(np.float32)
    if (source.slope, source.intercept) != (1, 0):
        flat = flat * np.float32(source.slope) + np.float32(source.intercept)
    if source.grid is None:
        return flat, warnings
    header = _core.Header("the consensus", source.grid, True)
    placement = _core.place(raters.header, header)
    if not placement.identity:
        flat = _core.apply(placement, raters.grid, source.grid, flat)
    return flat, [*warnings, *placement.warnings]


def certify(
    consensus: Any,
    masks: Any,
    *,
    distance: Distance = "jaccard",
    connectivity: int | None = None,
    slice_wise: SliceWise = None,
    weights: Sequence[float] | None = None,
    budget: int | None = None,
    budget_seconds: float | None = None,
    threshold: float | None = None,
    label: float | None = None,
    spacing: Sequence[float] | None = None,
    max_memory: int | None = None,
    threads: int | None = None,
    progress: Any = None,
) -> Judgement:
    """Tells how far any consensus of the raters, wherever it comes from, is from the best one.

    Parameters
    ----------
    consensus : array, image, path or Result
        A mask for "jaccard" and "dice", levels from 0 to 1 for the others.
    masks
        The raters, as in `fuse`.
    distance : {"jaccard", "dice", "soergel", "tanimoto", "dice1", "dice2"}
        How the consensus is compared with a rater.
    connectivity, slice_wise, weights, budget, budget_seconds, threshold, label, spacing, max_memory, threads, progress
        As in `fuse`; threshold and label are for the raters.

    Returns
    -------
    Judgement

    Examples
    --------
    >>> import crema
    >>> masks, geometry = crema.phantom("lesions", size=(6, 40, 40), raters=5)
    >>> judgement = crema.certify(crema.fuse(masks, method="majority").image, masks)
    >>> judgement.bound <= judgement.lmsd
    True
    """
    began = time.perf_counter()
    steps = None if spacing is None else tuple(float(step) for step in spacing)
    raters = gather(masks, spacing=steps, threshold=threshold, label=label, max_memory=max_memory)
    levels, warnings = _levels(getattr(consensus, "image", consensus), raters)
    wishes = Wishes(connectivity, slice_wise, budget=budget, budget_seconds=budget_seconds, threads=threads)
    asked = settings(wishes, raters)
    if weights is not None:
        asked = asked.but(weights=weight_list(weights, len(raters.masks)))
    found, reduction, counting_warnings = _core.judge(
        raters.grid, raters.masks, raters.unjudged, levels, distance, asked, teller(progress)
    )
    if found.outside:
        one = found.outside == 1
        warnings.append(
            f"the consensus: {found.outside} of its voxels lie{'s' if one else ''} outside everything the raters drew; "
            f"no criterion sees {'it' if one else 'them'}."
        )
    return Judgement(
        distance,
        found.lmsd,
        found.lower_bound,
        found.unproven == 0,
        found.voxels,
        found.outside,
        [_component(row) for row in found.components(reduction)],
        [*warnings, *raters.warnings, *counting_warnings],
        time.perf_counter() - began,
    )
