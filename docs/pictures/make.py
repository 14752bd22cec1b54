#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Draws the pictures of the README and the documentation from runs of the program: make.py PROGRAM [--check]

With --check nothing is written; exits 1 when a picture is not what the program gives now.
"""

import base64
import pathlib
import re
import sys
import tempfile
import zlib

import background
import figures
import how
import labels
import paper

PICTURES = {"how.svg": how.draw, "background.svg": background.draw, "labels.svg": labels.draw}
PICTURES |= figures.PICTURES | paper.PICTURES


def unpacked(svg):
    """The picture with the bytes of its images unpacked: how they are packed depends on the processor."""

    def pixels(image):
        png = base64.b64decode(image[1])
        at = png.index(b"IDAT")
        return zlib.decompress(png[at + 4 : at + 4 + int.from_bytes(png[at - 4 : at], "big")]).hex()

    return re.sub(r"data:image/png;base64,([\w+/=]+)", pixels, svg)


def main(arguments):
    check = "--check" in arguments
    names = [a for a in arguments if a != "--check"]
    if len(names) != 1:
        sys.exit(__doc__)
    crema = pathlib.Path(names[0]).resolve()
    here = pathlib.Path(__file__).resolve().parent
    stale = []
    for name, draw in PICTURES.items():
        with tempfile.TemporaryDirectory() as folder:
            drawn = draw(crema, pathlib.Path(folder))
        path = here / name
        if check and (not path.exists() or unpacked(path.read_text()) != unpacked(drawn)):
            stale.append(name)
        elif not check:
            path.write_text(drawn)
    if stale:
        sys.exit(f"stale: {', '.join(stale)}; run docs/pictures/make.py PROGRAM")


if __name__ == "__main__":
    main(sys.argv[1:])
