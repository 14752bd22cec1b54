# SPDX-License-Identifier: Apache-2.0
"""How far any consensus is from the best one."""

from __future__ import annotations

import os
from collections.abc import Sequence
from copy import deepcopy
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any

from crema import _core
from crema._files import require_files
from crema._keywords import CertifyKeywords, Distance
from crema._kinds import is_path
from crema._labels import given_keywords
from crema._part import add_inputs
from crema._progress import reporter
from crema._raters import Raters, open_raters
from crema._settings import call_text, settings_from, with_parameters

if TYPE_CHECKING:
    from typing_extensions import Unpack

_SETTINGS = _core.certify_settings()
_KNOWN = [*_SETTINGS, "distance", "spacing", "progress", "channels"]
_SUMS = ("lmsd", "bound", "gap", "voxels", "outside")


@dataclass(frozen=True)
class Certificate:
    """What the raters' masks say about a consensus.

    Attributes
    ----------
    distance : str
        Distance in which it was compared with the raters.
    lmsd : float
        Sum over components of the mean squared distance to the raters.
    bound : float
        No consensus has a lower one in this distance.
    gap : float
        How much lower the LMSD of the best consensus can be at most.
    proven : bool
        Whether the bound is as high as it can be, in every component.
    voxels : int
        Of the consensus, above one half.
    outside : int
        Of its voxels above 0, those drawn by no rater.
    components : list of dict
        The same for each component of the union; of several labels, each says its label.
    warnings : list of str
    labels : dict of str to Certificate
        One for each label, where labels were certified; the numbers above are sums over them then.
    """

    distance: str
    lmsd: float
    bound: float
    gap: float
    proven: bool
    voxels: int
    outside: int
    components: list[dict[str, Any]] = field(repr=False)
    warnings: list[str] = field(repr=False)
    labels: dict[str, Certificate] = field(repr=False)
    _record: dict[str, Any] = field(repr=False, compare=False)
    _inputs: list[str] = field(repr=False, compare=False)

    @staticmethod
    def of(record: dict[str, Any], inputs: list[str]) -> Certificate:
        if "structures" in record:
            return Certificate._joined(record, inputs)
        reported = deepcopy(record)
        reported["bound"], reported["components"] = reported["lower_bound"], reported.get("component_table", [])
        reported["labels"] = {}
        names = [one.name for one in fields(Certificate) if not one.name.startswith("_")]
        return Certificate(_record=record, _inputs=inputs, **{name: reported[name] for name in names})

    @staticmethod
    def _joined(record: dict[str, Any], inputs: list[str]) -> Certificate:
        shared = {name: value for name, value in record.items() if name != "structures"}
        labels = {one["label"]: Certificate.of({**shared, **one}, inputs) for one in record["structures"]}
        parts = list(labels.values())
        reported: dict[str, Any] = {name: sum(getattr(part, name) for part in parts) for name in _SUMS}
        reported["proven"] = all(part.proven for part in parts)
        reported["components"] = [{"label": name, **row} for name, part in labels.items() for row in part.components]
        reported["distance"], reported["warnings"] = parts[0].distance, list(record["warnings"])
        return Certificate(labels=labels, _record=record, _inputs=inputs, **reported)

    def to_dict(self) -> dict[str, Any]:
        """The record that the program writes; docs/formats.md has its fields. Checksums are those of the files as they
        are now."""
        return add_inputs(deepcopy(self._record), self._inputs)


def certify(
    consensus: Any,
    masks: Any,
    *,
    distance: Distance = "jaccard",
    spacing: Sequence[float] | None = None,
    progress: Any = None,
    channels: int | None = None,
    **settings: Unpack[CertifyKeywords],
) -> Certificate:
    """Measures how far any consensus of the raters, from any source, is from the best one.

    Parameters
    ----------
    consensus : array, image, path or Result
        A mask for "jaccard" and "dice", levels from 0 to 1 for the others; where labels are fused, a label map for
        "jaccard" and "dice".
    masks
        The raters, as in `fuse`.
    distance : {distances}
        Distance between consensus and rater.
    spacing, progress, channels
        As in `fuse`.
    {settings}

    Returns
    -------
    Certificate

    Examples
    --------
    >>> import crema
    >>> masks, geometry = crema.phantom("lesions", size=(6, 40, 40), raters=5)
    >>> certificate = crema.certify(crema.fuse(masks, method="majority").image, masks)
    >>> certificate.bound <= certificate.lmsd
    True
    """
    given = given_keywords(settings, channels)
    slices = given.pop("slice_wise", None)
    requested = settings_from("certify", _KNOWN, given)
    raters = open_raters(masks, spacing, requested, channels)
    raters.set_slices(requested, slices)
    image, inputs = getattr(consensus, "image", consensus), list(map(str, raters.source.paths))
    if is_path(image):
        inputs.append(os.fsdecode(image))
    candidate = _candidate(image, raters, distance, requested, channels)
    reported = {"distance": distance, "channels": channels, "slice_wise": slices, **given}
    command = call_text("crema.certify", reported)
    record = _core.certify(raters.source, requested, candidate, command, reporter(progress))
    return Certificate.of(record, inputs)


def _candidate(
    image: Any, raters: Raters, distance: str, requested: _core.Settings, channels: int | None
) -> _core.Candidate:
    if is_path(image):
        path = os.fsdecode(image)
        require_files([path], requested)
        return _core.read_candidate(path, raters.source, distance, requested)
    name = "the consensus"
    if requested.wants_labels:
        labels, warnings = raters.labels(name, image, channels)
        return _core.take_map(name, labels, distance, warnings)
    levels, warnings = raters.levels(name, image)
    return _core.take_levels(name, levels, distance, warnings)


certify.__doc__ = with_parameters(certify.__doc__, _SETTINGS)
if certify.__doc__:
    certify.__doc__ = certify.__doc__.replace("{distances}", "|".join(_core.distances()))
