# SPDX-License-Identifier: Apache-2.0
"""What to write and whom to cite."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from crema import _core


class Citation(NamedTuple):
    """Printed, it is the text and the entries.

    Attributes
    ----------
    text : str
        Sentences for the methods section of a paper, with keys of the entries in brackets.
    bibtex : str
        An entry for the program, and one for each work that the methods are by.
    """

    text: str
    bibtex: str

    def __str__(self) -> str:
        return f"{self.text}\n\n{self.bibtex}"


def cite(method: str | Sequence[str] = "jaccard") -> Citation:
    """Text and citations for a paper, as `crema cite` prints them.

    Parameters
    ----------
    method : str or list of str
        Methods used, as in `fuse`.

    Examples
    --------
    >>> import crema
    >>> crema.cite("staple").bibtex.count("@")
    2
    """
    return Citation(*_core.cite([method] if isinstance(method, str) else list(method)))
