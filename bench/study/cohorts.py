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
VOTE = ["--methods", "jaccard,dice,majority,local-majority", *LEAN]
VOTES = {"run-votes": VOTE, "run-ties": [*VOTE, "--tie", "foreground"]}
FLAT = [name for name in VARIANTS if name != "run-slices"]
NO_VOXELS = [name for name in VARIANTS if name != "run-voxel"]

# name: (what the paper calls it, kind, cases, size, variants). Raters are as many as the paper's, and the same persons
# in all cases; so are cases and grids.
PHANTOMS = {
    "organ": ("Prostate 3D", "organ", 40, "full", [name for name in NO_VOXELS if name != "run-slices"]),
    "organ-2d": ("Prostate 2D", "organ", 40, "480,480,1", FLAT),
    "lesions": ("MSSEG", "lesions", 15, "full", [name for name in VARIANTS if name != "run-slices"]),
    "spine": ("SCGM-SC", "spine", 40, "full", NO_VOXELS),
    "cord": ("SCGM-GM", "cord", 40, "full", list(VARIANTS)),
}

# name: (folder, where it is from, variants)
REAL = {
    "nodules": (
        "lidc-nodule",
        "LIDC-IDRI: lung nodules on CT, each cropped, by the 3 or 4 radiologists who drew it. Armato et al. 2011, The "
        "Cancer Imaging Archive, doi:10.7937/K9/TCIA.2015.LO9QL9SX; CC BY 3.0",
        list(VARIANTS),
    ),
    "skin": (
        "dermx",
        "DermX: characteristics of skin lesions, by dermatologists; CC0 1.0",
        [name for name in FLAT if name != "run-voxel"],
    ),
    "nuclei": (
        "cfos",
        "Fluorescent nuclei (cFOS). Segebarth et al., eLife 2020, doi:10.5061/dryad.4b8gtht9d; Apache-2.0",
        [name for name in FLAT if name != "run-voxel"],
    ),
}
RATERS = ["--only", "rater-*"]  # folders of real cases hold other files, too


def flags_of(cohort, flags):
    return [*flags, *RATERS] if cohort in REAL else flags


def study_flags(cohort):
    return ["--background", *(["--raters-persist"] if cohort in PHANTOMS else [])]


def variants_of(cohort):
    return (PHANTOMS | REAL)[cohort][-1]


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
    """The folder of each, or of a few of its cases; returns what is there."""
    found = []
    for name, (source, *_) in REAL.items():
        cases = [case for case in sorted((shared / source).glob("*")) if case.is_dir()]
        target = folder / name / "data"
        if cases and not target.exists():
            target.mkdir(parents=True)
            for case in cases[: 3 if quick else None]:
                os.symlink(case.resolve(), target / case.name)
        found += [name] if cases else []
    return found


def cohort_run(crema, folder, name, flags):
    shutil.rmtree(folder / name, ignore_errors=True)
    return run(crema, "cohort", "run", folder / "data", "-o", folder / name, "-q", *flags_of(folder.name, flags))


def study(crema, folder):
    """All runs of a cohort and its tables; keeps what they took."""
    facts = {"cases": len(list((folder / "data").iterdir())), "runs": {}}
    variants = variants_of(folder.name)
    for name in variants:
        facts["runs"][name] = cohort_run(crema, folder, name, VARIANTS[name])
    for name, flags in VOTES.items():
        facts["runs"][name] = cohort_run(crema, folder, name, flags)
    shutil.rmtree(folder / "tables", ignore_errors=True)
    runs = [folder / name for name in variants]
    facts["study"] = run(crema, "study", *runs, "-o", folder / "tables", "-q", *study_flags(folder.name))
    (folder / "facts.json").write_text(json.dumps(facts, indent=1) + "\n")
