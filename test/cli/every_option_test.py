# SPDX-License-Identifier: Apache-2.0
"""Every setting × every command × {mask, labels, regions, levels, classes}: it changes something on one of
many random cases, or is refused by its name. What a command takes is read off its help, so that a new setting must get
a row here."""

import os
import re
import shutil
import subprocess

import nibabel
import numpy
import pytest
from conftest import PATIENCE

CASES = 50
RATERS = 4
GRID = (9, 8, 4)
KINDS = {
    "mask": [],
    "labels": ["--labels", "all"],
    "regions": ["--regions", "whole=1+2+3,core=2+3"],
    "levels": ["--probabilities"],
    "classes": ["--probabilities", "--labels", "all"],
}
LEVELS = ("levels", "classes")
# Of each setting: a value that is not the default; what must stand beside it, with and without it; the method.
SETTINGS = {
    "threshold": ("0.5", [], None),
    "label": ("2", [], None),
    "undecided": ("9", [], "majority"),
    "segment": ("s1", [], None),
    "segments-are": ("raters", [], None),
    "palette": ("classes.csv", [], None),
    "like": ("large.nii", [], None),
    "probabilities": (None, [], None),
    "floor": ("0.6", ["--probabilities"], "average"),
    "logits": ("sigmoid", ["--probabilities"], "average"),
    "connectivity": ("6", [], None),
    "slice-wise": ("z", [], None),
    "panel": ("dice", [], None),
    "outlines": (None, ["--show", "votes"], None),
    "tie": ("foreground", [], "majority"),
    "blocks": ("voxel", [], None),
    "weights": ("0.1,1,2,5", [], None),
    "no-empty-test": (None, [], None),
    "alpha": ("3", [], "tversky"),
    "beta": ("3", [], "tversky"),
    "certify": (None, [], None),
    "preset": ("itk", [], "staple"),
    "prior": ("0.1", [], "staple"),
    "roi": ("union", [], "staple"),
    "margin": ("1", ["--roi", "box"], "staple"),
    "tolerance": ("0.3", [], "staple"),
    "max-iterations": ("1", [], "staple"),
    "drop-below": ("0.2", [], "simple"),
    "coupling": ("3", [], "staple-mrf"),
    "window": ("1", [], "local-staple"),
    "softness": ("9", [], "shape-soft"),
    "consensus-threshold": ("0.3", [], None),
    "threshold-output": ("0.5", [], "average"),
    "surface-tolerance": ("0", [], None),
    "hd95": ("pooled", [], None),
    "no-surfaces": (None, [], None),
    "leave-one-out": ("fixed", [], None),
    "bootstrap": ("5", [], None),
    "seed": ("7", ["--bootstrap", "5"], None),
    "flip-weights": (None, [], None),
    "uniqueness": (None, [], None),
}
# These change how a result comes about or what is said of it, not the result; other suites have them.
SAME_RESULT = {"budget", "budget-seconds", "no-gap", "threads", "low-memory", "max-memory", "no-provenance",
               "uniqueness"}  # fmt: skip
# Regions are masks in the end, cut at one half, which these do not move, and the presets of STAPLE move levels by less
# than a shade; what they do to levels `fuse` tells.
CUT = {("agreement", "regions", "softness"), ("agreement", "regions", "preset"), ("figure", "regions", "softness"),
       ("figure", "regions", "preset"), ("figure", "mask", "preset")}  # fmt: skip
# Options of a command that are no settings: files, names and pictures.
OWN = {
    *(
        "output",
        "json",
        "force",
        "quiet",
        "method",
        "methods",
        "help",
        "xml",
        "dicom-fractional",
        "dicom-empty-frames",
        "components",
        "report",
        "levels",
        "csv",
        "maps",
    ),
    *("case", "consensus", "review", "places", "image", "slices", "slice", "show", "whole", "dpi", "distance", "names"),
    *("layout", "only", "except", "no-images", "jobs", "shard", "retry", "verify", "per-task", "wait", "no-wait"),
    *("tables", "raters-persist", "missing"),
    *("labels", "regions", "candidate"),
}
COMMANDS = {
    "fuse": ["-o", "out.nii"],
    "agreement": ["--csv", "out"],
    "compare": ["--csv", "out"],
    "certify": [],
    "background": [],
    "check": [],
    "figure": ["-o", "out.svg"],
    "report": ["-o", "out.html"],
    "cohort run": ["-o", "out", "--layout", "cases"],
}
METHOD = {"fuse": "-m", "agreement": "-m", "compare": "-m", "figure": "-m", "report": "-m", "cohort run": "-m"}


def options_of(crema, command):
    text = crema(*command.split(), "--help").out
    names = set(re.findall(r"^  (?:-\w, ?)?--([a-z0-9-]+)", text, re.M))
    if command == "cohort run":
        names.discard("panel")  # there it asks for a picture on the page, and takes no value
    return names - OWN - SAME_RESULT


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("cases")


def blobs(rng):
    """A map of three labels: nested boxes with ragged edges, and a far one that some raters leave out."""
    result = numpy.zeros(GRID, numpy.uint8)
    for label in (1, 2, 3):
        low, high = rng.integers(label - 1, label + 1, 3), rng.integers(0, 2, 3)
        result[low[0] : 8 - label - high[0], low[1] : 8 - label - high[1], low[2] // 2 : 4 - high[2]] = label
    if rng.random() < 0.6:
        result[8, 6:, 3] = 1
    result[rng.random(GRID) < 0.05] = 0
    return result


def save(path, array):
    nibabel.Nifti1Image(array, numpy.diag([1.0, 1.0, 2.0, 1.0])).to_filename(path)


def make_case(program, folder, seed):
    place = folder / str(seed)
    if place.exists():
        return place
    (place / "data/p1").mkdir(parents=True)
    rng = numpy.random.default_rng(seed)
    maps = [blobs(rng) for _ in range(RATERS)]
    for k, result in enumerate(maps):
        save(place / f"map{k}.nii", result)
        save(place / f"mask{k}.nii", (result > 0).astype("u1"))
        save(place / f"soft{k}.nii", ((result > 0) * (0.3 + 0.2 * result)).astype("f4"))
        channels = numpy.stack([result == label for label in range(4)], axis=-1)
        save(place / f"labels{k}.nii", (0.1 + 0.6 * channels).astype("f4"))  # four channels of a softmax
        nested = numpy.stack([result > 0, result > 1], axis=-1)
        save(place / f"regions{k}.nii", (0.1 + 0.4 * nested + 0.05 * result[..., None]).astype("f4"))
        segments = [program, "fuse", f"map{k}.nii", "--labels", "s1=1,s2=2,s3=3", "-o", f"seg{k}.seg.nrrd", "-q"]
        subprocess.run(segments, cwd=place, check=True, capture_output=True)
    large = numpy.pad((maps[0] > 0).astype("u1"), ((0, 2), (0, 3), (0, 1)))
    save(place / "large.nii", large)
    (place / "classes.csv").write_text("name,colour\na,#ff0000\n")
    save(place / "levels.nii", ((maps[0] > 0) * 0.25 + (maps[1] > 0) * 0.25).astype("f4"))
    return place


def inputs_of(command, kind, setting, place):
    if kind in LEVELS:
        return level_inputs(command, kind, place)
    stem = {"label": "map", "segment": "seg", "segments-are": "seg"}.get(setting)
    stem = "soft" if setting in ("threshold", "probabilities", "floor", "logits") else stem
    stem = stem if (stem and kind == "mask") or stem == "seg" else "map" if kind != "mask" else "mask"
    stem = kind if kind != "mask" and setting in ("floor", "logits") else stem
    ending = ".seg.nrrd" if stem == "seg" else ".nii"
    files = [f"{stem}{k}{ending}" for k in range(RATERS)]
    if setting == "segments-are":
        files = files[:1]
    if command == "cohort run":
        return cohort_of(place, files)
    if command == "certify":
        candidate = "levels.nii" if setting == "consensus-threshold" else files[0]
        soft = kind == "mask" and setting in ("probabilities", "floor", "logits")
        if kind != "mask" and setting in ("floor", "logits"):
            candidate = "map0.nii"
        distance = "tversky" if setting in ("alpha", "beta") else "soergel" if soft else "jaccard"
        return [candidate, *files, "--distance", distance]
    return files


def level_inputs(command, kind, place):
    stem = "soft" if kind == "levels" else "labels"
    files = [f"{stem}{k}.nii" for k in range(RATERS)]
    if command == "cohort run":
        return cohort_of(place, files)
    if command == "certify":
        return ["levels.nii" if kind == "levels" else "map0.nii", *files, "--distance", "soergel"]
    return files


def cohort_of(place, files):
    shutil.rmtree(place / "data")
    (place / "data/p1").mkdir(parents=True)
    for name in files:
        os.link(place / name, place / "data/p1" / name)
    return ["data"]


def untimed(text):
    """Without times, paths and the words of the command itself."""
    return re.sub(r"\d[\d.]* (?:s|ms|cases per second)\b|seconds?.*", "", text)


def outcome(program, place, command, words):
    """Exit code, what was said, and what was written."""
    for old in place.glob("out*"):
        shutil.rmtree(old) if old.is_dir() else old.unlink()
    done = subprocess.run(
        [program, *command.split(), *words], cwd=place, capture_output=True, text=True, timeout=PATIENCE
    )
    written = {}
    for path in sorted(place.rglob("out*")):
        files = [path] if path.is_file() else [p for p in path.rglob("*") if p.is_file()]
        for file in files:
            if file.suffix not in (".json", ".html") and file.name not in ("times.csv", ".lock"):
                written[str(file.relative_to(place))] = file.read_bytes()
    return done.returncode, untimed(done.stdout), untimed(done.stderr), written


def without_it(known, program, place, command, common):
    """The outcome without the setting, which many settings share."""
    key = (place, command, *common, *sorted(os.listdir(place / "data/p1")))
    if key not in known:
        known[key] = outcome(program, place, command, common)
    return known[key]


def tried(known, program, folder, command, kind, setting):
    """None where the setting is fine, else what is wrong with it."""
    value, beside, method = SETTINGS[setting]
    option = [f"--{setting}", *([value] if value else [])]
    for seed in range(CASES):
        place = make_case(program, folder, seed)
        given = [word for word in KINDS[kind] if word not in beside]
        common = [*inputs_of(command, kind, setting, place), *given, *COMMANDS[command], *beside]
        if method and command in METHOD:
            common += [METHOD[command], method]
        if command == "figure" and (method in ("staple", "shape-soft", "local-staple") or setting == "floor"):
            common += ["--show", "levels"]
        with_it = outcome(program, place, command, [*common, *option])
        if with_it[0] == 2:
            named = f"--{setting}" in with_it[2]
            whole = without_it(known, program, place, command, common)[0] == 2
            return None if named or whole else f"refused without its name: {with_it[2]}"
        if with_it[0] not in (0, 3, 5):
            return f"exit code {with_it[0]}: {with_it[2]}"
        if command == "report":  # a page tells its command, so that no two are the same
            return None
        if with_it != without_it(known, program, place, command, common):
            return None
    return f"accepted, and changes nothing on {CASES} random cases"


@pytest.mark.parametrize("command", COMMANDS)
def test_every_setting_is_honoured_or_refused(program, crema, folder, command):
    known = options_of(crema, command)
    assert known <= SETTINGS.keys(), f"new here: {known - SETTINGS.keys()}; give them a row"
    wrong, outcomes = {}, {}
    for kind in KINDS:
        for setting in sorted(known):
            if (command, kind, setting) in CUT or f"--{setting}" in KINDS[kind]:
                continue
            if found := tried(outcomes, program, folder, command, kind, setting):
                wrong[f"{setting} with {kind}"] = found
    assert not wrong, "\n".join(f"{name}: {what}" for name, what in wrong.items())
