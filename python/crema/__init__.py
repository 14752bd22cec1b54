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

from crema import _core
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
