# SPDX-License-Identifier: Apache-2.0
"""Colours and pieces that the pictures share. They bring their own paper, so any page behind them will do."""

PAPER = "#fdfaf5"
INK = "#2a1a10"
SOFT = "#75655a"
FAINT = "#ddd0c0"
SHADES = ["#f3e4cf", "#e3c9a5", "#cfa878", "#b08250", "#8a5f36"]
RATERS = ["#0072b2", "#d55e00", "#009e73", "#cc5fa0", "#5b4bd0"]
FONT = "system-ui, 'Segoe UI', 'DejaVu Sans', Helvetica, Arial, sans-serif"


def open_svg(width, height, title):
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" '
        f'height="{height}" font-family="{FONT}" role="img">\n<title>{title}</title>\n'
        f'<rect width="{width}" height="{height}" rx="10" fill="{PAPER}"/>'
    )


def text(x, y, words, size=13, fill=INK, anchor="start", more=""):
    return f'<text x="{x}" y="{y}" font-size="{size}" fill="{fill}" text-anchor="{anchor}"{more}>{words}</text>'
