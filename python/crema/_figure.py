# SPDX-License-Identifier: Apache-2.0
"""Pictures: in a notebook, as text, and as files."""

from __future__ import annotations

import os
from dataclasses import dataclass, field

from crema import _core


@dataclass(frozen=True)
class Figure:
    """A picture, which a notebook shows.

    Attributes
    ----------
    svg : str
        The picture itself.
    shown : str
        What it shows, in words.
    warnings : list of str
    """

    svg: str = field(repr=False)
    shown: str
    warnings: list[str] = field(default_factory=list, repr=False)
    _inputs: list[str] = field(default_factory=list, repr=False, compare=False)

    def save(self, path: str | os.PathLike[str], *, dpi: int = 300, overwrite: bool = False) -> None:
        """Writes it: .svg, or .png and .pdf where librsvg is installed; the file appears complete or not at all.

        Parameters
        ----------
        path : str or path-like
            The ending decides the format. A rater's file is never replaced.
        dpi : int
            Dots per inch of a PNG.
        overwrite : bool
            Whether to replace an existing file.

        Raises
        ------
        FileExistsError
            There is a file already.
        ValueError
            The ending is another one, or nothing here makes PNG and PDF; the sentence says what to install.
        """
        name = os.fspath(path)
        try:
            _core.save_picture(name, self.svg, dpi, overwrite, [one for one in self._inputs if os.path.lexists(one)])
        except ValueError as error:
            if "exists" in str(error) and not overwrite:
                raise FileExistsError(str(error)) from None
            raise

    def _repr_svg_(self) -> str:
        return self.svg

    def _repr_html_(self) -> str:
        """As an image of its own, so that its styles stay with it."""
        import base64  # a notebook has both already; a script need not wait for them
        import html

        data = base64.b64encode(self.svg.encode()).decode()
        return (
            f'<img alt="{html.escape(self.shown, quote=True)}" style="max-width:100%;background:#fff" '
            f'src="data:image/svg+xml;base64,{data}"/>'
        )
