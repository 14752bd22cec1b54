# SPDX-License-Identifier: Apache-2.0
"""How each method depends on how much background surrounds the masks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from crema import _core
from crema._figure import Figure
from crema._keywords import BackgroundKeywords
from crema._labels import given_keywords
from crema._part import add_inputs
from crema._progress import reporter
from crema._raters import open_raters
from crema._settings import call_text, settings_from, with_parameters
from crema._tables import Record, columns_of

if TYPE_CHECKING:
    from typing_extensions import Unpack

_SETTINGS = _core.background_settings()
_KNOWN = [*_SETTINGS, "spacing", "progress", "channels"]


@dataclass(frozen=True)
class Background:
    """How each method's consensus depends on the size of the image; shown as a picture in notebooks.

    Attributes
    ----------
    sizes : list of dict
        The images: the raters' box, wider and wider margins, the image, and padded ones.
    methods : list of dict
        Per method, and for "staple" per prior: size, soft volume and entropy at each of these sizes.
    warnings : list of str

    Where labels were given, each dict of sizes and methods begins with its label.
    """

    sizes: list[dict[str, Any]] = field(repr=False)
    methods: list[dict[str, Any]] = field(repr=False)
    warnings: list[str]
    _record: Record = field(repr=False, compare=False)
    _pictures: dict[str, Figure] = field(repr=False, compare=False)

    def to_dict(self) -> Record:
        """The record that the program writes; its arrays() and frames() have a row per method and size."""
        return self._record

    def figure(self, label: str | int | None = None) -> Figure:
        """Size and entropy against the size of the image; of the first label unless another is named."""
        if label is None:
            return next(iter(self._pictures.values()))
        if str(label) not in self._pictures:
            known = ", ".join(name for name in self._pictures if name) or "no labels"
            raise KeyError(f"{label!r} is not a label here; labels are {known}.")
        return self._pictures[str(label)]

    def _repr_html_(self) -> str:
        return "".join(picture._repr_html_() for picture in self._pictures.values())


def _structures(record: dict[str, Any]) -> list[tuple[dict[str, str], dict[str, Any]]]:
    """What is reported of each structure, and the label that rows about it begin with; a mask has none."""
    if "structures" not in record:
        return [({}, record)]
    return [({"label": one["label"]}, one) for one in record["structures"]]


def _rows(record: dict[str, Any]) -> list[dict[str, Any]]:
    """One per structure, method and size: where they stand beside each other."""
    rows = []
    for label, one in _structures(record):
        for curve in one["curves"]:
            for at, size in enumerate(one["sizes"]):
                reported = {name: value[at] if isinstance(value, list) else value for name, value in curve.items()}
                where = {"image": size["name"], "image_voxels": size["voxels"], "background": size["background"]}
                rows.append({**label, **reported, **where})
    return rows


def background(
    masks: Any,
    *,
    spacing: Sequence[float] | None = None,
    progress: Any = None,
    channels: int | None = None,
    **settings: Unpack[BackgroundKeywords],
) -> Background:
    """Shows how each method's consensus depends on the background around the raters' masks.

    Its size, soft volume and entropy in the tight bounding box, in boxes with wider margins, in the image itself, and
    in an image padded to up to a hundred times its background. No image is made.

    Parameters
    ----------
    masks
        The raters, as in `fuse`.
    spacing, progress, channels
        As in `fuse`.
    {settings}

    Returns
    -------
    Background

    Examples
    --------
    >>> import crema
    >>> masks, geometry = crema.phantom("lesions", size=(6, 40, 40), raters=5)
    >>> study = crema.background(masks)
    >>> jaccard = next(one for one in study.methods if one["method"] == "jaccard")
    >>> len(set(jaccard["voxels"]))
    1
    """
    given = given_keywords(settings, channels)
    slices = given.pop("slice_wise", None)
    requested = settings_from("background", _KNOWN, given)
    raters = open_raters(masks, spacing, requested, channels)
    raters.set_slices(requested, slices)
    command = call_text("crema.background", {"channels": channels, "slice_wise": slices, **given})
    record, drawn, warnings = _core.background(raters.source, requested, command, reporter(progress))
    inputs = list(map(str, raters.source.paths))
    reported = Record(add_inputs(record, inputs), {"background": columns_of(_rows(record))})
    structures = _structures(record)
    sizes = [{**label, **size} for label, one in structures for size in one["sizes"]]
    methods = [{**label, **curve} for label, one in structures for curve in one["curves"]]
    pictures = {}
    for (label, _), svg in zip(structures, drawn, strict=True):
        name = label.get("label", "")
        shown = "size and entropy of each method against the size of the image" + (f", label {name}" if name else "")
        pictures[name] = Figure(svg, shown, [], inputs)
    return Background(sizes, methods, warnings, reported, pictures)


background.__doc__ = with_parameters(background.__doc__, _SETTINGS)
