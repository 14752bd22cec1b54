# SPDX-License-Identifier: Apache-2.0
"""Consensus of raters' masks: many masks of one image in, one mask or map out.

>>> import numpy as np
>>> import crema
>>> first, second, third = np.zeros((3, 8, 8), np.uint8)
>>> first[2:6, 2:6] = second[2:6, 2:6] = third[3:7, 3:7] = 1
>>> result = crema.fuse([first, second, third])
>>> int(result.image.sum()), round(result.lmsd, 4)
(23, 0.0926)

Start with `fuse`; `methods` lists what it can do, `check` finds problems in masks, `certify` measures how good any
consensus is, `background` how it depends on the size of the image, and `cite` lists what to cite. `read` and `write`
are strict about files, and `phantom` makes synthetic masks to try things on.
"""

import os
from importlib import import_module
from typing import TYPE_CHECKING, Any

from crema import _core

if TYPE_CHECKING:
    from crema._background import Background, background
    from crema._certify import Certificate, certify
    from crema._check import Check, check
    from crema._cite import Citation, cite
    from crema._figure import Figure
    from crema._files import read, read_map, write
    from crema._fuse import fuse
    from crema._image import Geometry, Image
    from crema._methods import Method, methods
    from crema._part import Part
    from crema._phantom import Phantom, phantom
    from crema._result import Result

    LabelPart, LabelResult = Part, Result

__version__ = _core.version()

__all__ = [
    "Background",
    "Certificate",
    "Check",
    "Citation",
    "Figure",
    "Geometry",
    "Image",
    "Method",
    "Part",
    "Phantom",
    "Result",
    "__version__",
    "background",
    "certify",
    "check",
    "cite",
    "fuse",
    "methods",
    "phantom",
    "read",
    "read_map",
    "write",
]

#: The module that makes each name; it is loaded when the name is first used, so that importing costs little.
_ROOMS = {
    "Background": "_background",
    "Certificate": "_certify",
    "Check": "_check",
    "Citation": "_cite",
    "Figure": "_figure",
    "Geometry": "_image",
    "Image": "_image",
    "Method": "_methods",
    "Part": "_part",
    "Phantom": "_phantom",
    "Result": "_result",
    "background": "_background",
    "certify": "_certify",
    "check": "_check",
    "cite": "_cite",
    "fuse": "_fuse",
    "methods": "_methods",
    "phantom": "_phantom",
    "read": "_files",
    "read_map": "_files",
    "write": "_files",
}

#: Names of the version before.
_ALIASES = {"LabelPart": "Part", "LabelResult": "Result"}


def __getattr__(name: str) -> Any:
    own = _ALIASES.get(name, name)
    if own not in _ROOMS:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    result = getattr(import_module(f"{__name__}.{_ROOMS[own]}"), own)
    globals()[name] = result
    return result


def _warn_of_strangers(folder: str) -> None:
    """Another package of this import name, such as the one on PyPI that finds chords in music, installs its files among
    ours. Nearly all of ours begin with an underscore."""
    ours = {"py.typed", "cohort", "monai.py", "nipype.py"}
    strangers = [name for name in os.listdir(folder) if not name.startswith(("_", ".")) and name not in ours]
    if strangers:
        import warnings

        warnings.warn(
            f"another package named crema has files in {folder}, such as {min(strangers)}; one of the two does not "
            "work. Install crema-consensus in an environment without it: pip uninstall crema crema-consensus, then "
            "pip install crema-consensus.",
            stacklevel=3,
        )


_warn_of_strangers(__path__[0])


def __dir__() -> list[str]:
    return sorted({*globals(), *_ROOMS})
