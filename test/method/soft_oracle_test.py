# SPDX-License-Identifier: Apache-2.0
"""The program's soft consensus against a plain reading of the method; CREMA_SOFT_CASES sets the number of cases."""

import os

import cases
import nibabel
import numpy
import oracle
import pytest
import soft_oracle
from oracle import Setting
from oracle_test import row_of, written
from running import fuse, program  # noqa: F401 (fixtures)

CASES = int(os.environ.get("CREMA_SOFT_CASES", "7"))
FIRST = int(os.environ.get("CREMA_FIRST_SEED", "0"))
# Components with more rows take a plain reading too long.
LARGEST = 7
# Sweeps end while levels can still move a little, and the program and the plain reading do not end at the same place.
LEVEL = 2e-3


def shaped(masks):
    return [mask.reshape(mask.shape + (1,) * (3 - mask.ndim)) for mask in masks]


def levels_of(painted, component):
    """The level of each row in an image, which must be the same in all its voxels."""
    found = []
    for row in component.rows:
        values = {float(painted[voxel]) for voxel in row.voxels}
        assert len(values) == 1
        found.append(values.pop())
    return numpy.array(found)


@pytest.mark.parametrize("seed", range(FIRST, FIRST + CASES))
def test_the_program_does_what_the_method_says_of_soft_consensuses(seed, fuse, tmp_path):
    case = cases.random_case(seed)
    masks = shaped(case.masks)
    parts = [part for part in oracle.components(masks, case.setting) if len(part.rows) <= LARGEST]
    folder, _ = fuse(written(tmp_path, case), soft_oracle.METHODS, case.options)
    for method in soft_oracle.METHODS:
        painted = numpy.asanyarray(nibabel.load(folder / f"{method}.nii.gz").dataobj).reshape(masks[0].shape)
        for number, part in enumerate(parts):
            reply = f"seed {seed}, {method}, component {number}, {case.setting}, {len(masks)} raters"
            got = levels_of(painted, part)
            wanted = soft_oracle.soft_levels(part, method, case.setting.tie)
            assert numpy.abs(got - wanted).max() <= LEVEL, f"{reply}: expected {wanted}, got {got}"
            reached, plain = (soft_oracle.criterion(part, x, method) for x in (got, wanted))
            assert reached <= plain + 1e-6, reply


@pytest.mark.parametrize("method", soft_oracle.METHODS)
def test_an_absent_rater_does_not_move_the_plain_reading(method):
    lines = ("xxxx..", ".xxx..", "..xxx.")
    (alone,) = oracle.components(row_of(*lines), Setting(26))
    (beside,) = oracle.components(row_of(*lines, "......"), Setting(26))
    assert numpy.array_equal(soft_oracle.soft_levels(alone, method), soft_oracle.soft_levels(beside, method))


@pytest.mark.parametrize("method", soft_oracle.METHODS)
def test_a_drawing_that_is_its_own_mirror_image_has_a_plain_reading_that_is(method):
    (component,) = oracle.components(row_of("x..", ".x.", ".x.", "..x"), Setting(26))
    by_group = {row.group: x for row, x in zip(component.rows, soft_oracle.soft_levels(component, method))}
    assert by_group[frozenset({0})] == by_group[frozenset({3})]
