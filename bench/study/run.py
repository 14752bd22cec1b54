# SPDX-License-Identifier: Apache-2.0
"""bench/study/run.py CREMA WORK REAL [--quick] [--page]: see scripts/study."""

import os
import pathlib
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import chapters
import cohorts
import findings
from tables import Cohort, table

CASES, NODES = 10_000_000, 100

HEAD = (pathlib.Path(__file__).parent / "head.md").read_text(encoding="utf-8")


def cost(found):
    """What many cases would take, from what these took."""
    rows = []
    cores = os.cpu_count()
    for one in found:
        cases, facts = one.facts["cases"], one.facts
        per_second = cases / facts["runs"]["run"]
        hours = CASES / per_second / NODES / 3600
        merge = CASES * facts["merge"] / cases / 3600
        study = CASES * facts["tables"] / cases / 3600
        rows.append(
            [
                one.name,
                f"{per_second:.1f}",
                f"{hours:.1f} h",
                f"{merge:.1f} h",
                f"{study:.1f} h",
                f"{CASES * facts['bytes'] / cases / 1e9:.0f} GB",
                f"{CASES * facts['all_bytes'] / cases / 1e12:.2f} TB",
            ]
        )
    return (
        f"## What {CASES:,} cases cost on {NODES} nodes\n\n".replace(",", " ")
        + f"On paper, from the runs above: each node as fast as this machine ({cores} cores, which had other work to "
        "do meanwhile), sixteen methods at once, all images written, one shard per node or more. Shards do not talk "
        "to each other, so that time falls with the number of nodes as long as the file system keeps up. Merging and "
        "the study are one process each, which holds a few hundred cases at a time.\n\n"
        + table(["like", "cases per second, one node", f"{NODES} nodes", "merge", "study", "tables", "all files"], rows)
    )


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
            "## Tables\n",
            *chapters.all_chapters(found),
            cost(found),
        ]
    )


def main(crema, work, real, *flags):
    start = time.perf_counter()
    quick = "--quick" in flags
    crema, folder = pathlib.Path(crema).resolve(), pathlib.Path(work + ("-quick" if quick else "")).resolve()
    variants = {name: row[-1] for name, row in (cohorts.PHANTOMS | cohorts.REAL).items()}
    if "--page" not in flags:
        cohorts.make_phantoms(crema, folder, quick)
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
