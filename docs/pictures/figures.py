# SPDX-License-Identifier: Apache-2.0
"""Pictures of the README and of docs/figure.md, drawn by `crema figure` from phantoms."""

import program

LESIONS = ["--kind", "lesions", "--size", "58,36,1", "--raters", "5", "--seed", "8"]
ORGAN = ["--kind", "organ", "--size", "96,96,32", "--raters", "5"]


def draw_with(phantom, *options):
    """A function that draws the phantom's raters with these options of `crema figure`."""

    def draw(crema, folder):
        program.run(crema, "demo", "-o", folder / "raters", *phantom)
        raters = sorted((folder / "raters").glob("rater-*.nii.gz"))
        more = [program.blurred(raters, folder / "image.nii.gz") if option == "IMAGE" else option for option in options]
        program.run(crema, "figure", *raters, *more, "-o", folder / "figure.svg")
        return (folder / "figure.svg").read_text()

    return draw


PICTURES = {
    "consensus.svg": draw_with(LESIONS),
    "figure-image.svg": draw_with(LESIONS, "--image", "IMAGE"),
    "figure-levels.svg": draw_with(ORGAN, "--show", "levels", "-m", "average,staple,tanimoto"),
    "figure-votes.svg": draw_with(ORGAN, "--show", "votes", "-m", "majority,jaccard"),
    "figure-subcrowns.svg": draw_with(LESIONS, "--show", "subcrowns"),
    "figure-trace.svg": draw_with(ORGAN, "--show", "trace", "-m", "jaccard,dice"),
}
