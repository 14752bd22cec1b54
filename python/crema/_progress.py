# SPDX-License-Identifier: Apache-2.0
"""Tells somebody how far the work has come."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

Tell = Callable[[float], object]


def _teller(progress: Any) -> Tell | None:
    """A function of the finished share; a tqdm bar is moved on by what has been done since."""
    if progress is None:
        return None
    if not hasattr(progress, "update"):
        if not callable(progress):
            raise TypeError(f"progress={progress!r} is neither a function of the finished share nor a tqdm bar")
        tell: Tell = progress
        return tell

    def move(share: float) -> None:
        if progress.total is None:
            progress.total = 1
        progress.update(share * progress.total - progress.n)

    return move


class Progress:
    """Several steps of work as one share from 0 to 1."""

    def __init__(self, progress: Any, steps: int):
        self._tell = _teller(progress)
        self._steps = steps
        self._done = 0

    def step(self) -> Tell | None:
        """To be told about the next step, which begins."""
        tell, before, steps = self._tell, self._done, self._steps
        self._done += 1
        if tell is None:
            return None
        return lambda share: tell((before + share) / steps)

    def done(self) -> None:
        """To be called after each step."""
        if self._tell is not None:
            self._tell(self._done / self._steps)
