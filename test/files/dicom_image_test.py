# SPDX-License-Identifier: Apache-2.0
"""An image series beneath masks: what is drawn of it must be what is drawn of the same voxels as NIfTI.

Run with the program's path in the environment: CREMA=…/crema python3 -m pytest test/files/dicom_image_test.py
"""

import json
import re

import numpy
import pytest
from dicom_kit import AXIAL, CREMA, affine_of, crema, oblique, oracle, save, save_series, segmentation, series

pytestmark = pytest.mark.skipif(not CREMA, reason="set CREMA to the path of the program")
SHAPE = (6, 24, 21)


def stored_as(slices, numbers, signed=1, bits=16, scale=(1, 0), implicit=False):
    """Puts stored numbers [z, y, x] into slices; scale is slope and intercept, or a function of the slice."""
    for k, image in enumerate(slices):
        image.PixelRepresentation, image.BitsStored, image.HighBit = signed, bits, bits - 1
        image.BitsAllocated = 8 if bits <= 8 else 16
        kind = "u1" if bits <= 8 else "<u2"
        image.PixelData = (numbers[k] & ((1 << bits) - 1)).astype(kind).tobytes()
        image.RescaleSlope, image.RescaleIntercept = scale(k) if callable(scale) else scale
        if implicit:
            image.file_meta.TransferSyntaxUID = "1.2.840.10008.1.2"
    return slices


def case(folder, values, slices):
    """Two readers' segmentations, the series, and its values [z, y, x] as NIfTI."""
    z, y, x = numpy.ogrid[: SHAPE[0], : SHAPE[1], : SHAPE[2]]
    for k in range(2):
        mask = ((x - 10 - k) ** 2 + (y - 12) ** 2 < 40) & (z > 0) & (z < 5)
        save(segmentation(slices, mask[..., None].astype("u1"), ["liver"]), folder / f"r{k}.dcm")
    save_series(folder / "ct", slices)
    image = oracle("nibabel").Nifti1Image(values.T.astype("f8"), affine_of(slices))
    image.to_filename(folder / "ct.nii")


def drawn(folder, image):
    words = ("r0.dcm", "r1.dcm", "--like", "ct", "--image", image, "--slice", "z=2,3", "--force")
    crema(folder, "figure", *words, "-o", "figure.svg")
    return (folder / "figure.svg").read_text()


@pytest.mark.parametrize(
    "name, low, high, more",
    [
        ("CT", -1024, 3071, {"bits": 12, "scale": (1, -1024)}),
        ("signed", -2000, 2000, {"scale": (2.5, 10)}),
        ("PET", 0, 65535, {"signed": 0, "scale": lambda k: (0.01 * (k + 1), 0)}),
        ("bytes", 0, 255, {"signed": 0, "bits": 8}),
        ("implicit", -500, 500, {"implicit": True}),
    ],
)
def test_a_series_lies_beneath_masks_as_its_voxels_do(tmp_path, name, low, high, more):
    random = numpy.random.default_rng(len(name))
    slices = series(SHAPE, oblique(7) if name == "signed" else AXIAL)
    bits, signed = more.get("bits", 16), more.get("signed", 1)
    least, most = (-(1 << bits - 1), (1 << bits - 1) - 1) if signed else (0, (1 << bits) - 1)
    numbers = random.integers(max(low, least), min(high, most) + 1, SHAPE)
    stored_as(slices, numbers, **more)
    scale = more.get("scale", (1, 0))
    of = [scale(k) if callable(scale) else scale for k in range(SHAPE[0])]
    case(tmp_path, numpy.array([slope * own + shift for own, (slope, shift) in zip(numbers, of)]), slices)
    found = drawn(tmp_path, "ct")
    assert "data:image/png" in found and found == drawn(tmp_path, "ct.nii")


def test_a_page_shows_the_series_and_names_its_files(tmp_path):
    numbers = numpy.random.default_rng(3).integers(-1000, 1000, SHAPE)
    case(tmp_path, numbers, stored_as(series(SHAPE), numbers))
    pages = {}
    for image in ("ct", "ct.nii", ""):
        words = ("--image", image) if image else ()
        crema(tmp_path, "report", "r0.dcm", "r1.dcm", "--like", "ct", *words, "-o", "page.html", "--force")
        pages[image] = (tmp_path / "page.html").read_text()
    packed = {image: re.findall(r"[A-Za-z0-9+/=]{1000,}", page) for image, page in pages.items()}
    assert packed["ct"] == packed["ct.nii"] != packed[""]
    assert all(f"ct/slice{k:03}.dcm" in pages["ct"] for k in range(1, SHAPE[0] + 1))


def test_each_case_of_a_cohort_shows_its_own_series(tmp_path):
    for number, name in enumerate(("p1", "p2")):
        (tmp_path / "data" / name).mkdir(parents=True)
        numbers = numpy.random.default_rng(number).integers(-1000, 1000, SHAPE)
        case(tmp_path / "data" / name, numbers, stored_as(series(SHAPE), numbers))
        (tmp_path / "data" / name / "ct").rename(tmp_path / f"ct-{name}")
        (tmp_path / "data" / name / "ct.nii").rename(tmp_path / f"{name}.nii")
    words = ("cohort", "run", "data", "--layout", "cases", "--like", "ct-{case}", "--report")
    packed = []
    for image in ("ct-{case}", "{case}.nii"):
        crema(tmp_path, *words, "--image", image, "-o", f"run{len(packed)}")
        pages = [(tmp_path / f"run{len(packed)}/cases/{name}/report.html").read_text() for name in ("p1", "p2")]
        assert all("shows no image" not in page for page in pages)
        packed.append([re.findall(r"[A-Za-z0-9+/=]{1000,}", page) for page in pages])
    assert packed[0] == packed[1] and packed[0][0] != packed[0][1]
    result = json.loads((tmp_path / "run0/cases/p1/result.json").read_text())
    assert "ct-p1" in json.dumps(result)
    crema(tmp_path, *words, "--image", "none-{case}", "-o", "none")
    assert "shows no image beneath the masks" in (tmp_path / "none/cases/p1/result.json").read_text()


def compress(image):
    """As far as the headers say."""
    image.file_meta.TransferSyntaxUID = "1.2.840.10008.1.2.4.90"
    image.PixelData = oracle("pydicom.encaps").encapsulate([b"no image"])
    image["PixelData"].VR = "OB"


@pytest.mark.parametrize(
    "spoil, sentence",
    [
        (compress, "JPEG 2000 lossless"),
        (lambda image: setattr(image, "SamplesPerPixel", 3), "has pixels of 3 samples"),
        (lambda image: setattr(image, "HighBit", 13), "the highest at 13"),
        (lambda image: setattr(image, "PixelData", image.PixelData[:-4]), "pixels take 1008 bytes, but it has 1004"),
        (lambda image: delattr(image, "PixelData"), "pixels take 1008 bytes, but it has 0"),
    ],
)
def test_slices_that_cannot_be_shown_are_refused_and_serve_as_a_grid(tmp_path, spoil, sentence):
    slices = stored_as(series(SHAPE), numpy.zeros(SHAPE, int))
    case(tmp_path, numpy.zeros(SHAPE), slices)
    path = tmp_path / "ct/slice003.dcm"
    image = oracle("pydicom").dcmread(path)
    spoil(image)
    image.save_as(path, enforce_file_format=True)
    words = ("r0.dcm", "r1.dcm", "--like", "ct", "-o", "figure.svg")
    refused = " ".join(crema(tmp_path, "figure", *words, "--image", "ct", code=3).stderr.split())
    assert "slice003.dcm" in refused and sentence in refused
    crema(tmp_path, "figure", *words)


def test_a_series_is_no_rater_and_no_consensus(tmp_path):
    case(tmp_path, numpy.zeros(SHAPE), stored_as(series(SHAPE), numpy.ones(SHAPE, int)))
    assert "folder" in crema(tmp_path, "fuse", "r0.dcm", "ct", "-o", "no.nii", code=3).stderr
    assert "folder" in crema(tmp_path, "certify", "ct", "r0.dcm", "r1.dcm", code=3).stderr
