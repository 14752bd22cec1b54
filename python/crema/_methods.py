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


def methods() -> tuple[Method, ...]:
    """All methods, in the order in which they are listed to people.

    Examples
    --------
    >>> import crema
    >>> [method.name for method in crema.methods()][:3]
    ['jaccard', 'dice', 'majority']
    """
    return tuple(Method(*row) for row in _core.methods())
