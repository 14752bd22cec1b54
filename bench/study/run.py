# SPDX-License-Identifier: Apache-2.0
"""bench/study/run.py CREMA WORK REAL [--quick] [--page]: see scripts/study."""

import pathlib
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import chapters
import claims
import cohorts
import commands
import findings
import toy
import votes
from tables import Cohort

WITHDRAWN = (
    "A claim that stood here, that the paper's soft sizes are those without the test of the empty set, is withdrawn: "
    "three of its four methods fit the version with it.\n"
)
VAGUE = (
    "Without a verdict, since they say no more than alike or better: that surrogates of Dice and Jaccard give "
    "similar volumes, that thresholded maps follow the soft ones (tab:6 has both), that distances between "
    "boundaries were not conclusive and that 26 neighbours did better (the paper shows no numbers). Times are "
    "those of programs: that crowns are solved fastest and voxels by far the slowest (tab:1 and tab:3 have ours). "
    "And two claims have proofs, to which tests hold the program: that the majority vote is a Fréchet mean "
    "(appendix B), and that raters who are absent from a kept component do not move its consensus (section 3.3).\n"
)
HEAD = (pathlib.Path(__file__).parent / "head.md").read_text(encoding="utf-8")


def write_page(folder, names):
    datasets = {name: row[0] for name, row in cohorts.PHANTOMS.items()}
    sources = {name: row[1] for name, row in cohorts.REAL.items()}
    found = [Cohort(folder / name, datasets.get(name), sources.get(name)) for name in names]
    seen, tables = findings.all_findings(found), chapters.all_chapters(found)
    tables.insert(1, toy.section(folder))
    return "\n".join(
        [
            HEAD,
            "## Cohorts\n",
            chapters.cohorts(found),
            commands.section(found),
            "## Findings\n",
            claims.index(seen),
            VAGUE,
            WITHDRAWN,
            *(one.section for one in seen),
            votes.section(found),
            "## Tables\n",
            *tables,
        ]
    )


def main(crema, work, real, *flags):
    start = time.perf_counter()
    quick = "--quick" in flags
    crema, folder = pathlib.Path(crema).resolve(), pathlib.Path(work + ("-quick" if quick else "")).resolve()
    if "--page" not in flags:
        cohorts.make_phantoms(crema, folder, quick)
        toy.make(crema, folder)
        print(f"phantoms: {time.perf_counter() - start:.0f} s", file=sys.stderr, flush=True)
        for name in [*cohorts.PHANTOMS, *cohorts.link_real(folder, pathlib.Path(real), quick)]:
            began = time.perf_counter()
            cohorts.study(crema, folder / name)
            print(f"{name}: {time.perf_counter() - began:.0f} s", file=sys.stderr, flush=True)
    names = [name for name in cohorts.PHANTOMS | cohorts.REAL if (folder / name / "facts.json").exists()]
    page = write_page(folder, names)
    if quick:
        print(page)
    else:
        pathlib.Path("docs/study.md").write_text(page, encoding="utf-8")
    print(f"all: {time.perf_counter() - start:.0f} s", file=sys.stderr)


if __name__ == "__main__":
    main(*sys.argv[1:])
