# SPDX-License-Identifier: Apache-2.0
"""The cohorts of docs/study.md, and the variants that each is run with."""

import json
import os
import shutil
import subprocess
import time

MACCHIATO = "jaccard,dice,tanimoto,soergel,dice1,dice2"
STAPLES = "accuracy,shared,common,ml-accuracy,ml-shared,ml-common"
BASE = ["--methods", f"{MACCHIATO},majority,average,staple,ml-staple,{STAPLES}", "--no-surfaces"]
LEAN = ["--no-surfaces", "--no-images"]
VARIANTS = {
    "run": BASE,
    "run-crown": ["--methods", MACCHIATO, "--blocks", "crown", *LEAN],
    "run-voxel": ["--methods", "jaccard,tanimoto", "--blocks", "voxel", *LEAN],
    "run-group": ["--methods", MACCHIATO, "--blocks", "group", "--budget", "200", *LEAN],
    "run-no-empty-test": ["--methods", MACCHIATO, "--no-empty-test", *LEAN],
    "run-slices": ["--methods", MACCHIATO, "--slice-wise", "z", *LEAN],
    "run-box": ["--methods", "staple,ml-staple", "--region", "box", *LEAN],
    "run-half": ["--methods", "staple", "--prior", "0.5", *LEAN],
    "run-half-box": ["--methods", "staple", "--prior", "0.5", "--region", "box", *LEAN],
}
FLAT = [name for name in VARIANTS if name != "run-slices"]

# name: (what the paper calls it, kind, cases, raters, sizes that cases take in turn, variants)
PHANTOMS = {
    "organ": (
        "Prostate 3D",
        "organ",
        12,
        5,
        ["112,112,48", "128,128,56", "144,144,64"],
        [name for name in VARIANTS if name != "run-voxel"],
    ),
    "organ-2d": ("Prostate 2D", "organ", 40, 5, ["128,128,1", "160,160,1", "192,192,1"], FLAT),
    "lesions": ("MSSEG", "lesions", 15, 7, ["96,96,48", "112,112,56", "128,128,64"], list(VARIANTS)),
    "cord": ("SCGM-GM", "cord", 40, 4, ["100,100,6", "128,128,10", "160,160,14", "200,200,18"], list(VARIANTS)),
}

# name: (folder, variants)
REAL = {
    "nodules": ("lidc-nodule", list(VARIANTS)),
    "skin": ("dermx", [name for name in FLAT if name != "run-voxel"]),
    "nuclei": ("cfos", [name for name in FLAT if name != "run-voxel"]),
}


def run(*words):
    start = time.perf_counter()
    done = subprocess.run(list(map(str, words)), capture_output=True, text=True)
    if done.returncode not in (0, 5):
        raise SystemExit(f"{' '.join(map(str, words))}\n{done.stderr}")
    return time.perf_counter() - start


def make_phantoms(crema, folder, quick):
    for name, (_, kind, cases, raters, sizes, _) in PHANTOMS.items():
        for case in range(3 if quick else cases):
            target = folder / name / "data" / f"case-{case + 1:02}"
            if not target.exists():
                target.parent.mkdir(parents=True, exist_ok=True)
                run(
                    crema,
                    "demo",
                    "-o",
                    target,
                    "--kind",
                    kind,
                    "--raters",
                    raters,
                    "--seed",
                    case + 1,
                    "--size",
                    sizes[case % len(sizes)],
                )


def link_real(folder, shared, quick):
    """Masks alone, by links; returns what is there."""
    found = []
    for name, (source, _) in REAL.items():
        if not (shared / source).is_dir():
            continue
        found.append(name)
        for case in sorted((shared / source).iterdir())[: 3 if quick else None]:
            target = folder / name / "data" / case.name
            if case.is_dir() and not target.exists():
                target.mkdir(parents=True)
                for mask in case.glob("rater-*"):
                    os.symlink(mask.resolve(), target / mask.name)
    return found


def study(crema, folder, variants):
    """All runs of a cohort and its tables; returns what they took."""
    facts = {"cases": len(list((folder / "data").iterdir())), "runs": {}}
    for name in variants:
        shutil.rmtree(folder / name, ignore_errors=True)
        facts["runs"][name] = run(crema, "cohort", "run", folder / "data", "-o", folder / name, "-q", *VARIANTS[name])
    shutil.rmtree(folder / "tables", ignore_errors=True)
    facts["merge"] = run(crema, "cohort", "merge", folder / "run", "-q")
    facts["tables"] = run(crema, "study", folder / "run", "-o", folder / "tables", "-q")
    facts["study"] = run(
        crema, "study", *(folder / name for name in variants), "-o", folder / "tables", "-q", "--background", "--force"
    )
    facts["bytes"] = sum(path.stat().st_size for path in (folder / "run").glob("*.csv"))
    facts["all_bytes"] = sum(path.stat().st_size for path in (folder / "run").rglob("*") if path.is_file())
    (folder / "facts.json").write_text(json.dumps(facts, indent=1) + "\n")
