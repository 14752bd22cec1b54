# SPDX-License-Identifier: Apache-2.0
"""A small picture for notebooks: how many raters drew each voxel of one slice, their contours, the consensus."""

from __future__ import annotations

import base64
import html
import struct
import zlib

import numpy as np

from crema._kinds import Array

_WIDTH = 360  #: pixels on the page
_MAX_VOXELS = 256  #: voxels along an axis before some are left out
_COLOURS = ("#d55e00", "#0072b2", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#8c564b", "#666666")


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def png(grey: Array) -> bytes:
    """8-bit grey."""
    height, width = grey.shape
    rows = np.zeros((height, width + 1), np.uint8)  # each row begins with its filter: none
    rows[:, 1:] = grey
    head = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    data = zlib.compress(rows.tobytes())
    return b"\x89PNG\r\n\x1a\n" + _chunk(b"IHDR", head) + _chunk(b"IDAT", data) + _chunk(b"IEND", b"")


def contour(mask: Array) -> str:
    """The edges between inside and outside as an SVG path."""
    padded = np.pad(mask.astype(np.int8), 1)
    across = np.argwhere(np.diff(padded, axis=0)[:, 1:-1])
    along = np.argwhere(np.diff(padded, axis=1)[1:-1, :])
    return "".join([f"M{x} {y}h1" for y, x in across] + [f"M{x} {y}v1" for y, x in along])


def _window(drawn: Array) -> tuple[slice, slice]:
    """The rows and columns around what was drawn."""
    parts = []
    for axis in (1, 0):
        used = np.flatnonzero(drawn.any(axis=axis))
        low, high = (0, drawn.shape[1 - axis]) if used.size == 0 else (max(used[0] - 2, 0), used[-1] + 3)
        step = -(-(high - low) // _MAX_VOXELS)
        parts.append(slice(int(low), int(high), max(int(step), 1)))
    return parts[0], parts[1]


def _svg(sets: Array, consensus: Array, raters: int) -> str:
    height, width = sets.shape
    count = sum(((sets >> np.uint64(k)) & np.uint64(1)).astype(int) for k in range(raters))
    grey = np.asarray(255 - 150 * np.asarray(count) // raters, np.uint8)
    picture = base64.b64encode(png(grey)).decode()
    line = max(width, height) / 250
    paths = [
        f'<path d="{contour((sets >> np.uint64(k)) & np.uint64(1))}" stroke="{_COLOURS[k % len(_COLOURS)]}" '
        f'stroke-width="{line:.2f}"/>'
        for k in range(raters)
    ]
    paths.append(f'<path d="{contour(consensus)}" stroke="#000" stroke-width="{2.5 * line:.2f}"/>')
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="-1 -1 {width + 2} {height + 2}" width="{_WIDTH}" '
        f'style="background:#fff"><image href="data:image/png;base64,{picture}" width="{width}" height="{height}" '
        f'style="image-rendering:pixelated"/><g fill="none" stroke-linecap="square">{"".join(paths)}</g></svg>'
    )


def page(busiest: tuple[int, Array], volume: Array, method: str, facts: dict[str, object], warnings: list[str]) -> str:
    """The slice in which most was drawn, and the facts beside it."""
    depth, *plane = volume.shape
    z, sets = busiest[0], busiest[1].reshape(plane)
    consensus = volume[z] > 0.5
    rows, columns = _window((sets != 0) | consensus)
    where = "" if depth == 1 else f"slice {z} of {depth}; "
    cells = "".join(f"<tr><th>{html.escape(k)}</th><td>{html.escape(str(v))}</td></tr>" for k, v in facts.items())
    remarks = "".join(f"<li>{html.escape(warning)}</li>" for warning in warnings)
    return (
        f"<figure>{_svg(sets[rows, columns], consensus[rows, columns], int(str(facts['raters'])))}"
        f"<figcaption>{html.escape(method)}: {where}darker where more raters drew, thin lines are raters, the thick "
        f"one is the consensus.</figcaption><table>{cells}</table><ul>{remarks}</ul></figure>"
    )
