# SPDX-License-Identifier: Apache-2.0
"""What a notebook shows of a result: its picture, what was found, and a table of the raters."""

from __future__ import annotations

import html
from collections.abc import Mapping, Sequence
from typing import Any

#: Headings of the raters' table, and where a record has what stands below.
_COLUMNS = (("voxels", ("voxels",)), ("precision", ("overlap", "precision")), ("recall", ("overlap", "recall")))
_MORE = (("F1", ("overlap", "f1")), ("sensitivity", ("sensitivity",)), ("specificity", ("specificity",)))


def _cell(value: object) -> str:
    if value is None:
        return ""
    return f"{value:.3f}" if isinstance(value, float) else html.escape(str(value))


def _find(row: Mapping[str, Any], path: Sequence[str]) -> Any:
    found: Any = row
    for name in path:
        found = found.get(name) if isinstance(found, Mapping) else None
    return found


def _raters(rows: Sequence[Mapping[str, Any]], names: Sequence[str]) -> str:
    columns = [
        (title, path) for title, path in (*_COLUMNS, *_MORE) if any(_find(row, path) is not None for row in rows)
    ]
    head = "".join(f"<th>{title}</th>" for title in ("rater", *(title for title, _ in columns)))
    lines = "".join(
        f"<tr><td>{html.escape(name)}</td>"
        + "".join(f'<td style="text-align:right">{_cell(_find(row, path))}</td>' for _, path in columns)
        + "</tr>"
        for name, row in zip(names, rows, strict=True)
    )
    return f"<table><tr>{head}</tr>{lines}</table>"


def page(
    picture: str, facts: Mapping[str, object], raters: Sequence[Mapping[str, Any]], warnings: Sequence[str]
) -> str:
    """One element, whatever is missing of it."""
    names = [str(row.get("file") or f"rater {k + 1}") for k, row in enumerate(raters)]
    reported = ", ".join(f"{html.escape(name)} {html.escape(str(value))}" for name, value in facts.items())
    remarks = "".join(f"<li>{html.escape(warning)}</li>" for warning in warnings)
    return (
        f"<figure>{picture}<figcaption>{reported}</figcaption>{_raters(raters, names)}"
        + (f"<ul>{remarks}</ul>" if remarks else "")
        + "</figure>"
    )
