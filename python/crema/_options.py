# SPDX-License-Identifier: Apache-2.0
"""Checks what was asked for against what the methods heed, and hands it to the library."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from crema import _core
from crema._raters import Raters

_POWER = re.compile(r"\s*([^/]+)/N(?:\^(.+))?")


@dataclass
class Wishes:
    """What `fuse` was asked besides masks; None: not asked."""

    connectivity: int | None = None
    slice_wise: int | str | bool | None = None
    tie: str | None = None
    blocks: str | None = None
    weights: str | Sequence[float] | None = None
    empty_test: str | None = None
    certify: bool = False
    budget: int | None = None
    budget_seconds: float | None = None
    preset: str | None = None
    prior: str | float | None = None
    region: Any = None
    margin: int | None = None
    tolerance: float | None = None
    max_iterations: int | None = None
    drop_below: float | None = None
    coupling: float | None = None
    window: int | None = None
    softness: float | None = None
    threads: int | None = None


def _number(name: str, value: Any) -> float:
    try:
        number = float(value)
    except (TypeError, ValueError):
        raise ValueError(f"{name}={value!r} is no number.") from None
    if not math.isfinite(number):
        raise ValueError(f"{name}={value!r} is no finite number.")
    return number


def _positive(name: str, value: Any) -> float:
    number = _number(name, value)
    if number <= 0:
        raise ValueError(f"{name}={value!r} is not above 0.")
    return number


def _not_negative(name: str, value: Any) -> float:
    number = _number(name, value)
    if number < 0:
        raise ValueError(f"{name}={value!r} is below 0.")
    return number


def _whole(name: str, value: Any, least: int) -> int:
    if isinstance(value, bool) or int(value) != value or not least <= value < 2**31:
        raise ValueError(f"{name}={value!r} is no whole number of at least {least}.")
    return int(value)


def _prior(value: str | float) -> tuple[str, float, float]:
    if value == "mean":
        return "mean", 1.0, 1.0
    power = _POWER.fullmatch(value) if isinstance(value, str) else None
    if power:
        return "power", _positive("prior", power[1]), _not_negative("prior", power[2] or 1)
    number = _number("prior", value)
    if not 0 < number < 1:
        raise ValueError(f"the prior {value} does not lie between 0 and 1, both excluded.")
    return "number", number, 1.0


def _axis(wish: int | str | bool, raters: Raters) -> int:
    """The axis of the grid: x runs fastest in memory."""
    if wish is True or wish == "auto":
        return _core.default_slice_axis(raters.grid)
    if isinstance(wish, str):
        if wish not in ("x", "y", "z"):
            raise ValueError(f"slice_wise={wish!r} is not one of x, y, z, an axis of the array, or True.")
        return "xyz".index(wish)
    ndim = len(raters.shape)
    if not -ndim <= wish < ndim:
        raise ValueError(f"slice_wise={wish}: masks of shape {raters.shape} have no such axis.")
    return wish % ndim if raters.order == "F" else ndim - 1 - wish % ndim


def weight_list(weights: Sequence[float], raters: int) -> list[float]:
    values = [_not_negative("weights", weight) for weight in weights]
    if len(values) != raters:
        count = "1 weight is" if len(values) == 1 else f"{len(values)} weights are"
        raise ValueError(f"weights=: {count} given for {raters} rater{'' if raters == 1 else 's'}; give one for each.")
    if not any(values):
        raise ValueError("all weights are 0; at least one rater must count.")
    return values


def _names(rows: Sequence[_core.Method], last: str) -> str:
    names = [row.name for row in rows]
    return names[0] if len(names) == 1 else ", ".join(names[:-1]) + last + names[-1]


def _demand(wish: str, methods: Sequence[_core.Method], heeds: Callable[[_core.Method], bool]) -> None:
    """At least one of the chosen methods must heed what was asked."""
    if not any(heeds(method) for method in methods):
        whom = methods[0].name if len(methods) == 1 else "these methods"
        fitting = ", ".join(method.name for method in _core.methods() if heeds(method))
        raise ValueError(f"{wish}=: nothing of that kind is known to {whom}; it goes with {fitting}.")


def _minimises(method: _core.Method) -> bool:
    return method.aim == "distance"


#: What each keyword goes with.
_HEEDED_BY: dict[str, Callable[[_core.Method], bool]] = {
    "blocks": _minimises,
    "empty_test": _minimises,
    "prior": lambda method: method.heeds_prior,
    "tolerance": lambda method: method.heeds_prior,
    "region": lambda method: method.heeds_region,
    "margin": lambda method: method.heeds_region,
    "max_iterations": lambda method: method.aim == "performance",
    "drop_below": lambda method: method.name == "simple",
    "coupling": lambda method: method.name == "staple-mrf",
    "window": lambda method: method.name == "local-staple",
    "softness": lambda method: method.name == "shape-soft",
    "weights": lambda method: method.heeds_weights,
}


def _check_preset(wishes: Wishes, methods: Sequence[_core.Method]) -> None:
    for method in methods:
        if method.name != "staple":
            raise ValueError(f"preset=: {method.name} is no method of other packages; a preset goes with staple.")
    for name in ("prior", "region", "margin", "tolerance", "max_iterations"):
        if getattr(wishes, name) is not None:
            raise ValueError(f"{name}=: the preset {wishes.preset} settles that; leave one of them out.")


def _check_region(wishes: Wishes, methods: Sequence[_core.Method]) -> None:
    grows = isinstance(wishes.region, str) and wishes.region in ("box", "union")
    if wishes.margin is not None and not grows:
        raise ValueError('margin=: goes with region="box" or region="union".')
    if wishes.region is None or isinstance(wishes.region, str):
        return
    for method in methods:
        if not method.heeds_region:
            raise ValueError(
                f"region=: {method.name} knows no region, but a mask takes part of the raters' masks away; "
                "run it by itself."
            )


def check(wishes: Wishes, methods: Sequence[_core.Method]) -> list[str]:
    """Refuses what no method heeds; warnings on what some do not."""
    if wishes.preset is not None:
        _check_preset(wishes, methods)
    for name, heeds in _HEEDED_BY.items():
        if getattr(wishes, name) is not None:
            _demand(name, methods, heeds)
    if wishes.certify:
        _demand("certify", methods, _minimises)
    if not wishes.certify and wishes.blocks != "group":
        for name in ("budget", "budget_seconds"):
            if getattr(wishes, name) is not None:
                raise ValueError(f'{name}=: there is nothing to prove without certify=True or blocks="group".')
    if isinstance(wishes.region, str) or wishes.region is None:
        _check_word("region", wishes.region, ("full", "box", "union"))
    _check_region(wishes, methods)
    return _partly_heeded(wishes, methods)


def _check_word(name: str, word: str | None, words: tuple[str, ...]) -> None:
    if word is not None and word not in words:
        raise ValueError(f'{name}={word!r} is not one of {", ".join(words)}.')


def _partly_heeded(wishes: Wishes, methods: Sequence[_core.Method]) -> list[str]:
    warnings = []
    deaf = [method for method in methods if not method.heeds_weights]
    if wishes.weights is not None and deaf:
        warnings.append(f"weights=: not heeded by {_names(deaf, ' and ')}.")
    votes = [method for method in methods if not _minimises(method)]
    if wishes.certify and votes:
        one = len(votes) == 1
        warnings.append(
            f"certify=: {_names(votes, ' and ')} minimise{'s' if one else ''} no distance to the raters and "
            f"{'is' if one else 'are'} not certified; crema.certify judges such results in a distance of your choice."
        )
    return warnings


_CONVERT: dict[str, Callable[[str, Any], Any]] = {
    "connectivity": lambda name, value: _whole(name, value, 1),
    "tie": lambda _name, value: value,
    "blocks": lambda _name, value: value,
    "empty_test": lambda _name, value: value,
    "budget": lambda name, value: _whole(name, value, 1),
    "budget_seconds": _positive,
    "preset": lambda _name, value: value,
    "prior": lambda _name, value: _prior(value),
    "margin": lambda name, value: _whole(name, value, 0),
    "tolerance": _positive,
    "max_iterations": lambda name, value: _whole(name, value, 1),
    "drop_below": _positive,
    "coupling": _not_negative,
    "window": lambda name, value: _whole(name, value, 1),
    "softness": _positive,
    "threads": lambda name, value: _whole(name, value, 1),
}


def settings(wishes: Wishes, raters: Raters) -> _core.Settings:
    """What was asked, in the library's terms; weights and proofs are set per method."""
    given = {
        name: convert(name, getattr(wishes, name))
        for name, convert in _CONVERT.items()
        if getattr(wishes, name) is not None
    }
    if wishes.slice_wise is not None and wishes.slice_wise is not False:
        given["slice_wise"] = _axis(wishes.slice_wise, raters)
    if isinstance(wishes.region, str):
        given["region"] = wishes.region
    return _core.Settings(**given)
