# SPDX-License-Identifier: Apache-2.0
"""Reports how far the work has come."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

Report = Callable[[float], object]


def reporter(progress: Any) -> Report | None:
    """A function of the finished share; a tqdm bar is moved on by what has been done since."""
    if progress is None:
        return None
    if not hasattr(progress, "update"):
        if not callable(progress):
            raise TypeError(f"progress={progress!r} is neither a function of the finished share nor a tqdm bar")
        report: Report = progress
        return report

    def move(share: float) -> None:
        if progress.total is None:
            progress.total = 1
        progress.update(share * progress.total - progress.n)

    return move
