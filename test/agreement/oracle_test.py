# SPDX-License-Identifier: Apache-2.0
"""`crema agreement` beside libraries from PyPI: each measure against the one that docs/agreement.md names."""

import itertools
import json
import os
import subprocess
import sys
from pathlib import Path

import numpy
import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from subject import program  # noqa: F401

nibabel = pytest.importorskip("nibabel", reason="nibabel is not installed; scripts/test makes its environment")
SPACING = (0.7, 1.3, 3.0)


def library(name):
    return pytest.importorskip(name, reason=f"{name} is not installed; scripts/test makes its environment")


def random_masks(seed, count=4, size=(13, 11, 7)):
    """Blobs with ragged edges, which never touch the border of the grid: libraries differ there."""
    random = numpy.random.default_rng(seed)
    masks = []
    for _ in range(count):
        mask = numpy.zeros(size, numpy.uint8)
        low, high = random.integers(1, 4, 3), numpy.array(size) - random.integers(1, 3, 3)
        mask[tuple(slice(a, b) for a, b in zip(low, high))] = 1
        mask &= (random.random(size) < 0.8).astype(numpy.uint8)
        masks.append(mask)
    return masks


def single_voxels():
    masks = [numpy.zeros((9, 8, 6), numpy.uint8) for _ in range(3)]
    masks[0][1, 2, 3] = masks[1][6, 5, 1] = masks[2][1, 2, 4] = 1
    return masks


CASES = {"random-1": random_masks(1), "random-2": random_masks(2), "one voxel each": single_voxels()}


@pytest.fixture(params=CASES)
def case(request, program, tmp_path):
    """The masks, and a function that asks the program about them."""
    masks = CASES[request.param]
    paths = []
    for k, mask in enumerate(masks):
        paths.append(tmp_path / f"r{k}.nii.gz")
        nibabel.Nifti1Image(mask, numpy.diag([*SPACING, 1])).to_filename(paths[-1])

    def ask(*options):
        command = [program, "agreement", *paths, "--json", "-", "-q", *options]
        return json.loads(subprocess.run(list(map(os.fspath, command)), check=True, capture_output=True).stdout)

    return [mask.astype(bool) for mask in masks], ask


def pairs_of(record, masks):
    return zip(record["pairs"], itertools.combinations(masks, 2))


def test_overlaps_are_those_of_scikit_learn(case):
    metrics = library("sklearn.metrics")
    masks, ask = case
    for row, (a, b) in pairs_of(ask(), masks):
        assert row["dice"] == pytest.approx(metrics.f1_score(a.ravel(), b.ravel(), zero_division=0))
        assert row["jaccard"] == pytest.approx(metrics.jaccard_score(a.ravel(), b.ravel(), zero_division=0))


def test_pooled_distances_are_those_of_medpy(case):
    binary = library("medpy.metric.binary")
    masks, ask = case
    for row, (a, b) in pairs_of(ask("--hd95", "pooled"), masks):
        options = {"voxelspacing": SPACING, "connectivity": 1}
        assert row["hausdorff_mm"] == pytest.approx(binary.hd(a, b, **options))
        assert row["hd95_mm"] == pytest.approx(binary.hd95(a, b, **options))
        assert row["assd_mm"] == pytest.approx(binary.assd(a, b, **options))


def distances(a, b):
    """From the surface of one mask to that of the other, as MONAI and Metrics Reloaded have it."""
    ndimage = library("scipy.ndimage")
    edge = [mask & ~ndimage.binary_erosion(mask) for mask in (a, b)]
    return ndimage.distance_transform_edt(~edge[1], sampling=SPACING)[edge[0]]


@pytest.mark.parametrize("tolerance", [0.7, 1.0, 3.5])
def test_directed_distances_are_those_of_monai_and_metrics_reloaded(case, tolerance):
    masks, ask = case
    for row, (a, b) in pairs_of(ask("--surface-tolerance", str(tolerance)), masks):
        there, back = distances(a, b), distances(b, a)
        both = numpy.concatenate([there, back])
        assert row["hd95_mm"] == pytest.approx(max(numpy.percentile(there, 95), numpy.percentile(back, 95)))
        assert row["assd_mm"] == pytest.approx(both.mean())
        assert row["nsd"] == pytest.approx((both <= tolerance + 1e-9).mean())


def monai():
    """MONAI needs torch, which is larger than all else together: it is compared with where somebody has it."""
    return pytest.importorskip("monai.metrics", reason="NOT COMPARED WITH MONAI: pip install monai torch"), library(
        "torch"
    )


def test_distances_are_those_of_monai(case):
    metrics, torch = monai()
    masks, ask = case
    for row, pair in pairs_of(ask(), masks):
        # One class beside the background, of a batch of one.
        one, other = (torch.from_numpy(mask[None, None].astype(numpy.uint8)) for mask in pair)
        options = {"include_background": True, "spacing": SPACING}
        assert row["hausdorff_mm"] == pytest.approx(float(metrics.compute_hausdorff_distance(one, other, **options)))
        hd95 = metrics.compute_hausdorff_distance(one, other, percentile=95, **options)
        assert row["hd95_mm"] == pytest.approx(float(hd95), rel=1e-5)
        both = ((one, other), (other, one))
        there, back = (metrics.compute_average_surface_distance(*two, **options) for two in both)
        assert row["masd_mm"] == pytest.approx((float(there) + float(back)) / 2, rel=1e-5)
        assert row["dice"] == pytest.approx(float(metrics.compute_dice(one, other, include_background=True)))


def nearest(a, b):
    """From every boundary voxel of one mask to the nearest of the other, pair by pair and without a transform."""
    edge = []
    for mask in (a, b):
        padded = numpy.pad(mask, 1)
        inside = numpy.ones(mask.shape, bool)
        for axis in range(3):
            for step in (-1, 1):
                inside &= numpy.roll(padded, step, axis)[1:-1, 1:-1, 1:-1]
        edge.append(numpy.argwhere(mask & ~inside) * SPACING)
    return library("scipy.spatial").distance.cdist(*edge).min(axis=1)


@pytest.mark.parametrize("tolerance", [0.7, 3.5])
def test_measures_are_metrics_reloadeds_by_their_formulas(case, tolerance):
    """Maier-Hein et al. 2024: HD95 is the larger directed percentile, MASD the mean of both means, ASSD pooled, and NSD
    counts the boundary of each mask that lies within tau of the other's."""
    masks, ask = case
    for row, (a, b) in pairs_of(ask("--surface-tolerance", str(tolerance)), masks):
        there, back = nearest(a, b), nearest(b, a)
        assert row["hausdorff_mm"] == pytest.approx(max(there.max(), back.max()))
        assert row["hd95_mm"] == pytest.approx(max(numpy.percentile(there, 95), numpy.percentile(back, 95)))
        assert row["masd_mm"] == pytest.approx((there.mean() + back.mean()) / 2)
        assert row["assd_mm"] == pytest.approx((there.sum() + back.sum()) / (there.size + back.size))
        within = (there <= tolerance + 1e-9).sum() + (back <= tolerance + 1e-9).sum()
        assert row["nsd"] == pytest.approx(within / (there.size + back.size))


def test_percentiles_by_area_are_those_of_surface_distance(case):
    library("surface_distance")
    import surface_distance.metrics as metrics

    masks, ask = case
    for row, (a, b) in pairs_of(ask("--hd95", "area"), masks):
        found = metrics.compute_surface_distances(a, b, SPACING)
        assert row["hd95_mm"] == pytest.approx(metrics.compute_robust_hausdorff(found, 95), rel=1e-6)


def test_hausdorff_is_that_of_simpleitk(case):
    sitk = library("SimpleITK")
    masks, ask = case
    for row, (a, b) in pairs_of(ask(), masks):
        images = []
        for mask in (a, b):
            ndimage = library("scipy.ndimage")
            edge = mask & ~ndimage.binary_erosion(mask)  # SimpleITK compares all voxels, not surfaces
            images.append(sitk.GetImageFromArray(edge.transpose(2, 1, 0).astype(numpy.uint8)))
            images[-1].SetSpacing(SPACING)
        measure = sitk.HausdorffDistanceImageFilter()
        measure.Execute(*images)
        assert row["hausdorff_mm"] == pytest.approx(measure.GetHausdorffDistance(), rel=1e-5)
        overlap = sitk.LabelOverlapMeasuresImageFilter()
        whole = [sitk.GetImageFromArray(mask.astype(numpy.uint8)) for mask in (a, b)]
        overlap.Execute(*whole)
        assert row["dice"] == pytest.approx(overlap.GetDiceCoefficient())


def boxed(masks, region):
    if region == "full":
        return numpy.stack([mask.ravel() for mask in masks])
    union = numpy.any(masks, axis=0)
    if region == "union":
        return numpy.stack([mask[union] for mask in masks])
    places = numpy.argwhere(union)
    inside = tuple(slice(a, b + 1) for a, b in zip(places.min(0), places.max(0)))
    return numpy.stack([mask[inside].ravel() for mask in masks])


@pytest.mark.parametrize("region", ["full", "box", "union"])
def test_kappa_is_that_of_statsmodels(case, region):
    inter_rater = library("statsmodels.stats.inter_rater")
    masks, ask = case
    answers = boxed(masks, region)
    inside = answers.sum(0)
    table = numpy.stack([inside, len(masks) - inside], axis=1)
    got = ask("--roi", region)["chance_corrected"]
    assert got["region"] == region and got["voxels"] == answers.shape[1]
    assert got["fleiss_kappa"] == pytest.approx(inter_rater.fleiss_kappa(table))


@pytest.mark.parametrize("region", ["full", "box", "union"])
def test_alpha_is_that_of_krippendorff(case, region):
    krippendorff = library("krippendorff")
    masks, ask = case
    want = krippendorff.alpha(boxed(masks, region).astype(int), level_of_measurement="nominal")
    assert ask("--roi", region)["chance_corrected"]["krippendorff_alpha"] == pytest.approx(want)


def test_an_empty_mask_has_no_distances_where_libraries_fail_or_say_infinite(program, tmp_path):
    masks = [numpy.zeros((6, 6, 6), numpy.uint8), random_masks(3, size=(6, 6, 6))[0]]
    paths = []
    for k, mask in enumerate(masks):
        paths.append(str(tmp_path / f"r{k}.nii.gz"))
        nibabel.Nifti1Image(mask, numpy.diag([*SPACING, 1])).to_filename(paths[-1])
    run = subprocess.run([program, "agreement", *paths, "--json", "-", "-q"], check=True, capture_output=True)
    (row,) = json.loads(run.stdout)["pairs"]
    assert row["dice"] == 0
    for name in ("hausdorff_mm", "hd95_mm", "assd_mm", "masd_mm", "nsd"):
        assert row[name] is None and row["undefined"][name] == "the first mask is empty"
