# SPDX-License-Identifier: Apache-2.0
"""The package and the program give the same voxels, bit for bit, and the same record."""

from __future__ import annotations

import math

import nibabel
import numpy as np
import pytest
from conftest import FOR_MAPS, same

import crema

AFFINE = np.diag([0.9, 0.9, 3.0, 1.0])
KEYWORDS = {
    "dice": {"connectivity": 6},
    "tanimoto": {"weights": [1, 2, 0.5, 1, 1]},
    "staple": {"prior": 0.3, "roi": "box", "margin": 3},
    "ml-staple": {"roi": "union"},
}
CASES = [(method.name, KEYWORDS.get(method.name, {})) for method in crema.methods() if method.name not in FOR_MAPS] + [
    ("jaccard", {"slice_wise": "z"}),
    ("jaccard", {"blocks": "group"}),
    ("dice", {"blocks": "voxel", "tie": "foreground"}),
    ("jaccard", {"certify": True, "weights": "auto"}),
    *(("staple", {"preset": preset}) for preset in ("itk", "niftyseg", "crkit", "stapler", "stapler-bin")),
]


@pytest.fixture(scope="module")
def files(masks, tmp_path_factory):
    folder = tmp_path_factory.mktemp("raters")
    paths = []
    for k, mask in enumerate(masks):
        paths.append(folder / f"rater-{k + 1}.nii.gz")
        nibabel.Nifti1Image(np.asfortranarray(mask.T), AFFINE).to_filename(paths[-1])
    return paths


def as_options(keywords):
    for name, value in keywords.items():
        option = "--" + name.replace("_", "-")
        if value is True:
            yield option
        else:
            yield from (option, ",".join(map(str, value)) if isinstance(value, list) else str(value))


def comparable(record):
    """Without what names files, dates, times, or how the run was started."""
    own = {key: value for key, value in record.items() if key not in ("command", "output", "run", "inputs", "warnings")}
    own["raters"] = [{k: v for k, v in rater.items() if k != "file"} for rater in own["raters"]]
    return own


@pytest.mark.parametrize(("method", "keywords"), CASES, ids=lambda value: str(value))
def test_same_voxels_and_record(program, files, masks, tmp_path, method, keywords):
    out = tmp_path / "out.nii.gz"
    record = program("fuse", *files, "-o", out, "--method", method, "--json", "-", *as_options(keywords))
    written = np.asanyarray(nibabel.load(out).dataobj)
    from_files = crema.fuse(files, method=method, **keywords)
    assert same(from_files.image.array, written.T)
    assert comparable(from_files.to_dict()) == comparable(record)
    assert from_files.warnings == [warning.replace("--weights", "weights=") for warning in record["warnings"]]
    assert from_files.to_dict()["inputs"] == record["inputs"]
    assert from_files.to_dict()["run"].keys() == record["run"].keys()
    images = [nibabel.load(path) for path in files]
    assert same(np.asanyarray(crema.fuse(images, method=method, **keywords).image.dataobj), written)
    arrays = crema.fuse(masks, method=method, spacing=(3, *map(float, np.float32([0.9, 0.9]))), **keywords)
    assert same(arrays.image, written.T) and math.isclose(arrays.lmsd, record["lmsd"], rel_tol=0, abs_tol=0)


def test_several_methods_from_one_counting(program, files, tmp_path):
    record = program("fuse", *files, "-o", tmp_path / "all", "--method", "all", "--json", "-")
    results = crema.fuse(files, method="all")
    assert [one["method"] for one in record["results"]] == list(results)
    for one, (name, result) in zip(record["results"], results.items(), strict=True):
        written = np.asanyarray(nibabel.load(tmp_path / "all" / f"{name}.nii.gz").dataobj)
        assert same(result.image.array, written.T) and result.lmsd == one["lmsd"]


def test_same_certificate(program, files, tmp_path, masks):
    out = tmp_path / "majority.nii.gz"
    program("fuse", *files, "-o", out, "--method", "majority", "--json", "-")
    for distance in ("jaccard", "soergel", "dice2"):
        record = program("certify", out, *files, "--distance", distance, "--json", "-")
        found = crema.certify(out, files, distance=distance).to_dict()
        assert {**comparable(found), "consensus": str(out)} == comparable(record)
        array = crema.fuse(masks, method="majority").image
        assert crema.certify(array, masks, distance=distance).lmsd == record["lmsd"]


def test_what_the_package_writes_the_program_reads_to_the_bit(program, files, masks, tmp_path):
    for ending in (".nii", ".nii.gz"):
        result = crema.fuse(files)
        warnings = crema.write(tmp_path / f"own{ending}", result.image)
        assert warnings == []
        program("fuse", *files, "-o", tmp_path / f"its{ending}", "--json", "-")
        assert (tmp_path / f"own{ending}").read_bytes() == (tmp_path / f"its{ending}").read_bytes()
