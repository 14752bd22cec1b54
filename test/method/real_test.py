# SPDX-License-Identifier: Apache-2.0
"""The program against the plain reading on a few small cases of real raters.

CREMA_DATA names the folder that holds lidc-nodule and cfos; without it, shared/data beside the repository.
"""

import os
from pathlib import Path

import grey_png
import measures
import nibabel
import numpy
import oracle
import pytest
from oracle import Setting
from running import fuse, program  # noqa: F401 (fixtures)

DATA = Path(os.environ.get("CREMA_DATA") or Path(__file__).resolve().parents[3] / "shared" / "data")
# Looking at all pairs of voxels takes too long for larger components.
LARGEST = 3000


def raters_of(case):
    return sorted(case.glob("rater-*"))


def smallest(collection, rank):
    """The raters' files of the case that comes at this rank when ordered by bytes."""
    if not (DATA / collection).is_dir():
        pytest.skip(f"there is no {DATA / collection}; set CREMA_DATA")
    cases = [case for case in (DATA / collection).iterdir() if raters_of(case)]
    cases.sort(key=lambda case: (sum(path.stat().st_size for path in raters_of(case)), case.name))
    return raters_of(cases[rank])


def small_enough(record):
    largest = max(entry["union_voxels"] for entry in record["jaccard"]["component_table"])
    if largest > LARGEST:
        pytest.skip(f"a component has {largest} voxels, over {LARGEST}")


@pytest.mark.parametrize("options", [(), ("--connectivity", "18"), ("--slice-wise", "z", "--tie", "foreground")])
@pytest.mark.parametrize("rank", range(5))
def test_nodules_are_fused_as_the_method_says(rank, options, fuse):
    paths = smallest("lidc-nodule", rank)
    folder, record = fuse(paths, oracle.METHODS, options)
    small_enough(record)
    setting = {0: Setting(26), 2: Setting(18), 4: Setting(8, 2, "foreground")}[len(options)]
    images = [nibabel.load(path) for path in paths]
    masks = [numpy.asanyarray(image.dataobj) != 0 for image in images]
    voxel_volume = float(numpy.prod(numpy.linalg.norm(images[0].affine[:3, :3], axis=0)))
    parts = oracle.components(masks, setting)
    for method in oracle.METHODS:
        reply = f"{paths[0].parent.name}, {method}, {options}"
        painted, wanted = measures.expected(masks, parts, method, setting.tie, voxel_volume)
        got = numpy.asanyarray(nibabel.load(folder / f"{method}.nii.gz").dataobj)
        assert numpy.array_equal(painted.astype(got.dtype), got), reply
        assert measures.differences(wanted, record[method]) == [], reply


@pytest.mark.parametrize("options", [(), ("--connectivity", "4")])
def test_nuclei_are_fused_as_the_method_says(options, fuse):
    paths = smallest("cfos", 0)
    folder, record = fuse(paths, oracle.METHODS, options)
    small_enough(record)
    masks = [grey_png.read(path) != 0 for path in paths]
    parts = oracle.components(masks, Setting(4 if options else 8, 2))
    for method in oracle.METHODS:
        reply = f"{paths[0].parent.name}, {method}, {options}"
        painted, wanted = measures.expected(masks, parts, method, "background", None)
        got = grey_png.read(folder / f"{method}.png")
        scale, largest = grey_png.scale_of(folder / f"{method}.png"), numpy.iinfo(got.dtype).max
        samples = numpy.where(painted == 1, largest, numpy.rint(painted * scale))
        assert numpy.array_equal(samples, got), reply
        assert measures.differences(wanted, record[method]) == [], reply
