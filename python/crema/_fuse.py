# SPDX-License-Identifier: Apache-2.0
"""Masks in, consensus out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal, overload

from crema import _core
from crema._keywords import Keywords
from crema._kinds import is_stack
from crema._labels import LabelResult, Labels, Regions, fuse_labels, label_keywords, refuse_channels
from crema._progress import teller
from crema._raters import open_raters, use_region
from crema._result import Result
from crema._settings import SETTINGS, call_text, settings_from, with_parameters

if TYPE_CHECKING:
    from typing_extensions import Unpack

_SEVERAL = ("all", "paper")
_KNOWN = [*SETTINGS, "method", "spacing", "progress", "channels"]


@overload
def fuse(
    masks: Any,
    *,
    method: Literal["all", "paper"] | list[str] | tuple[str, ...],
    spacing: Sequence[float] | None = ...,
    progress: Any = ...,
    **settings: Unpack[Keywords],
) -> dict[str, Result]: ...
@overload
def fuse(
    masks: Any,
    *,
    method: str = ...,
    spacing: Sequence[float] | None = ...,
    progress: Any = ...,
    **settings: Unpack[Keywords],
) -> Result: ...
@overload
def fuse(
    masks: Any,
    *,
    method: str = ...,
    spacing: Sequence[float] | None = ...,
    progress: Any = ...,
    labels: Labels,
    regions: Regions | None = ...,
    channels: int | None = ...,
    **settings: Unpack[Keywords],
) -> LabelResult: ...
@overload
def fuse(
    masks: Any,
    *,
    method: str = ...,
    spacing: Sequence[float] | None = ...,
    progress: Any = ...,
    labels: Labels | None = ...,
    regions: Regions,
    channels: int | None = ...,
    **settings: Unpack[Keywords],
) -> LabelResult: ...
@overload
def fuse(
    masks: Any,
    *,
    method: str = ...,
    spacing: Sequence[float] | None = ...,
    progress: Any = ...,
    labels: Labels | None = ...,
    regions: Regions | None = ...,
    channels: int,
    **settings: Unpack[Keywords],
) -> LabelResult: ...


def fuse(
    masks: Any,
    *,
    method: str | list[str] | tuple[str, ...] = "jaccard",
    spacing: Sequence[float] | None = None,
    progress: Any = None,
    labels: Labels | None = None,
    regions: Regions | None = None,
    channels: int | None = None,
    **settings: Unpack[Keywords],
) -> Result | dict[str, Result] | LabelResult | dict[str, LabelResult]:
    """Fuses raters' masks, or their label maps, into a consensus.

    Parameters
    ----------
    masks : list, dict, array or path
        One 2-D or 3-D mask per rater, 1 to 64 of them: NumPy arrays, torch or MONAI tensors on any device, SimpleITK
        or nibabel images, paths of files; or one array whose first axis is the raters, or a dict from names to
        masks. bool and uint8 arrays in C or Fortran order are used where they are, without a copy. Arrays in C
        order are indexed (z, y, x), as SimpleITK gives them; those in Fortran order (x, y, z), as nibabel does.
        Files are counted while they are read; none is held in memory.
    method : str or list of str
        As `methods` lists them; "paper" is all that the paper compares, "all" is every one. These two and a list
        give a dict from names to results.
    spacing : sequence of float, optional
        Of arrays, per axis in their own order; images have their own.
    channels : int, optional
        Arrays are one-hot, and this axis of each rater's array has the channels; channel 0 is the background.
    progress : callable or tqdm, optional
        Called now and then with the finished share, from 0 to 1. What it raises ends the work.
    {settings}

    Returns
    -------
    Result or dict of str to Result; LabelResult instead of Result where several labels are fused

    Raises
    ------
    ValueError
        A mask or an argument makes no sense; the sentence says which and what to do.
    OSError, MemoryError
        A file cannot be read, or more memory would be needed than is allowed.

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
    names = _core.find_methods([method] if isinstance(method, str) else list(method))
    given: dict[str, Any] = {name: value for name, value in settings.items() if value is not None}
    if labels is not None or regions is not None or channels is not None:
        return _fuse_labels(
            masks, method, names, spacing, progress, label_keywords(labels, regions, channels), channels, given
        )
    if is_stack(masks):
        refuse_channels(masks)
    slices, region = given.pop("slice_wise", None), given.pop("region", None)
    asked = settings_from("fuse", _KNOWN, given)
    raters = open_raters(masks, spacing, asked)
    raters.set_slices(asked, slices)
    use_region(asked, raters, region)
    command = call_text("crema.fuse", {"method": method, "slice_wise": slices, "region": region, **given})
    answers = _core.fuse(raters.source, asked, names, command, teller(progress))
    inputs = [*raters.source.paths, *([asked.region_file] if asked.region_file else [])]
    results = {answer.method: Result.of(answer, raters.frame, list(map(str, inputs))) for answer in answers}
    return results[names[0]] if isinstance(method, str) and method not in _SEVERAL else results


def _fuse_labels(
    masks: Any,
    method: Any,
    names: list[str],
    spacing: Any,
    progress: Any,
    wanted: dict[str, str],
    channels: int | None,
    given: dict[str, Any],
) -> LabelResult | dict[str, LabelResult]:
    asked = settings_from("fuse", _KNOWN, {**wanted, **given})
    command = call_text("crema.fuse", {"method": method, "channels": channels, **wanted, **given})
    results = fuse_labels(masks, spacing, channels, asked, names, (command, teller(progress)))
    return results[names[0]] if isinstance(method, str) and method not in _SEVERAL else results


fuse.__doc__ = with_parameters(fuse.__doc__, SETTINGS)
