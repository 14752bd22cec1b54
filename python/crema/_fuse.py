# SPDX-License-Identifier: Apache-2.0
"""Masks in, consensus out."""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, overload

import numpy as np

from crema import _core
from crema._keywords import Blocks, Keywords, SliceWise, Tie
from crema._methods import chosen
from crema._options import Wishes, check, settings, weight_list
from crema._progress import teller
from crema._raters import Raters, gather
from crema._result import Frame, Result

if TYPE_CHECKING:
    from typing_extensions import Unpack

_REGIONS = ("full", "box", "union")


def _region(wish: Any, raters: Raters, base: _core.Settings) -> tuple[_core.Settings, list[str]]:
    """A mask as the region: an array or image like the raters', or a file."""
    if wish is None or isinstance(wish, str):
        return base, []
    read = gather({"the region": wish}, spacing=None, threshold=None, label=None, max_memory=None)
    bytes_of = _core.ValueType("uint8", False, 1.0, 0.0)
    mask, _ = _core.to_mask(read.masks[0], bytes_of, "the region", read.grid, _core.ReadOptions(None, None, 0))
    warnings = list(read.warnings)
    if not read.header.positioned:
        if read.shape != raters.shape:
            raise ValueError(f"the region: shape {read.shape}, but the raters' is {raters.shape}; they must be equal.")
        mask = np.asarray(read.shaped(mask), order=raters.order).reshape(-1, order=raters.order)
    else:
        placement = _core.place(raters.header, read.header)
        mask = mask if placement.identity else _core.apply(placement, raters.grid, read.grid, mask)
        warnings += placement.warnings
    if not mask.any():
        raise ValueError("the region is empty; it must hold at least one voxel.")
    return base.but(region_mask=mask), warnings


def _command(arguments: dict[str, Any]) -> list[str]:
    """What was asked, as the record tells it; images are not written out."""
    simple = (str, int, float, bool, list, tuple)
    told = [f"{k}={v!r}" for k, v in arguments.items() if isinstance(v, simple) and v is not False]
    return ["crema.fuse", *told]


def _doubt(search: _core.WeightSearch, fused: _core.Fused, method: str) -> list[str]:
    if search.converged:
        return []
    if fused.soft_volume == 0:
        return [f"{method}: the consensus is empty, so that it says nothing about the raters' weights."]
    rounds = f"{search.rounds} round{'' if search.rounds == 1 else 's'}"
    return [
        f"{method}: the weights did not settle in {rounds}; the last one still moved one of them by "
        f"{search.change:.3g}. Fix them with weights= to be independent of where the search stopped."
    ]


def _wish(method: _core.Method, shared: _core.Settings, wishes: Wishes) -> tuple[str, _core.Settings, bool]:
    """One method, its settings, and whether its weights are to be found first."""
    own, weights = shared, wishes.weights
    if wishes.certify and method.aim == "distance":
        own = own.but(certify="yes")
    if weights is None or not method.heeds_weights:
        return method.name, own, False
    if isinstance(weights, str):
        return method.name, own, True
    return method.name, own.but(weights=list(weights)), False


def _check_weights(wishes: Wishes, raters: Raters) -> None:
    if isinstance(wishes.weights, str):
        if wishes.weights != "auto":
            raise ValueError(f'weights={wishes.weights!r}: give one number per rater, or "auto".')
    elif wishes.weights is not None:
        wishes.weights = weight_list(wishes.weights, len(raters.names))


def _run(
    raters: Raters, methods: list[_core.Method], wishes: Wishes, command: list[str], progress: Any
) -> dict[str, Result]:
    """One counting of the voxels, and every method's answer from it."""
    began = time.perf_counter()
    warnings = [*raters.warnings, *check(wishes, methods)]
    if len(raters.names) == 1:
        warnings.append(f"{raters.names[0]}: the only rater; the consensus is this mask.")
    _check_weights(wishes, raters)
    shared, region_warnings = _region(wishes.region, raters, settings(wishes, raters))
    each = [_wish(method, shared, wishes) for method in methods]
    prepared = time.perf_counter() - began
    reduction, counting_warnings, counting, answers = _core.fuse(
        raters.grid, raters.masks, raters.unjudged, shared, each, teller(progress)
    )
    raters.masks = []  # theirs again
    warnings += [*region_warnings, *counting_warnings]
    results = {}
    for (name, own, _), fused in zip(each, answers):
        search = fused.search
        if search is not None:
            own = own.but(weights=search.weights)
        told = [*warnings, *(_doubt(search, fused, name) if search else []), *fused.warnings]
        seconds = prepared + counting + fused.seconds
        frame = Frame(raters, own.tie)
        results[name] = Result(name, told, fused.take_image(), frame, fused, reduction, own, command, seconds)
    return results


@overload
def fuse(masks: Any, *, method: str = ..., **keywords: Unpack[Keywords]) -> Result: ...
@overload
def fuse(
    masks: Any, *, method: list[str] | tuple[str, ...], **keywords: Unpack[Keywords]
) -> dict[str, Result]: ...


def fuse(
    masks: Any,
    *,
    method: str | list[str] | tuple[str, ...] = "jaccard",
    connectivity: int | None = None,
    slice_wise: SliceWise = None,
    blocks: Blocks = "subcrown",
    weights: Sequence[float] | Literal["auto"] | None = None,
    tie: Tie | None = None,
    prior: float | str | None = None,
    region: Any = "full",
    preset: str | None = None,
    certify: bool = False,
    threads: int | None = None,
    threshold: float | None = None,
    label: float | None = None,
    spacing: Sequence[float] | None = None,
    empty_test: bool = True,
    margin: int | None = None,
    tolerance: float | None = None,
    max_iterations: int | None = None,
    drop_below: float | None = None,
    coupling: float | None = None,
    window: int | None = None,
    softness: float | None = None,
    budget: int | None = None,
    budget_seconds: float | None = None,
    max_memory: int | None = None,
    progress: Any = None,
) -> Result | dict[str, Result]:
    """Fuses raters' masks into a consensus.

    Parameters
    ----------
    masks : list, dict, array or path
        One 2-D or 3-D mask per rater, 1 to 64 of them: NumPy arrays, torch tensors or others on the CPU, SimpleITK
        or nibabel images, paths of files; or one array whose first axis is the raters, or a dict from names to
        masks. bool and uint8 arrays in C or Fortran order are used where they are, without a copy. Arrays in C
        order are indexed (z, y, x), as SimpleITK gives them; those in Fortran order (x, y, z), as nibabel does.
    method : str or list of str
        As `methods` lists them; "all" is every one. A list gives a dict from names to results.
    connectivity : {4, 8, 6, 18, 26}, optional
        Which voxels touch; 8 in 2-D and slice-wise, 26 in 3-D unless given.
    slice_wise : int, {"x", "y", "z"} or True, optional
        Treat each slice across this axis as an image of its own. An int is an axis of the array; x is the one that
        runs fastest in memory; True is the axis of the largest spacing.
    blocks : {"subcrown", "crown", "voxel", "group"}
        Which voxels are decided on together; "group" gives the true minimiser, with its proof.
    weights : sequence of float or "auto", optional
        How much each rater counts; "auto" finds out by how well each agrees with the consensus.
    tie : {"background", "foreground"}, optional
        What an exact tie becomes; background, unless a preset has it otherwise.
    prior : float or str, optional
        STAPLE: how likely a voxel is inside before anybody is asked; "mean", a number, or one like "500/N^1".
    region : {"full", "box", "union"} or mask
        STAPLE: which voxels take part, since the background counts.
    preset : str, optional
        STAPLE as another package computes it: "itk", "niftyseg", "crkit", "stapler", "stapler-bin".
    certify : bool
        Prove how far the consensus is from the best one; see `Result.bound`.
    threads : int, optional
        At most so many; one per core unless given. The result is the same.
    threshold, label : float, optional
        Inside is what lies above, or equals; masks hold 0 and one other value unless one of these is given.
    spacing : sequence of float, optional
        Of arrays, per axis in their own order; images have their own.
    empty_test : bool
        Whether a consensus gives way to the empty one where that is better.
    margin : int, optional
        Voxels added around region "box" or "union".
    tolerance, max_iterations : float, int, optional
        When an estimate of performance ends.
    drop_below, coupling, window, softness : optional
        For "simple", "staple-mrf", "local-staple" and "shape-soft"; docs/cli.md tells their meaning.
    budget, budget_seconds : int, float, optional
        What one component's proof may take.
    max_memory : int, optional
        Bytes that a file may take in memory.
    progress : callable or tqdm, optional
        Called now and then with the finished share, from 0 to 1. What it raises ends the work.

    Returns
    -------
    Result or dict of str to Result

    Raises
    ------
    ValueError
        A mask or an argument makes no sense; the sentence says which and what to do.
    OSError, MemoryError
        A file cannot be read, or is larger than allowed.

    Examples
    --------
    >>> import crema
    >>> masks, geometry = crema.phantom("lesions", size=(6, 40, 40), raters=5)
    >>> result = crema.fuse(masks)
    >>> result.image.shape, str(result.image.dtype)
    ((6, 40, 40), 'uint8')
    >>> both = crema.fuse(masks, method=["dice", "tanimoto"])
    >>> str(both["tanimoto"].image.dtype)
    'float32'
    """
    rows = chosen(method)
    if isinstance(region, str) and region not in _REGIONS and os.path.exists(region):
        region = Path(region)
    wishes = Wishes(
        connectivity=connectivity,
        slice_wise=slice_wise,
        tie=tie,
        blocks=None if blocks == "subcrown" else blocks,
        weights=weights,
        empty_test=None if empty_test else "skip",
        certify=certify,
        budget=budget,
        budget_seconds=budget_seconds,
        preset=preset,
        prior=prior,
        region=None if isinstance(region, str) and region == "full" else region,
        margin=margin,
        tolerance=tolerance,
        max_iterations=max_iterations,
        drop_below=drop_below,
        coupling=coupling,
        window=window,
        softness=softness,
        threads=threads,
    )
    command = _command({"method": method, **vars(wishes), "threshold": threshold, "label": label})
    steps = None if spacing is None else tuple(float(step) for step in spacing)
    raters = gather(masks, spacing=steps, threshold=threshold, label=label, max_memory=max_memory)
    results = _run(raters, rows, wishes, command, progress)
    return next(iter(results.values())) if isinstance(method, str) and method != "all" else results
