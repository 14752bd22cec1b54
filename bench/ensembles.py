# SPDX-License-Identifier: Apache-2.0
"""How good is a consensus of networks? Made-up ensembles around real masks, of which the truth is known.

    bench/ensembles.py build/test/cli/crema ../shared/data/lidc-nodule [--cases N] [--seed S]

For each case the first rater's mask is the truth. Five networks give smooth logistic maps of the signed distance to
its outline, each with errors of its own; in a scenario one or two of them are shifted, over-confident, blurred or
empty. Every method fuses the same maps; "mean" is the plain mean of the maps, cut at one half, which is what mean and
argmax make of one class and the background. Prints tables for docs/probabilities.md: Dice against the truth, Brier
score and expected calibration error on the support, as means over cases with percentile bootstrap intervals (2000
draws of cases, seeded). A + or − stands where the same bootstrap of the paired differences to the mean leaves 0 out, so
that the method is better or worse. Without real masks it makes ellipsoids with rough outlines, and says so.
"""

from __future__ import annotations

import argparse
import subprocess
import tempfile
from pathlib import Path

import nibabel
import numpy
from scipy import ndimage

METHODS = ["jaccard", "dice", "majority", "tanimoto", "soergel", "dice1", "dice2", "average", "median"]
METHODS += ["logit-average", "robust"]
SCENARIOS: dict[str, dict[str, int]] = {
    "all alike": {},
    "one shifted": {"shift": 1},
    "two shifted": {"shift": 2},
    "one over-confident": {"confident": 1},
    "two over-confident": {"confident": 2},
    "one blurred": {"blurred": 1},
    "two blurred": {"blurred": 2},
    "one empty": {"empty": 1},
    "two empty": {"empty": 2},
}
#: What is measured, whether more is better, and its digits.
MEASURES = {"Dice": (True, 2), "Brier score": (False, 3), "Calibration error": (False, 3)}
DRAWS = 2000
RATERS = 5


def smooth_noise(rng: numpy.random.Generator, shape: tuple[int, ...], sigma: float) -> numpy.ndarray:
    noise = ndimage.gaussian_filter(rng.standard_normal(shape), sigma)
    return noise / noise.std()


def signed_distance(mask: numpy.ndarray) -> numpy.ndarray:
    """In voxels, positive inside."""
    inside, outside = ndimage.distance_transform_edt(mask), ndimage.distance_transform_edt(~mask)
    return numpy.where(mask, inside - 0.5, 0.5 - outside)


def network(truth: numpy.ndarray, fault: str, rng: numpy.random.Generator) -> numpy.ndarray:
    if fault == "empty":
        return numpy.zeros(truth.shape, numpy.float32)
    far = signed_distance(truth) + 0.8 * smooth_noise(rng, truth.shape, 2)
    width = 0.8
    if fault == "shift":
        axis = int(rng.integers(0, 2))
        far = numpy.roll(far, int(rng.choice([-4, 4])), axis=axis)
    if fault == "confident":
        far, width = far + 2.5, 0.15
    if fault == "blurred":
        width = 3.0
    return (1 / (1 + numpy.exp(-numpy.clip(far / width, -30, 30)))).astype(numpy.float32)


def dice(mask: numpy.ndarray, truth: numpy.ndarray) -> float:
    both = mask.sum() + truth.sum()
    return 2 * (mask & truth).sum() / both if both else 1.0


def calibration_error(level: numpy.ndarray, true: numpy.ndarray) -> float:
    """Expected calibration error in ten bins."""
    bins = numpy.minimum((10 * level).astype(int), 9)
    error = 0.0
    for b in range(10):
        here = bins == b
        if here.any():
            error += here.mean() * abs(level[here].mean() - true[here].mean())
    return error


def measure(levels: numpy.ndarray, truth: numpy.ndarray, support: numpy.ndarray) -> tuple[float, ...]:
    """In the order of MEASURES; the last two on the support."""
    level, true = levels[support], truth[support]
    return dice(levels > 0.5, truth), float(((level - true) ** 2).mean()), calibration_error(level, true)


def crop(mask: numpy.ndarray, margin: int = 8) -> numpy.ndarray:
    where = numpy.argwhere(mask)
    low, high = where.min(axis=0), where.max(axis=0) + 1
    return numpy.pad(mask[tuple(slice(a, b) for a, b in zip(low, high, strict=True))], margin)


def fuse_all(crema: str, maps: list[numpy.ndarray]) -> dict[str, numpy.ndarray]:
    """What each method makes of the same maps."""
    with tempfile.TemporaryDirectory() as folder:
        names = [f"{folder}/network-{k}.nii" for k in range(len(maps))]
        for name, array in zip(names, maps, strict=True):
            nibabel.Nifti1Image(array, numpy.eye(4)).to_filename(name)
        command = [crema, "fuse", *names, "-o", f"{folder}/out", "--method", ",".join(METHODS)]
        subprocess.run([*command, "--probabilities", "--quiet"], check=True, capture_output=True)
        return {
            method: numpy.asanyarray(nibabel.load(f"{folder}/out/{method}.nii").dataobj).astype(float)
            for method in METHODS
        }


Measured = dict[str, tuple[float, ...]]


def run_case(crema: str, truth: numpy.ndarray, faults: dict[str, int], rng: numpy.random.Generator) -> Measured:
    wrong = [fault for fault, count in faults.items() for _ in range(count)]
    maps = [network(truth, fault, rng) for fault in [*wrong, *[""] * (RATERS - len(wrong))]]
    support = (numpy.asarray(maps) >= 0.05).any(axis=0)
    found = {"mean": numpy.mean(maps, axis=0), **fuse_all(crema, maps)}
    return {method: measure(levels, truth, support) for method, levels in found.items()}


def bounds(values: numpy.ndarray, seed: int) -> tuple[float, float]:
    """The 95 % interval of a mean over cases."""
    draws = numpy.random.default_rng(seed).integers(0, len(values), (DRAWS, len(values)))
    low, high = numpy.percentile(values[draws].mean(axis=1), [2.5, 97.5])
    return float(low), float(high)


def cell(values: numpy.ndarray, beside: numpy.ndarray, what: str, seed: int) -> str:
    """A mean with its interval, and whether it is better than the mean of the maps or worse."""
    more, digits = MEASURES[what]
    low, high = bounds(values, seed)
    text = f"{values.mean():.{digits}f} ({low:.{digits}f}–{high:.{digits}f})"
    least, most = bounds(values - beside if more else beside - values, seed)
    return text + (" +" if least > 0 else " −" if most < 0 else "")


def table(results: dict[str, list[Measured]], what: str, seed: int) -> str:
    column = list(MEASURES).index(what)
    lines = ["| | " + " | ".join(results) + " |", "|---" * (len(results) + 1) + "|"]
    for method in ["mean", *METHODS]:
        cells = []
        for cases in results.values():
            values, beside = (numpy.array([case[m][column] for case in cases]) for m in (method, "mean"))
            cells.append(cell(values, beside, what, seed))
        lines.append(f"| {method if method == 'mean' else f'`{method}`'} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def made_up(number: int, seed: int) -> numpy.ndarray:
    """An ellipsoid with a rough outline."""
    rng = numpy.random.default_rng([seed, 99, number])
    radii = rng.uniform((4, 4, 2), (12, 12, 5))
    grid = numpy.indices([2 * int(numpy.ceil(r)) + 5 for r in radii]).astype(float)
    away = sum(((axis - (size - 1) / 2) / r) ** 2 for axis, size, r in zip(grid, grid.shape[1:], radii, strict=True))
    return numpy.sqrt(away) + 0.1 * smooth_noise(rng, grid.shape[1:], 2) < 1


def find_truths(folder: Path, cases: int, seed: int) -> tuple[list[numpy.ndarray], str]:
    """And what they are."""
    paths = sorted(folder.glob("*/rater-1.nii.gz"))[:cases]
    if not paths:
        result = [crop(made_up(number, seed)) for number in range(cases)]
        return result, f"REAL DATA ARE ABSENT ({folder} holds no */rater-1.nii.gz): made-up ellipsoids"
    masks = [numpy.asanyarray(nibabel.load(path).dataobj) > 0 for path in paths]
    return [crop(mask) for mask in masks if mask.sum() >= 30], f"masks of {folder}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("crema")
    parser.add_argument("data", type=Path)
    parser.add_argument("--cases", type=int, default=24)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    truths, what = find_truths(options.data, options.cases, options.seed)
    print(f"{len(truths)} cases, seed {options.seed}; {what}")
    results = {}
    for number, (scenario, faults) in enumerate(SCENARIOS.items()):
        rngs = [numpy.random.default_rng([options.seed, number, case]) for case in range(len(truths))]
        cases = zip(truths, rngs, strict=True)
        results[scenario] = [run_case(options.crema, truth, faults, rng) for truth, rng in cases]
    for measured in MEASURES:
        print(f"\n{measured}\n\n{table(results, measured, options.seed)}")


if __name__ == "__main__":
    main()
