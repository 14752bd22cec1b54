# SPDX-License-Identifier: Apache-2.0
"""The table of methods, as the library has it."""

from __future__ import annotations

from typing import NamedTuple

from crema import _core


class Method(NamedTuple):
    """One way to fuse masks.

    Attributes
    ----------
    name : str
        As `fuse` takes it.
    paper_name : str
        As printed in the paper; understood by `fuse` too.
    kind : str
        ``"hard"`` gives a mask, ``"soft"`` a map of levels from 0 to 1.
    distance : str
        In which the LMSD of its result is told.
    summary : str
        What it gives, in one line.
    reference : str
        Whom to cite.
    """

    name: str
    paper_name: str
    kind: str
    distance: str
    summary: str
    reference: str


def methods() -> tuple[Method, ...]:
    """All methods, in the order in which they are listed to people.

    Examples
    --------
    >>> import crema
    >>> [method.name for method in crema.methods()][:3]
    ['jaccard', 'dice', 'majority']
    """
    return tuple(
        Method(row.name, row.paper_name, row.kind, row.distance, row.summary, row.reference)
        for row in _core.methods()
    )


def chosen(method: str | list[str] | tuple[str, ...]) -> list[_core.Method]:
    """Methods by name, each once; "all" stands for every one of them."""
    rows: list[_core.Method] = []
    for name in [method] if isinstance(method, str) else list(method):
        for row in _core.methods() if name == "all" else [_core.find_method(name)]:
            if all(row.name != other.name for other in rows):
                rows.append(row)
    if not rows:
        raise ValueError("no method was given; name at least one.")
    return rows
