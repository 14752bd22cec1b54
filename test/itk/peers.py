# SPDX-License-Identifier: Apache-2.0
"""STAPLE by the built program (environment variable CREMA), and what another package says of the same files."""

import json
import os
import subprocess
from pathlib import Path

import nibabel
import numpy
import pytest

# On the map, background included, and on what is estimated about each rater.
CLOSE = 1e-6
LIMIT = 10000
PRESET = ("--preset", "itk")
KINDS = ("organ", "lesions", "cord")
DATA = Path(os.environ.get("CREMA_DATA") or Path(__file__).resolve().parents[3] / "shared" / "data")
# The example of the method's description: how many voxels were marked by which of three raters.
EXAMPLE = {"111": 200, "110": 30, "101": 20, "011": 25, "100": 15, "010": 40, "001": 10, "000": 660}


def run(*command):
    done = subprocess.run(
        [os.fspath(word) for word in command],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=600,
    )
    assert done.returncode == 0, f"{command}: exit {done.returncode}\n{done.stdout}{done.stderr}"
    return done.stdout


def program():
    path = os.environ.get("CREMA")
    if not path:
        pytest.fail("set CREMA to the program under test")
    return Path(path).resolve()


def voxels_of(path):
    return numpy.asanyarray(nibabel.load(path).dataobj).astype(float)


def by_crema(raters, folder, options):
    """The map and the record of a run."""
    image, record = folder / "crema.nii.gz", folder / "crema.json"
    run(program(), "fuse", *raters, "-o", image, "--json", record, "--quiet", "--force", "--method", "staple", *options)
    return voxels_of(image), json.loads(record.read_text())


def ends_in_time(options, iterations):
    """Whether the program goes on as long as the other: without the preset it has a limit, which ITK has not."""
    return options == PRESET or iterations <= LIMIT


def farthest(ours, theirs):
    """The largest difference, where a number against none counts as infinitely far."""
    ours, theirs = (numpy.asarray(values, float).ravel() for values in (ours, theirs))
    assert ours.shape == theirs.shape
    return numpy.nan_to_num(abs(ours - theirs), nan=numpy.inf).max()


def disagreements(ours, theirs):
    """What differs by more than CLOSE; both are a map and a dictionary of sensitivity and specificity."""
    found = {"map": farthest(ours[0], theirs[0])}
    for name in ("sensitivity", "specificity"):
        found[name] = farthest(ours[1][name], theirs[1][name])
    return {name: far for name, far in found.items() if not far <= CLOSE}


def written(folder, masks):
    """Saves the masks as the raters' files."""
    paths = []
    for k, mask in enumerate(masks):
        paths.append(folder / f"rater-{k + 1}.nii.gz")
        nibabel.Nifti1Image(mask.astype(numpy.uint8), numpy.diag([0.8, 0.8, 2.5, 1])).to_filename(paths[-1])
    return paths


def demo(folder, kind, *options):
    run(program(), "demo", "-o", folder / kind, "--kind", kind, *options)
    return sorted((folder / kind).glob("rater-*.nii.gz"))


def example():
    """The masks of EXAMPLE, one group after the other."""
    groups = [group for group, count in EXAMPLE.items() for _ in range(count)]
    return [numpy.array([group[k] == "1" for group in groups]).reshape(10, 10, 10) for k in range(3)]


def smallest_nodule():
    """The raters' files of the smallest case of real raters, if there is one."""
    cases = [sorted(case.glob("rater-*.nii.gz")) for case in (DATA / "lidc-nodule").glob("*")]
    if not any(cases):
        pytest.skip(f"there is no {DATA / 'lidc-nodule'}: set CREMA_DATA to compare on real raters")
    return min(filter(None, cases), key=lambda paths: (sum(path.stat().st_size for path in paths), paths))


def ellipsoid(draw, shape):
    centre = draw.uniform(0.3, 0.7, len(shape)) * shape
    radii = draw.uniform(0.12, 0.35, len(shape)) * shape
    places = numpy.indices(shape).reshape(len(shape), -1).T
    return ((((places - centre) / radii) ** 2).sum(axis=1) <= 1).reshape(shape)


def one_rater(draw, truth):
    """The truth moved a little, with holes and specks; now and then something else altogether."""
    if draw.random() < 0.05:
        return draw.random(truth.shape) < draw.choice([0, 0.02, 0.5])
    moved = numpy.roll(truth, draw.integers(-2, 3, truth.ndim), range(truth.ndim))
    holes, specks = draw.uniform(0, 0.3), draw.uniform(0, 0.08)
    return numpy.where(moved, draw.random(truth.shape) >= holes, draw.random(truth.shape) < specks)


def random_masks(seed):
    """Two to nine raters on an image or a volume; the last seeds of a hundred give what leaves nothing to estimate."""
    draw = numpy.random.default_rng(seed)
    dimensions = 2 + seed % 2
    shape = tuple(draw.integers(9, 40 if dimensions == 2 else 16, dimensions))
    if seed % 100 >= 97:
        return [numpy.full(shape, seed % 100 == 98)] * 3
    truth = ellipsoid(draw, shape) | ellipsoid(draw, shape)
    return [one_rater(draw, truth) for _ in range(2 + seed // 2 % 8)]
