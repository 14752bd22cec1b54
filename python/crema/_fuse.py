# SPDX-License-Identifier: Apache-2.0
"""Masks in, consensus out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal, overload

from crema import _core
from crema._keywords import Keywords
from crema._kinds import is_stack
from crema._labels import given_keywords, refuse_channels
from crema._methods import method_names
from crema._progress import reporter
from crema._raters import open_raters, use_region
from crema._result import Result
from crema._settings import call_text, settings_from, with_parameters

if TYPE_CHECKING:
    from typing_extensions import Unpack

_SEVERAL = ("all", "paper")
_SETTINGS = _core.fuse_settings()
_KNOWN = [*_SETTINGS, "method", "spacing", "progress", "channels"]


@overload
def fuse(
    masks: Any,
    *,
    method: Literal["all", "paper"] | list[str] | tuple[str, ...],
    spacing: Sequence[float] | None = ...,
    progress: Any = ...,
    channels: int | None = ...,
    **settings: Unpack[Keywords],
) -> dict[str, Result]: ...
@overload
def fuse(
    masks: Any,
    *,
    method: str = ...,
    spacing: Sequence[float] | None = ...,
    progress: Any = ...,
    channels: int | None = ...,
    **settings: Unpack[Keywords],
) -> Result: ...


def fuse(
    masks: Any,
    *,
    method: str | list[str] | tuple[str, ...] = "jaccard",
    spacing: Sequence[float] | None = None,
    progress: Any = None,
    channels: int | None = None,
    **settings: Unpack[Keywords],
) -> Result | dict[str, Result]:
    """Fuses raters' masks, their label maps or their probability maps into a consensus.

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
        Arrays are one-hot or, with probabilities, hold the levels of several classes, and this axis of each rater's
        array has the channels; channel 0 is the background, unless `regions` names a region for each channel.
    progress : callable or tqdm, optional
        Called now and then with the finished share, from 0 to 1. What it raises ends the work.
    {settings}

    Returns
    -------
    Result or dict of str to Result

    Raises
    ------
    ValueError
        A mask or an argument is invalid; the sentence says which and what to do.
    OSError, MemoryError
        A file cannot be read, or more memory is needed than is allowed.

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
    >>> chances = [0.9 * mask.astype("f4") for mask in masks]
    >>> f"{crema.fuse(chances, method='average', probabilities=True).image.max():.2f}"
    '0.90'
    >>> maps = [mask + mask.cumsum(axis=2).astype("u1").clip(0, 1) for mask in masks]  # each voxel's label: 1 or 2
    >>> result = crema.fuse(maps, labels={"near": 1, "lesion": 2})
    >>> list(result), bool((result["lesion"].mask == (result.image == 2)).all())
    (['near', 'lesion'], True)
    """
    names = method_names(method)
    given = given_keywords(settings, channels)
    if is_stack(masks) and not given.keys() & {"labels", "regions"}:
        refuse_channels(masks)
    slices, roi = given.pop("slice_wise", None), given.pop("roi", None)
    requested = settings_from("fuse", _KNOWN, given)
    requested.takes_levels = requested.cut_later = True
    raters = open_raters(masks, spacing, requested, channels)
    raters.set_slices(requested, slices)
    use_region(requested, raters, roi)
    arguments = {"method": method, "channels": channels, "slice_wise": slices, "roi": roi, **given}
    answers = _core.fuse(raters.source, requested, names, call_text("crema.fuse", arguments), reporter(progress))
    inputs = [*raters.source.paths, *([requested.region_file] if requested.region_file else [])]
    results = {answer.method: Result.of(answer, raters.frame, list(map(str, inputs))) for answer in answers}
    return results[names[0]] if isinstance(method, str) and method not in _SEVERAL else results


fuse.__doc__ = with_parameters(fuse.__doc__, _SETTINGS)
