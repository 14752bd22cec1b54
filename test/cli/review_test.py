# SPDX-License-Identifier: Apache-2.0
"""The list of decisions, against a plain reading of the masks with NumPy and SciPy."""

import json
import os
import re
import resource
from pathlib import Path

import nibabel
import numpy
import pytest
from conftest import blob
from plain import read_csv, voxels
from scipy import ndimage

TOUCHING = numpy.ones((3, 3, 3))
DERMX = Path(os.environ.get("CREMA_DATA", Path(__file__).resolve().parents[3] / "shared/data")) / "dermx/293_Plaque"


def first_of(mask):
    """Offset of the first voxel when x runs fastest."""
    return int(numpy.flatnonzero(mask.ravel(order="F"))[0])


def plain_decisions(masks, consensus, flips):
    """Reason, number of the component and first voxel of everything that should be on the list."""
    union = masks.any(axis=0)
    labels, count = ndimage.label(union, TOUCHING)
    regions = sorted((labels == n for n in range(1, count + 1)), key=first_of)
    found = set()
    for number, region in enumerate(regions, 1):
        present = [mask & region for mask in masks if (mask & region).any()]
        kept = (consensus & region).any()
        if number in flips:
            found.add(("flips", number, first_of(region)))
        elif not kept and len(present) >= 2:
            found.add(("left_out", number, first_of(region)))
        if not kept:
            continue
        zones, zone_count = ndimage.label(region & ~numpy.logical_and.reduce(present), TOUCHING)
        for n in range(1, zone_count + 1):
            found.add(("zone", number, first_of(zones == n)))
    return found


def listed(rows):
    return [(row["reason"], int(row["component"]), int(row["first_voxel"])) for row in rows]


@pytest.fixture
def lesions(crema, tmp_path):
    assert crema("demo", "-o", "case", "--kind", "lesions", "--raters", "5").code == 0
    return [f"case/rater-{k}.nii.gz" for k in range(1, 6)]


def test_the_list_of_the_lesion_phantom_is_that_of_a_plain_reading(crema, lesions, tmp_path):
    done = crema(
        "agreement",
        *lesions,
        "--no-surfaces",
        "--leave-one-out",
        "fixed",
        "--review",
        "r.csv",
        "--places",
        "0",
        "--json",
        "a.json",
    )
    assert done.code == 0, done.err
    assert crema("fuse", *lesions, "-o", "c.nii.gz").code == 0
    left = json.loads((tmp_path / "a.json").read_text())["consensuses"][0]["leave_one_out"]["raters"]
    flips = {c for rater in left for c in [*rater["gained"], *rater["lost"]]}
    masks = numpy.array([voxels(tmp_path / name) > 0 for name in lesions])
    rows = read_csv(tmp_path / "r.csv")
    found = listed(rows)
    assert len(set(found)) == len(found)
    assert set(found) == plain_decisions(masks, voxels(tmp_path / "c.nii.gz") > 0, flips)
    order = [("flips", "left_out", "zone").index(row["reason"]) for row in rows]
    assert order == sorted(order)
    for reason in {row["reason"] for row in rows}:
        falls = [float(row["fall"]) for row in rows if row["reason"] == reason]
        assert falls == sorted(falls, reverse=True)


def test_left_out_lesions_of_two_raters_come_before_every_zone(crema, save, tmp_path):
    masks = [blob(0) for _ in range(7)]
    for k in (0, 1):
        masks[k][9:12, 0:3, 0:2] = 1
    masks[2][4, 4, 5] = 1
    names = [save(f"r{k}.nii.gz", mask) for k, mask in enumerate(masks)]
    done = crema("agreement", *names, "--review", "r.csv")
    assert done.code == 0 and "2 of 7 saw it; left out" in done.out
    rows = read_csv(tmp_path / "r.csv")
    assert [row["reason"] for row in rows] == ["left_out", "zone"]
    assert rows[0]["kind"] == "2 of 7 saw it; left out" and rows[0]["raters_in"] == "r0.nii.gz;r1.nii.gz"
    assert rows[1]["kind"] == "border up to 3.0 mm apart"  # a slice is 3 mm thick
    assert rows[1]["voxels"] == "1" and rows[1]["consensus_voxels"] == "0"


def test_a_rater_who_merged_two_regions_is_named(crema, save, tmp_path):
    two = numpy.zeros((20, 8, 4), numpy.uint8)
    two[1:7, 1:7, 1:3] = two[12:19, 1:7, 1:3] = 1
    one = two.copy()
    one[6:13, 3:5, 1:3] = 1
    names = [save(f"r{k}.nii.gz", mask) for k, mask in enumerate([two, two, one, two])]
    assert crema("agreement", *names, "--review", "r.csv").code == 0
    assert any("r2.nii.gz merged two regions" in row["kind"] for row in read_csv(tmp_path / "r.csv"))


def test_a_label_conflict_says_who_called_it_what(crema, save, tmp_path):
    first = numpy.zeros((12, 10, 4), numpy.uint8)
    first[1:6, 1:9, 1:3] = 1
    first[6:11, 1:9, 1:3] = 2
    second = first.copy()
    second[5, 1:9, 1:3] = 2
    names = [save(f"r{k}.nii.gz", array) for k, array in enumerate([first, first, second])]
    done = crema("agreement", *names, "--labels", "all", "--review", "r.csv")
    assert done.code == 0, done.err
    kinds = {row["kind"] for row in read_csv(tmp_path / "r.csv") if row["label"] == "1"}
    assert any(kind.startswith("labelled 1 by r0.nii.gz, r1.nii.gz and 2 by r2.nii.gz") for kind in kinds), kinds


def test_decisions_lie_where_the_grid_says(crema, save, tmp_path):
    affine = numpy.array([[-2.0, 0, 0, 10], [0, 0, 1.5, -4], [0, 3, 0, 7], [0, 0, 0, 1]])
    masks = [blob(0), blob(1), blob(1)]
    masks[0][9:12, 0:3, 0] = masks[2][9:12, 0:3, 0] = 1
    names = [save(f"r{k}.nii.gz", mask, affine) for k, mask in enumerate(masks)]
    assert crema("agreement", *names, "--review", "p.csv").code == 0
    assert crema("agreement", *names, "--review", "p.mrk.json", "--places", "2").code == 0
    rows = read_csv(tmp_path / "p.csv")
    far = next(row for row in rows if row["box"] == "9:12 0:3 0:1")
    centre = [float(far[f"centre_{axis}_mm"]) for axis in "xyz"]
    assert numpy.allclose(centre, nibabel.affines.apply_affine(affine, [10, 1, 0]), atol=1e-4)
    assert [far[f"centre_{axis}"] for axis in "xyz"] == ["10", "1", "0"]
    (markups,) = json.loads((tmp_path / "p.mrk.json").read_text())["markups"]
    assert markups["coordinateSystem"] == "RAS" and len(markups["controlPoints"]) == 2
    first = [float(rows[0][f"centre_{axis}_mm"]) for axis in "xyz"]
    assert markups["controlPoints"][0]["position"] == pytest.approx(first)
    assert markups["controlPoints"][0]["description"].startswith(rows[0]["kind"])


def test_decisions_of_a_picture_have_two_coordinates(crema, save):
    first, second = numpy.zeros((12, 10, 1), numpy.uint8), numpy.zeros((12, 10, 1), numpy.uint8)
    first[1:6, 1:9], second[1:5, 1:9] = 1, 1
    names = [save(f"r{k}.nii.gz", mask) for k, mask in enumerate([first, second, second])]
    done = crema("agreement", *names, "--review", "r.csv")
    (place,) = re.findall(r"of component 1 at ([-0-9., ]*) mm", " ".join(done.out.split()))
    assert place.count(",") == 1, done.out


def seconds_of(crema, *arguments):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert crema(*arguments).code == 0
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


@pytest.mark.skipif(not DERMX.is_dir(), reason=f"{DERMX} is not here")
def test_the_list_costs_little_on_a_ragged_plaque(crema, tmp_path):
    """A generous bound for slow builds; docs/agreement.md has the number of the release build."""
    masks = sorted(map(str, DERMX.glob("rater-*.png")))
    without = seconds_of(crema, "agreement", *masks, "--no-surfaces", "--quiet")
    whole = seconds_of(crema, "agreement", *masks, "--no-surfaces", "--quiet", "--review", "r.csv")
    assert whole - without < 5
    assert len(read_csv(tmp_path / "r.csv")) > 1
