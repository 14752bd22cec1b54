# SPDX-License-Identifier: Apache-2.0
"""How each method depends on how much background surrounds the masks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from crema import _core
from crema._figure import Figure
from crema._keywords import BackgroundKeywords
from crema._progress import teller
from crema._raters import open_raters
from crema._result import add_inputs
from crema._settings import call_text, settings_from, with_parameters
from crema._tables import Record, columns_of

if TYPE_CHECKING:
    from typing_extensions import Unpack

_SETTINGS = _core.background_settings()
_KNOWN = [*_SETTINGS, "spacing", "progress"]


@dataclass(frozen=True)
class Background:
    """What the size of the image does to each method's consensus. It is a picture in a notebook.

    Attributes
    ----------
    sizes : list of dict
        The images: the raters' box, wider and wider margins, the image, and padded ones.
    methods : list of dict
        Per method, and for "staple" per prior: size, soft volume and entropy at each of these sizes.
    warnings : list of str
    """

    sizes: list[dict[str, Any]] = field(repr=False)
    methods: list[dict[str, Any]] = field(repr=False)
    warnings: list[str]
    _record: Record = field(repr=False, compare=False)
    _picture: Figure = field(repr=False, compare=False)

    def to_dict(self) -> Record:
        """The record that the program writes; its arrays() and frames() have a row per method and size."""
        return self._record

    def figure(self) -> Figure:
        """Size and entropy against the size of the image."""
        return self._picture

    def _repr_html_(self) -> str:
        return self._picture._repr_html_()


def _rows(record: dict[str, Any]) -> list[dict[str, Any]]:
    """One per method and size: where they stand beside each other."""
    rows = []
    for curve in record["curves"]:
        for at, size in enumerate(record["sizes"]):
            told = {name: value[at] if isinstance(value, list) else value for name, value in curve.items()}
            rows.append(
                {**told, "image": size["name"], "image_voxels": size["voxels"], "background": size["background"]}
            )
    return rows


def background(
    masks: Any,
    *,
    spacing: Sequence[float] | None = None,
    progress: Any = None,
    **settings: Unpack[BackgroundKeywords],
) -> Background:
    """Tells how the consensus of each method depends on how much background surrounds the raters' masks.

    Its size, soft volume and entropy in the tight bounding box, in the box with wider and wider margins, in the image
    as it is, and in an image padded to up to a hundred times its background. No image is made: the background is one
    number.

    Parameters
    ----------
    masks
        The raters, as in `fuse`.
    spacing, progress
        As in `fuse`.
    {settings}

    Returns
    -------
    Background

    Examples
    --------
    >>> import crema
    >>> masks, geometry = crema.phantom("lesions", size=(6, 40, 40), raters=5)
    >>> told = crema.background(masks)
    >>> jaccard = next(one for one in told.methods if one["method"] == "jaccard")
    >>> len(set(jaccard["voxels"]))
    1
    """
    given: dict[str, Any] = {name: value for name, value in settings.items() if value is not None}
    slices = given.pop("slice_wise", None)
    asked = settings_from("background", _KNOWN, given)
    raters = open_raters(masks, spacing, asked)
    raters.set_slices(asked, slices)
    command = call_text("crema.background", {"slice_wise": slices, **given})
    record, svg, warnings = _core.background(raters.source, asked, command, teller(progress))
    inputs = list(map(str, raters.source.paths))
    told = Record(add_inputs(record, inputs), {"background": columns_of(_rows(record))})
    picture = Figure(svg, "size and entropy of each method against the size of the image", [], inputs)
    return Background(told["sizes"], told["curves"], warnings, told, picture)


background.__doc__ = with_parameters(background.__doc__, _SETTINGS)
