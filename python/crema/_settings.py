# SPDX-License-Identifier: Apache-2.0
"""Keywords as the library's settings: its table has their names, words and sentences."""

from __future__ import annotations

import os
import textwrap
import warnings
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from crema import _core


class Setting(NamedTuple):
    """One row of the table."""

    name: str
    values: str  #: "background|foreground" lists the words, "N" stands for a number; empty: a switch
    type: str
    text: str
    on: bool  #: a switch that is on unless it is given
    former: str  #: its name until the last version, still understood; empty: the same


SETTINGS = {row[0]: Setting(*row) for row in _core.settings()}

_FORMER = {setting.former: setting.name for setting in SETTINGS.values() if setting.former}

#: What Python alone can say.
_MORE = {
    "slice_wise": "An int is an axis of the array; True is the axis of the largest spacing.",
    "roi": "A mask may also be an array or an image.",
}


def number_text(value: Any) -> str:
    if isinstance(value, (int, np.integer)) and not isinstance(value, bool):
        return str(int(value))
    number = float(value)
    return str(int(number)) if number.is_integer() and abs(number) < 2**53 else repr(number)


def as_text(name: str, value: Any) -> str:
    """A value as the library reads it."""
    if isinstance(value, (bool, np.bool_)):
        return str(bool(value))
    if isinstance(value, (str, os.PathLike)):
        return os.fspath(value)
    try:
        return ",".join(map(number_text, value)) if isinstance(value, Iterable) else number_text(value)
    except TypeError:
        raise TypeError(f"{name}={value!r}: give {SETTINGS[name].type.removesuffix(' | None')}.") from None


def by_present_names(given: Mapping[str, Any]) -> dict[str, Any]:
    """The keywords by their present names; a former one is understood, with a warning."""
    for name in given.keys() & _FORMER.keys():
        if _FORMER[name] in given:
            raise TypeError(f"{name}= is now called {_FORMER[name]}=; give one of them.")
        words = f"{name}= is now called {_FORMER[name]}=; the next version drops the old name."
        warnings.warn(words, FutureWarning, stacklevel=4)
    return {_FORMER.get(name, name): value for name, value in given.items()}


def settings_from(caller: str, known: Sequence[str], given: Mapping[str, Any]) -> _core.Settings:
    """Settings from keywords; None is not given. A keyword that is not known raises TypeError with the nearest one."""
    for name in given:
        if name not in known:
            raise TypeError(f"{caller}() has no keyword {name}.{_core.suggestion(name, known)}")
    return _core.Settings({name: as_text(name, value) for name, value in given.items() if value is not None})


def call_text(caller: str, given: Mapping[str, Any]) -> list[str]:
    """What was requested, as the record has it; images are not written out."""
    simple = (str, int, float, bool, list, tuple)
    return [caller, *(f"{name}={value!r}" for name, value in given.items() if isinstance(value, simple))]


def _paragraph(setting: Setting) -> str:
    kind = setting.type.removesuffix(" | None") + (f" ({setting.values})" if setting.values else "")
    text = f"If False: {setting.text[0].lower()}{setting.text[1:]}" if setting.on else setting.text
    more = _MORE.get(setting.name)
    body = textwrap.fill(f"{text} {more}" if more else text, 107)
    return f"{setting.name} : {kind}, optional\n{textwrap.indent(body, '    ')}"


def with_parameters(doc: str | None, names: Iterable[str], indent: int = 4) -> str | None:
    """The docstring with the paragraphs of these settings where it says {settings}."""
    paragraphs = "\n".join(_paragraph(SETTINGS[name]) for name in names)
    margin = " " * indent
    return doc and doc.replace(margin + "{settings}", textwrap.indent(paragraphs, margin))
