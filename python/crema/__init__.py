# SPDX-License-Identifier: Apache-2.0
"""Consensus of raters' masks: many masks of one image in, one mask or map out.

>>> import numpy as np
>>> import crema
>>> first, second, third = np.zeros((3, 8, 8), np.uint8)
>>> first[2:6, 2:6] = second[2:6, 2:6] = third[3:7, 3:7] = 1
>>> result = crema.fuse([first, second, third])
>>> int(result.image.sum()), round(result.lmsd, 4)
(23, 0.0926)

Start with `fuse`; `methods` lists what it can do, `check` says what is wrong with masks, `certify` how good any
consensus is, `background` what the size of an image does to it, and `cite` whom to cite. `read` and `write` are strict
about files, and `phantom` makes masks to try all that on.
"""

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
    from crema._labels import LabelPart, LabelResult
    from crema._methods import Method, methods
    from crema._phantom import Phantom, phantom
    from crema._result import Result

__version__ = _core.version()

__all__ = [
    "Background",
    "Certificate",
    "Check",
    "Citation",
    "Figure",
    "Geometry",
    "Image",
    "LabelPart",
    "LabelResult",
    "Method",
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

#: The module that makes each name; it is loaded when the name is first asked for, so that importing costs little.
_ROOMS = {
    "Background": "_background",
    "Certificate": "_certify",
    "Check": "_check",
    "Citation": "_cite",
    "Figure": "_figure",
    "Geometry": "_image",
    "Image": "_image",
    "LabelPart": "_labels",
    "LabelResult": "_labels",
    "Method": "_methods",
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


def __getattr__(name: str) -> Any:
    if name not in _ROOMS:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    made = getattr(import_module(f"{__name__}.{_ROOMS[name]}"), name)
    globals()[name] = made
    return made


def __dir__() -> list[str]:
    return sorted({*globals(), *_ROOMS})
