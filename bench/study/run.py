# SPDX-License-Identifier: Apache-2.0
"""bench/study/run.py CREMA WORK REAL [--quick] [--page]: see scripts/study."""

import pathlib
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import chapters
import cohorts
import findings
import votes
from tables import Cohort

HEAD = (pathlib.Path(__file__).parent / "head.md").read_text(encoding="utf-8")


def write_page(folder, names):
    datasets = {name: row[0] for name, row in cohorts.PHANTOMS.items()}
    found = [Cohort(folder / name, datasets.get(name)) for name in names]
    return "\n".join(
        [
            HEAD,
            "## Cohorts\n",
            chapters.cohorts(found),
            "## Findings\n",
            findings.all_findings(found),
            votes.section(found),
            "## Tables\n",
            *chapters.all_chapters(found),
        ]
    )


def main(crema, work, real, *flags):
    start = time.perf_counter()
    quick = "--quick" in flags
    crema, folder = pathlib.Path(crema).resolve(), pathlib.Path(work + ("-quick" if quick else "")).resolve()
    variants = {name: row[-1] for name, row in (cohorts.PHANTOMS | cohorts.REAL).items()}
    if "--page" not in flags:
        cohorts.make_phantoms(crema, folder, quick)
        print(f"phantoms: {time.perf_counter() - start:.0f} s", file=sys.stderr, flush=True)
        for name in [*cohorts.PHANTOMS, *cohorts.link_real(folder, pathlib.Path(real), quick)]:
            began = time.perf_counter()
            cohorts.study(crema, folder / name, variants[name])
            print(f"{name}: {time.perf_counter() - began:.0f} s", file=sys.stderr, flush=True)
    names = [name for name in variants if (folder / name / "facts.json").exists()]
    page = write_page(folder, names)
    if quick:
        print(page)
    else:
        pathlib.Path("docs/study.md").write_text(page, encoding="utf-8")
    print(f"all: {time.perf_counter() - start:.0f} s", file=sys.stderr)


if __name__ == "__main__":
    main(*sys.argv[1:])
