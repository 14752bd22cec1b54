# SPDX-License-Identifier: Apache-2.0
"""The table of methods, as the library has it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

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
        In which the LMSD of its result is reported.
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


def method_names(given: Any) -> list[str]:
    """The methods that a name or a list of names stands for."""
    names: list[Any] = [given] if isinstance(given, str) or not isinstance(given, Iterable) else list(given)
    if not all(isinstance(name, str) for name in names):
        raise TypeError(f"method={given!r}: give a name, or a list of names; crema.methods() lists all.")
    return _core.find_methods(names)


def methods() -> tuple[Method, ...]:
    """All methods, in the order in which they are listed to people.

    Examples
    --------
    >>> import crema
    >>> [method.name for method in crema.methods()][:3]
    ['jaccard', 'dice', 'majority']
    """
    return tuple(Method(*row) for row in _core.methods())
