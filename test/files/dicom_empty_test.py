# SPDX-License-Identifier: Apache-2.0
"""DICOM segmentations whose segments are declared and empty."""

import numpy
import pytest
from dicom_kit import CREMA, crema, oracle, save, save_series, segmentation, series

pytestmark = pytest.mark.skipif(not CREMA, reason="set CREMA to the path of the program")
NAMES = ["liver", "tumour"]


@pytest.mark.parametrize("drawn", [(), (0,)], ids=["nothing", "liver"])
def test_segments_in_which_no_reader_drew_are_an_empty_consensus(tmp_path, drawn):
    slices = series((6, 9, 7))
    masks = numpy.zeros((6, 9, 7, 2), "u1")
    masks[2:4, 3:6, 2:5, list(drawn)] = 1
    save_series(tmp_path / "ct", slices)
    for k in range(2):
        save(segmentation(slices, masks, NAMES), tmp_path / f"r{k}.dcm")
    crema(tmp_path, "fuse", "r0.dcm", "r1.dcm", "-o", "out.dcm", "--like", "ct", "--labels", "liver,tumour")
    file = oracle("highdicom").seg.segread(tmp_path / "out.dcm")
    assert [one.SegmentLabel for one in file.SegmentSequence] == NAMES
    uids = [image.SOPInstanceUID for image in slices]
    found = file.get_pixels_by_source_instance(
        uids, ignore_spatial_locations=True, assert_missing_frames_are_empty=True
    )
    numpy.testing.assert_array_equal(found, masks)
