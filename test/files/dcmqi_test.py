# SPDX-License-Identifier: Apache-2.0
"""DICOM segmentations from crema to dcmqi and back, voxel for voxel, on series of odd sizes.

Run with the program's path in the environment: CREMA=…/crema python3 -m pytest test/files/dcmqi_test.py
Where dcmqi, pydicom or SimpleITK cannot be had the tests are skipped, by name.
"""

import json
import subprocess
import sys
from pathlib import Path

import numpy
import pytest
from dicom_kit import AXIAL, CREMA, crema, oblique, oracle, save_series, series

pytestmark = pytest.mark.skipif(not CREMA, reason="set CREMA to the path of the program")
SHAPES = [(5, 7, 9), (4, 23, 38), (3, 11, 13)]


def dcmqi(tool, *words):
    oracle("dcmqi")
    done = subprocess.run([Path(sys.executable).parent / tool, *words], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def save_mask(path, mask, slices):
    """[z, y, x] on the grid of the slices."""
    itk = oracle("SimpleITK")
    image = itk.GetImageFromArray(mask)
    first, last = (numpy.array([float(x) for x in slices[k].ImagePositionPatient]) for k in (0, -1))
    x, y = (numpy.array([float(v) for v in slices[0].ImageOrientationPatient[k : k + 3]]) for k in (0, 3))
    rows, columns = (float(v) for v in slices[0].PixelSpacing)
    step = (last - first) / (len(slices) - 1)
    image.SetSpacing((columns, rows, float(numpy.linalg.norm(step))))
    image.SetOrigin(first.tolist())
    image.SetDirection(numpy.column_stack([x, y, step / numpy.linalg.norm(step)]).ravel().tolist())
    itk.WriteImage(image, str(path))


def on_grid_of(image, like):
    """A mask as an array on another one's grid: dcmqi writes slices in its own order and leaves empty ones out."""
    itk = oracle("SimpleITK")
    return itk.GetArrayFromImage(itk.Resample(image, like, itk.Transform(), itk.sitkNearestNeighbor))


@pytest.mark.parametrize("shape", SHAPES, ids=str)
@pytest.mark.parametrize("orientation", [AXIAL, oblique(5)], ids=["axial", "oblique"])
def test_dcmqi_reads_what_is_written(tmp_path, shape, orientation):
    itk = oracle("SimpleITK")
    slices = series(shape, orientation)
    save_series(tmp_path / "ct", slices)
    random = numpy.random.default_rng(sum(shape))
    mask = (random.random(shape) < 0.5).astype("u1")
    mask[1] = 0  # left out of the file
    save_mask(tmp_path / "m.nii.gz", mask, slices)
    crema(tmp_path, "fuse", "m.nii.gz", "-o", "out.dcm", "--like", "ct", "--method", "majority")
    words = ("--inputDICOM", tmp_path / "out.dcm", "--outputDirectory", tmp_path, "--outputType", "nrrd")
    dcmqi("segimage2itkimage", *words, "--prefix", "back")
    back = itk.ReadImage(str(tmp_path / "back-1.nrrd"))
    found = on_grid_of(back, itk.ReadImage(str(tmp_path / "m.nii.gz")))
    numpy.testing.assert_array_equal(found != 0, mask != 0)


@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_what_dcmqi_writes_is_read(tmp_path, shape):
    itk = oracle("SimpleITK")
    slices = series(shape)
    save_series(tmp_path / "ct", slices)
    random = numpy.random.default_rng(sum(shape))
    mask = (random.random(shape) < 0.5).astype("u1")
    save_mask(tmp_path / "m.nrrd", mask, slices)
    code = {"CodeValue": "85756007", "CodingSchemeDesignator": "SCT", "CodeMeaning": "Tissue"}
    segment = {"labelID": 1, "SegmentDescription": "liver", "SegmentLabel": "liver", "SegmentAlgorithmType": "MANUAL"}
    segment |= {"SegmentedPropertyCategoryCodeSequence": code, "SegmentedPropertyTypeCodeSequence": code}
    about = {"ContentCreatorName": "nobody", "SeriesDescription": "Segmentation", "SeriesNumber": "300"}
    about |= {"InstanceNumber": "1", "segmentAttributes": [[segment]]}
    (tmp_path / "m.json").write_text(json.dumps(about))
    words = ("--inputImageList", tmp_path / "m.nrrd", "--inputDICOMDirectory", tmp_path / "ct")
    dcmqi("itkimage2segimage", *words, "--outputDICOM", tmp_path / "m.dcm", "--inputMetadata", tmp_path / "m.json")
    crema(tmp_path, "fuse", "m.dcm", "-o", "out.nii.gz", "--like", "ct", "--method", "majority")
    found = itk.ReadImage(str(tmp_path / "out.nii.gz"))
    numpy.testing.assert_array_equal(on_grid_of(found, itk.ReadImage(str(tmp_path / "m.nrrd"))), mask)
