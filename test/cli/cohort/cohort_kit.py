# SPDX-License-Identifier: Apache-2.0
"""Small cohorts on the disk, in every layout, and what a run leaves."""

import csv
import hashlib
import json
import os

import nibabel
import numpy

AFFINE = numpy.diag([1.0, 1.0, 3.0, 1.0])
RATERS = ["anna", "ben", "carl"]


def mask(case, rater, size=(10, 9, 5)):
    """A box that moves a little with the rater, and another place for each case."""
    array = numpy.zeros(size, numpy.uint8)
    x, y = 1 + case % 3, 1 + case % 2
    array[x : x + 4 + rater % 2, y : y + 4, 1:4] = 1
    if rater == 2 and case % 2:
        array[9, 8, 0] = 1
    return array


def save(path, array, affine=AFFINE):
    path.parent.mkdir(parents=True, exist_ok=True)
    nibabel.Nifti1Image(array, affine).to_filename(path)


def place(layout, case, rater):
    """Where that layout has a mask."""
    name = RATERS[rater]
    return {
        "cases": f"case{case:02}/{name}.nii.gz",
        "raters": f"{name}/case{case:02}.nii.gz",
        "bids": f"sub-{case:02}/anat/sub-{case:02}_label-lesion_desc-{name}_mask.nii.gz",
    }[layout]


def make_cohort(folder, layout="cases", cases=5, raters=3):
    for case in range(cases):
        for rater in range(raters):
            save(folder / place(layout, case, rater), mask(case, rater))
    if layout == "bids":
        (folder / "dataset_description.json").write_text('{"Name": "masks", "BIDSVersion": "1.8.0"}')
    return folder


def write_manifest(path, rows, separator="\t"):
    text = "\n".join(separator.join(map(str, row)) for row in [("case", "rater", "path"), *rows])
    path.write_text(text + "\n")
    return path


def read_table(path):
    with open(path, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def case_folder(run, name):
    """Where the files of a case lie, whose name can be that of a folder."""
    levels = json.loads((run / "run.json").read_text()).get("fan_out", 0)
    digest = hashlib.sha256(name.encode()).hexdigest()
    return run.joinpath("cases", *(digest[2 * level : 2 * level + 2] for level in range(levels)), name)


TABLES = ["cases", "methods", "raters", "components", "component_raters", "rater_pairs", "method_pairs", "review"]
TABLES += ["failures", "times"]


def bytes_of(folder, times=False):
    """Every file of a run by its checksum; times and stamps differ from run to run, and only shards have parts."""
    found = {}
    for root, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if name not in (".stamps", "parts")]
        for name in names:
            if name != "times.csv" or times:
                path = os.path.join(root, name)
                with open(path, "rb") as file:
                    found[os.path.relpath(path, folder)] = hashlib.sha256(file.read()).hexdigest()
    return found


def sealed(content):
    """A record with its checksum, as crema writes it; the content goes on behind its last member."""
    digest = hashlib.sha256(content).hexdigest()
    return content + b',\n  "sha256": "%s"\n}\n' % digest.encode()


def unsealed(record):
    return record[: record.rindex(b',\n  "sha256"')]


def reseal(path, change):
    """Changes a result or a failure as somebody would who knows of its checksum."""
    record = json.loads(path.read_text())
    change(record)
    del record["sha256"]
    path.write_bytes(sealed(json.dumps(record, indent=2)[:-2].encode()))
