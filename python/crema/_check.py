# SPDX-License-Identifier: Apache-2.0
"""Whether masks can be fused, and every problem of every one."""

from __future__ import annotations

import os
from collections.abc import Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from crema import _core
from crema._keywords import CheckKeywords
from crema._kinds import is_path, kind_of
from crema._labels import given_keywords
from crema._progress import reporter
from crema._raters import named_masks, open_masks
from crema._settings import call_text, settings_from, with_parameters
from crema._tables import Rows

if TYPE_CHECKING:
    from typing_extensions import Unpack

_SETTINGS = _core.check_settings()
_KNOWN = [*_SETTINGS, "spacing", "progress", "channels"]

Named = list[tuple[str | None, Any]]
Checked = tuple[str, list[str], _core.Grid | None, str, int]


@dataclass(frozen=True)
class Check:
    """The findings about masks; true if they can be fused.

    Attributes
    ----------
    fine : bool
        Whether `fuse` would accept them.
    raters : list of dict
        Per mask: file (its name), fine, problems, grid, type, voxels (inside; of levels, from 0.5 on).
    problems : list of str
        Of all of them together.
    warnings : list of str
        Warnings that a fusion would give.
    """

    fine: bool
    raters: Rows = field(repr=False)
    problems: list[str]
    warnings: list[str]
    _record: dict[str, Any] = field(repr=False, compare=False)

    def __bool__(self) -> bool:
        return self.fine

    def to_dict(self) -> dict[str, Any]:
        """The record that the program writes; docs/formats.md has its fields."""
        return deepcopy(self._record)


def _sentence(problem: Exception) -> str:
    return str(problem)


def _look_alone(name: str, mask: Any, spacing: Any, requested: _core.Settings, channels: int | None) -> Checked:
    """A label that this rater did not draw may be another's: labels are looked for in all of them together."""
    try:
        raters = open_masks([(name, mask)], spacing, requested, channels)
        labels = requested.wants_labels and not requested.probabilities
        voxels = raters.drawn[0] if labels else _core.count_masks(raters.source, requested, None)[0][0]
    except (ValueError, OSError) as problem:
        return name, [_sentence(problem)], None, "", 0
    kind = kind_of(mask)
    return name, [], raters.header.grid, str(kind.open(mask, name).array.dtype), voxels


def _look(
    named: Named, spacing: Any, requested: _core.Settings, channels: int | None, progress: Any
) -> tuple[list[Checked], Any, Any]:
    """Every mask by itself and beside those before it that are well; then all as a fusion takes them in."""
    rows: list[Checked] = []
    fit: Named = []
    for k, (given, mask) in enumerate(named):
        row = _look_alone(given or f"rater {k + 1}", mask, spacing, requested, channels)
        if not row[1]:
            try:
                open_masks([*fit, (row[0], mask)], spacing, requested, channels)
                fit.append((row[0], mask))
            except ValueError as problem:
                row = (row[0], [_sentence(problem)], *row[2:])
        rows.append(row)
    problems, warnings = list[str](), list[str]()
    try:
        if fit:
            together = open_masks(fit, spacing, requested, channels).source
            voxels, warnings = _core.count_masks(together, requested, reporter(progress))
            if len(fit) == len(rows):
                rows = [(*row[:4], inside) for row, inside in zip(rows, voxels, strict=True)]
    except ValueError as problem:
        problems.append(_sentence(problem))
    return rows, problems, warnings


def check(
    masks: Any,
    *,
    spacing: Sequence[float] | None = None,
    progress: Any = None,
    channels: int | None = None,
    **settings: Unpack[CheckKeywords],
) -> Check:
    """Checks masks without fusing them: reports every problem of every mask, not only the first.

    Parameters
    ----------
    masks
        The raters, as in `fuse`.
    spacing, progress, channels
        As in `fuse`.
    {settings}

    Returns
    -------
    Check
        True if `fuse` would accept them.

    Examples
    --------
    >>> import crema
    >>> masks, geometry = crema.phantom("lesions", size=(6, 40, 40), raters=3)
    >>> bool(crema.check(masks)), bool(crema.check([masks[0], masks[1][:3]]))
    (True, False)
    """
    given = given_keywords(settings, channels)
    requested = settings_from("check", _KNOWN, given)
    named = named_masks(masks)
    _core.check_count(len(named))
    command = call_text("crema.check", {"channels": channels, **given})
    if all(is_path(mask) for _, mask in named):
        paths = [os.fsdecode(mask) for _, mask in named]
        record = _core.check_files(paths, requested, command, reporter(progress))
    else:
        rows, problems, warnings = _look(named, spacing, requested, channels, progress)
        record = _core.check_record(rows, problems, requested, command, warnings)
    reported = deepcopy(record)
    return Check(reported["fine"], Rows(reported["raters"]), reported["problems"], reported["warnings"], record)


check.__doc__ = with_parameters(check.__doc__, _SETTINGS)
