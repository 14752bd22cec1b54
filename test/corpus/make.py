# SPDX-License-Identifier: Apache-2.0
"""Makes the corpus of bad (and good) inputs: python3 test/corpus/make.py FOLDER

Each case gets a folder of its own with its files; list.tsv says what each one is and what it gets. The same bytes
every time.
"""

import os
import sys

import array_cases
import damage_cases
import detached_cases
import dicom_cases
import grid_cases
import meta_cases
import nifti_cases
import nrrd_cases
import output_cases
import picture_cases
import place_cases
import png_cases
import segment_cases
import size_cases
import tiff_cases
import value_cases
from kit import put_all

MODULES = (
    place_cases,
    damage_cases,
    size_cases,
    nifti_cases,
    value_cases,
    grid_cases,
    nrrd_cases,
    detached_cases,
    meta_cases,
    segment_cases,
    dicom_cases,
    png_cases,
    tiff_cases,
    picture_cases,
    array_cases,
    output_cases,
)


def cases():
    """All cases, in the order of the table."""
    return [case for module in MODULES for case in module.cases()]


def folder_of(root, case):
    return os.path.join(root, *case.id.split("/"))


def make(root):
    result = cases()
    for case in result:
        os.makedirs(folder_of(root, case))
        put_all(folder_of(root, case), case)
    with open(os.path.join(root, "list.tsv"), "w", encoding="utf-8") as table:
        for case in result:
            row = (
                case.id,
                case.row,
                case.verdict,
                str(case.code if case.verdict == "refused" else 0),
                repr(case.subject),
            )
            table.write("\t".join(row) + "\n")
    return result


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    result = make(sys.argv[1])
    print(f"{len(result)} cases in {sys.argv[1]}")
