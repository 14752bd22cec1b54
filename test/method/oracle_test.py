# SPDX-License-Identifier: Apache-2.0
"""The program against a plain reading of the method, on random cases; CREMA_CASES sets how many."""

import os
from fractions import Fraction

import cases
import measures
import nibabel
import numpy
import oracle
import pytest
from oracle import Setting
from running import fuse, program  # noqa: F401 (fixtures)

CASES = int(os.environ.get("CREMA_CASES", "230"))
FIRST = int(os.environ.get("CREMA_FIRST_SEED", "0"))


def written(folder, case):
    """Saves the masks as the raters' files."""
    paths = []
    for k, mask in enumerate(case.masks):
        paths.append(folder / f"rater-{k + 1}.nii.gz")
        nibabel.Nifti1Image(mask.astype(numpy.uint8), numpy.diag([*case.spacing, 1.0])).to_filename(paths[-1])
    return paths


def voxels_that_differ(path, painted, method):
    """Indices, expected and got; a soft level must be the nearest 32-bit number."""
    got = numpy.asanyarray(nibabel.load(path).dataobj)
    assert got.dtype == (numpy.float32 if method == "average" else numpy.uint8)
    got = got.reshape(painted.shape)
    wanted = painted.astype(got.dtype)
    return [(tuple(v), wanted[tuple(v)], got[tuple(v)]) for v in numpy.argwhere(wanted != got).tolist()]


@pytest.mark.parametrize("seed", range(FIRST, FIRST + CASES))
def test_the_program_does_what_the_method_says(seed, fuse, tmp_path):
    case = cases.random_case(seed)
    folder, record = fuse(written(tmp_path, case), oracle.METHODS, case.options)
    masks = [mask.reshape(mask.shape + (1,) * (3 - mask.ndim)) for mask in case.masks]
    parts = oracle.components(masks, case.setting)
    for method in oracle.METHODS:
        reply = f"seed {seed}, {method}, {case.setting}, {len(masks)} raters, {masks[0].shape}"
        painted, wanted = measures.expected(masks, parts, method, case.setting.tie, float(numpy.prod(case.spacing)))
        assert voxels_that_differ(folder / f"{method}.nii.gz", painted, method) == [], reply
        assert measures.differences(wanted, record[method]) == [], reply


def test_the_cases_cover_every_mode_tie_policy_and_number_of_raters():
    seen = [cases.random_case(seed) for seed in range(CASES)]
    assert {case.setting.connectivity for case in seen} == {4, 8, 6, 18, 26}
    assert {len(case.masks) for case in seen} == {1, 2, 3, 4, 5, 6}
    per_mode = {(c.masks[0].ndim, c.setting.connectivity, c.setting.flat_axis, c.setting.tie) for c in seen}
    assert len(per_mode) == 2 * (2 + 3 + 2 * 3)


# The plain reading itself, against numbers worked out by hand.


def row_of(*drawn):
    """Masks of one line of voxels, each drawn as text."""
    return [numpy.array([letter == "x" for letter in line]).reshape(-1, 1, 1) for line in drawn]


@pytest.mark.parametrize(
    ("connectivity", "offset", "steps"),
    [(4, (3, -2, 0), 5), (8, (3, -2, 0), 3), (6, (3, -2, 1), 6), (26, (3, -2, 1), 3)]
    + [(18, (3, -2, 1), 3), (18, (1, 1, 1), 2), (18, (2, 2, 2), 3), (18, (4, 0, 0), 4), (18, (0, 0, 0), 0)],
)
def test_steps_on_the_grid(connectivity, offset, steps):
    assert oracle.grid_steps(numpy.array(offset), connectivity) == steps


@pytest.mark.parametrize(
    ("connectivity", "flat", "count"), [(4, 2, 4), (8, 0, 8), (6, None, 6), (18, None, 18), (26, None, 26)]
)
def test_a_neighbourhood_has_as_many_voxels_as_its_name_says(connectivity, flat, count):
    assert len(list(oracle.neighbour_offsets(Setting(connectivity, flat)))) == count


def test_crowns_of_a_line():
    (component,) = oracle.components(row_of("xxxx.", ".xxxx", "....."), Setting(26))
    found = [(row.td, sorted(row.group), len(row.voxels)) for row in component.rows]
    assert found == [(0, [0, 1], 3), (1, [0], 1), (1, [1], 1)]
    assert component.sizes == (4, 4, 0)


def test_criterion_of_a_line():
    (component,) = oracle.components(row_of("xxxx.", ".xxxx", "....."), Setting(26))
    # Three of four voxels for two raters, and one rater who drew nothing: (1/16 + 1/16 + 1) / 3.
    assert oracle.criterion(component, [1, 0, 0], "jaccard") == Fraction(3, 8)
    assert oracle.criterion(component, [1, 0, 0], "dice") == Fraction(1, 3) * (2 * Fraction(1, 49) + 1)
    assert oracle.criterion(component, [0, 0, 0], "jaccard") == Fraction(2, 3)


def test_the_tie_policy_decides_against_the_empty_set():
    # Two raters, one of whom drew nothing: keeping costs (0 + 1) / 2, leaving it out (1 + 0) / 2.
    (component,) = oracle.components(row_of("xx", ".."), Setting(26))
    for method in ("jaccard", "dice", "majority"):
        assert oracle.consensus(component, method, "background") == [0]
        assert oracle.consensus(component, method, "foreground") == [1]


def test_a_difference_in_one_field_is_noticed():
    masks = row_of("xxx.x", "xx...", ".xx..")
    parts = oracle.components(masks, Setting(26))
    _, right = measures.expected(masks, parts, "jaccard", "background", 1.0)
    _, wrong = measures.expected(masks, parts, "jaccard", "background", 1.0)
    assert measures.differences(right, wrong) == []
    wrong["component_table"][0]["criterion"] += 1e-11
    assert len(measures.differences(right, wrong)) == 1
    wrong["raters"][1]["overlap"]["f1"] = 0.5
    assert len(measures.differences(right, wrong)) == 2
