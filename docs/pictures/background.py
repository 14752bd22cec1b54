# SPDX-License-Identifier: Apache-2.0
"""How the methods depend on the background, drawn by the program itself for the organ phantom."""

import program

PHANTOM = ["--kind", "organ", "--size", "96,96,32", "--raters", "5"]


def draw(crema, folder):
    program.run(crema, "demo", "-o", folder / "raters", *PHANTOM)
    raters = sorted((folder / "raters").glob("rater-*.nii.gz"))
    program.run(crema, "background", *raters, "-o", folder / "background.svg")
    return (folder / "background.svg").read_text()
