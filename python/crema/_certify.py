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
from crema._progress import teller
from crema._raters import open_raters
from crema._result import add_inputs
from crema._settings import call_text, settings_from, with_parameters

if TYPE_CHECKING:
    from typing_extensions import Unpack

_SETTINGS = _core.certify_settings()
_KNOWN = [*_SETTINGS, "distance", "spacing", "progress"]


@dataclass(frozen=True)
class Certificate:
    """What the raters' masks say about a consensus.

    Attributes
    ----------
    distance : str
        In which it was compared with the raters.
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
        The same for each component of the union.
    warnings : list of str
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
    _record: dict[str, Any] = field(repr=False, compare=False)
    _inputs: list[str] = field(repr=False, compare=False)

    @staticmethod
    def of(record: dict[str, Any], inputs: list[str]) -> Certificate:
        told = deepcopy(record)
        told["bound"], told["components"] = told["lower_bound"], told.get("component_table", [])
        names = [one.name for one in fields(Certificate) if not one.name.startswith("_")]
        return Certificate(_record=record, _inputs=inputs, **{name: told[name] for name in names})

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
    **settings: Unpack[CertifyKeywords],
) -> Certificate:
    """Tells how far any consensus of the raters, wherever it comes from, is from the best one.

    Parameters
    ----------
    consensus : array, image, path or Result
        A mask for "jaccard" and "dice", levels from 0 to 1 for the others.
    masks
        The raters, as in `fuse`.
    distance : {distances}
        How the consensus is compared with a rater.
    spacing, progress
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
    given: dict[str, Any] = {name: value for name, value in settings.items() if value is not None}
    slices = given.pop("slice_wise", None)
    asked = settings_from("certify", _KNOWN, given)
    raters = open_raters(masks, spacing, asked)
    raters.set_slices(asked, slices)
    image, name, inputs = getattr(consensus, "image", consensus), "the consensus", list(map(str, raters.source.paths))
    if is_path(image):
        name = os.fsdecode(image)
        require_files([name], asked)
        levels, warnings = _core.read_consensus(name, raters.source, distance, asked)
        inputs.append(name)
    else:
        levels, warnings = raters.levels(name, image)
    command = call_text("crema.certify", {"distance": distance, "slice_wise": slices, **given})
    record = _core.certify(raters.source, asked, name, levels, distance, warnings, command, teller(progress))
    return Certificate.of(record, inputs)


certify.__doc__ = with_parameters(certify.__doc__, _SETTINGS)
if certify.__doc__:
    certify.__doc__ = certify.__doc__.replace("{distances}", "|".join(_core.distances()))
