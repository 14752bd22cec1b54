# SPDX-License-Identifier: Apache-2.0
"""The cohorts of docs/study.md, and the variants that each is run with."""

import json
import os
import shutil
import subprocess
import time

MACCHIATO = "jaccard,dice,tanimoto,soergel,dice1,dice2"
STAPLES = "common,accuracy,ml-common,ml-accuracy"
BASE = ["--methods", f"{MACCHIATO},majority,average,staple,ml-staple,{STAPLES}", "--no-surfaces"]
LEAN = ["--no-surfaces", "--no-images"]
VARIANTS = {
    "run": BASE,
    "run-crown": ["--methods", "jaccard,dice,tanimoto", "--blocks", "crown", *LEAN],
    "run-voxel": ["--methods", "jaccard,dice,tanimoto", "--blocks", "voxel", *LEAN],
    "run-group": ["--methods", MACCHIATO, "--blocks", "group", "--budget", "200", *LEAN],
    "run-no-empty-test": ["--methods", "tanimoto,soergel,dice1,dice2", "--no-empty-test", *LEAN],
    "run-slices": ["--methods", "jaccard,dice", "--slice-wise", "z", *LEAN],
    "run-box": ["--methods", "staple", "--roi", "box", *LEAN],
    "run-half": ["--methods", "staple", "--prior", "0.5", *LEAN],
    "run-half-box": ["--methods", "staple", "--prior", "0.5", "--roi", "box", *LEAN],
}
VOTES = ["--methods", "jaccard,dice,majority,local-majority", *LEAN]
FLAT = [name for name in VARIANTS if name != "run-slices"]
NO_VOXELS = [name for name in VARIANTS if name != "run-voxel"]

# name: (what the paper calls it, kind, cases, size, variants). Raters are as many as the paper's, and the same persons
# in all cases; grids are of the paper's size. Fewer organs and lesions than the paper's 40 and 15, to save time.
PHANTOMS = {
    "organ": ("Prostate 3D", "organ", 10, "full", [name for name in NO_VOXELS if name != "run-slices"]),
    "organ-2d": ("Prostate 2D", "organ", 40, "480,480,1", FLAT),
    "lesions": ("MSSEG", "lesions", 8, "full", [name for name in VARIANTS if name != "run-slices"]),
    "spine": ("SCGM-SC", "spine", 40, "full", NO_VOXELS),
    "cord": ("SCGM-GM", "cord", 40, "full", list(VARIANTS)),
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
    for seed, (name, (_, kind, cases, size, _)) in enumerate(PHANTOMS.items(), 1):
        target = folder / name / "data"
        if target.exists():
            continue
        target.parent.mkdir(parents=True, exist_ok=True)
        small = "480,480,1" if size.endswith(",1") else "small"
        cases, size = (3, small) if quick else (cases, size)
        run(crema, "demo", "-o", target, "--kind", kind, "--cases", cases, "--seed", seed, "--size", size)


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


def cohort_run(crema, folder, name, flags):
    shutil.rmtree(folder / name, ignore_errors=True)
    return run(crema, "cohort", "run", folder / "data", "-o", folder / name, "-q", *flags)


def study(crema, folder, variants):
    """All runs of a cohort and its tables; keeps what they took."""
    facts = {"cases": len(list((folder / "data").iterdir())), "runs": {}}
    for name in variants:
        facts["runs"][name] = cohort_run(crema, folder, name, VARIANTS[name])
    for name, flags in (("run-votes", []), ("run-ties", ["--tie", "foreground"])):
        facts["runs"][name] = cohort_run(crema, folder, name, [*VOTES, *flags])
    shutil.rmtree(folder / "tables", ignore_errors=True)
    persist = ["--raters-persist"] if folder.name in PHANTOMS else []
    runs = [folder / name for name in variants]
    facts["study"] = run(crema, "study", *runs, "-o", folder / "tables", "-q", "--background", *persist)
    (folder / "facts.json").write_text(json.dumps(facts, indent=1) + "\n")
