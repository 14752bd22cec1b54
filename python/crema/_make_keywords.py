# SPDX-License-Identifier: Apache-2.0
"""Writes _keywords.py from the library's table of settings: python -m crema._make_keywords python/crema/_keywords.py"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable
from pathlib import Path

from crema import _core
from crema._settings import SETTINGS, Setting

_HEAD = '''# SPDX-License-Identifier: Apache-2.0
"""The settings as keywords, for type checkers. Made by crema._make_keywords; do not edit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, TypedDict
'''


def _literal(words: Iterable[str]) -> str:
    return "Literal[" + ", ".join(f'"{word}"' for word in words) + "]"


def _wrapped(literal: str) -> str:
    """As the formatter breaks a line that is too long."""
    return literal if len(literal) < 100 else literal.replace("[", "[\n    ").replace("]", "\n]")


def _type(setting: Setting) -> str:
    words = setting.values.split("|")
    if setting.type != "str | None" or not all(re.fullmatch("[a-z-]+", word) for word in words):
        return setting.type
    return f"{_literal(words)} | None"


def _dictionary(title: str, names: Iterable[str]) -> str:
    rows = "".join(f"    {name}: {_type(SETTINGS[name])}\n" for name in names)
    return f"class {title}(TypedDict, total=False):\n{rows}"


def source() -> str:
    parts = [
        f"{_HEAD}\nDistance = {_wrapped(_literal(_core.distances()))}\n",
        _dictionary("Keywords", _core.fuse_settings()),
        _dictionary("CertifyKeywords", _core.certify_settings()),
        _dictionary("CheckKeywords", _core.check_settings()),
        _dictionary("BackgroundKeywords", _core.background_settings()),
        _dictionary("MeasureKeywords", _core.measure_settings()),
    ]
    return "\n\n".join(parts)


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(source(), encoding="utf-8")
