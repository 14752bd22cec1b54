# SPDX-License-Identifier: Apache-2.0
"""What a record must say of a result, from the plain reading in oracle.py."""

import math
from fractions import Fraction

import numpy
import oracle


def image(shape, parts, levels):
    """Each voxel's level, as the nearest 64-bit number; 0 outside the components."""
    painted = numpy.zeros(shape)
    for component, values in zip(parts, levels):
        for row, x in zip(component.rows, values):
            for voxel in row.voxels:
                painted[voxel] = float(x)
    return painted


def box(voxels):
    places = numpy.array(voxels)
    return {"low": places.min(axis=0).tolist(), "high": (places.max(axis=0) + 1).tolist()}


def inside(component, levels):
    """Voxels above one half."""
    return sum(len(row.voxels) for row, x in zip(component.rows, levels) if 2 * x > 1)


def soft_volume(component, levels):
    return sum((len(row.voxels) * Fraction(x) for row, x in zip(component.rows, levels)), Fraction(0))


def component_entry(component, levels, formula):
    return {
        "box": box(component.voxels),
        "raters_present": [k + 1 for k, size in enumerate(component.sizes) if size > 0],
        "union_voxels": len(component.voxels),
        "consensus_voxels": inside(component, levels),
        "soft_volume": float(soft_volume(component, levels)),
        "criterion": float(oracle.criterion(component, levels, formula)),
        "kept": any(x > 0 for x in levels),
    }


def ratio(part, whole):
    return 1.0 if whole == 0 else float(Fraction(part, whole))


def scores(common, marked, truth):
    """Of something found against the truth, from the number found, true, and both."""
    return {
        "precision": ratio(common, marked),
        "recall": ratio(common, truth),
        "f1": ratio(2 * common, marked + truth),
    }


def overlap(mask, truth):
    return scores(int((mask & truth).sum()), int(mask.sum()), int(truth.sum()))


def detection(mask, truth, parts):
    by_mask = [any(mask[v] for v in part.voxels) for part in parts]
    by_truth = [any(truth[v] for v in part.voxels) for part in parts]
    common = sum(a and b for a, b in zip(by_mask, by_truth))
    return scores(common, sum(by_mask), sum(by_truth))


def size_of(mask, voxels, voxel_volume):
    """A flat image has areas, and slices of one millimetre here; a file without a voxel size has neither."""
    flat = mask.ndim < 3 or mask.shape[2] == 1
    size = None if voxel_volume is None else voxels * voxel_volume
    return {"volume_mm3": None if flat else size, "area_mm2": size if flat else None}


def rater_entry(mask, truth, parts, voxel_volume):
    return {
        "voxels": int(mask.sum()),
        **size_of(mask, int(mask.sum()), voxel_volume),
        "overlap": overlap(mask, truth),
        "detection": detection(mask, truth, parts),
    }


def entropy_of(x):
    return -sum(p * math.log(p) for p in (float(x), float(1 - x)) if p > 0)


def entropy(parts, levels):
    return math.fsum(
        len(row.voxels) * entropy_of(x) for part, values in zip(parts, levels) for row, x in zip(part.rows, values)
    )


def expected(masks, parts, method, tie, voxel_volume):
    """The image, and the fields of the record that the method determines."""
    formula = oracle.FORMULA[method]
    levels = [oracle.consensus(part, method, tie) for part in parts]
    painted = image(masks[0].shape, parts, levels)
    truth = painted > 0.5
    volume = sum(map(soft_volume, parts, levels), Fraction(0))
    criteria = [oracle.criterion(part, x, formula) for part, x in zip(parts, levels)]
    return painted, {
        "distance": "soergel" if method == "average" else formula,
        "components": len(parts),
        "lmsd": float(sum(criteria, Fraction(0))),
        "voxels": int(truth.sum()),
        "soft_volume": float(volume),
        **size_of(masks[0], float(volume), voxel_volume),
        "entropy": entropy(parts, levels),
        "raters": [rater_entry(mask, truth, parts, voxel_volume) for mask in masks],
        "component_table": [component_entry(part, x, formula) for part, x in zip(parts, levels)],
    }


def differences(wanted, got, where=""):
    """Every place where the record does not say what it must; numbers may be off by 1e-12 of their size."""
    if isinstance(wanted, dict):
        return [d for key in wanted for d in differences(wanted[key], got[key], f"{where}.{key}")]
    if isinstance(wanted, list) and len(wanted) == len(got):
        return [d for i, (a, b) in enumerate(zip(wanted, got)) for d in differences(a, b, f"{where}[{i}]")]
    if isinstance(wanted, float):
        same = abs(wanted - got) <= 1e-12 * max(1.0, abs(wanted))
    else:
        same = wanted == got and type(wanted) is type(got)
    return [] if same else [f"{where}: expected {wanted}, got {got}"]
