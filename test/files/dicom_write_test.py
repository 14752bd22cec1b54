# SPDX-License-Identifier: Apache-2.0
"""What crema writes as DICOM segmentations, highdicom must read voxel for voxel, and dciodvfy find sound.

Run with the program's path in the environment: CREMA=…/crema python3 -m pytest test/files/dicom_write_test.py
Where an oracle cannot be had its tests are skipped, by name.
"""

import json
import re
import shlex
import shutil
import subprocess
from pathlib import Path

import numpy
import pytest
from dicom_kit import AXIAL, CREMA, crema, oblique, oracle, save, save_series, segmentation, series

pytestmark = pytest.mark.skipif(not CREMA, reason="set CREMA to the path of the program")
SHAPE = (6, 9, 7)


def case(folder, names=("liver",), orientation=AXIAL, seed=1):
    """A series, and three readers' masks of it: [reader, z, y, x, segment]."""
    random = numpy.random.default_rng(seed)
    slices = series(SHAPE, orientation)
    masks = (random.random((3, *SHAPE, len(names))) < 0.5).astype("u1")
    masks[:, 0], masks[:, 3] = 0, 0
    save_series(folder / "ct", slices)
    for k in range(3):
        save(segmentation(slices, masks[k], list(names)), folder / f"r{k}.dcm")
    return slices, masks


def read_back(path, slices):
    """[z, y, x, segment] as highdicom reads it, and the file."""
    highdicom = oracle("highdicom")
    file = highdicom.seg.segread(path)
    uids = [image.SOPInstanceUID for image in slices]
    settings = {"ignore_spatial_locations": True, "assert_missing_frames_are_empty": True}
    return file.get_pixels_by_source_instance(uids, **settings), file


@pytest.mark.parametrize("orientation", [AXIAL, oblique(11)], ids=["axial", "oblique"])
def test_three_readers_become_one_segmentation(tmp_path, orientation):
    slices, masks = case(tmp_path, orientation=orientation)
    crema(tmp_path, "fuse", "r0.dcm", "r1.dcm", "r2.dcm", "-o", "out.dcm", "--like", "ct", "--method", "majority")
    found, file = read_back(tmp_path / "out.dcm", slices)
    numpy.testing.assert_array_equal(found[..., 0], masks[..., 0].sum(axis=0) >= 2)
    assert file.PatientID == "P-17" and file.PatientName == "Doe^Jane"
    assert file.StudyInstanceUID == slices[0].StudyInstanceUID
    assert file.FrameOfReferenceUID == slices[0].FrameOfReferenceUID
    assert file.SegmentSequence[0].SegmentLabel == "liver"
    crema(tmp_path, "check", "out.dcm", "r0.dcm")


def test_overlapping_labels_are_segments(tmp_path):
    slices, masks = case(tmp_path, ("liver", "tumour"), seed=2)
    names = ("r0.dcm", "r1.dcm", "r2.dcm")
    crema(tmp_path, "fuse", *names, "-o", "out.dcm", "--like", "ct", "--method", "majority", "--labels", "all")
    found, file = read_back(tmp_path / "out.dcm", slices)
    numpy.testing.assert_array_equal(found, masks.sum(axis=0) >= 2)
    assert [s.SegmentLabel for s in file.SegmentSequence] == ["liver", "tumour"]
    colours = [
        list(oracle("pydicom").dcmread(tmp_path / n).SegmentSequence[0].RecommendedDisplayCIELabValue)
        for n in (names[0], "out.dcm")
    ]
    numpy.testing.assert_allclose(*colours, atol=200)


def test_the_same_input_gives_the_same_bytes(tmp_path):
    case(tmp_path, seed=3)
    for name in ("a", "b"):
        crema(tmp_path, "fuse", "r0.dcm", "r1.dcm", "r2.dcm", "-o", f"{name}.dcm", "--like", "ct")
    assert (tmp_path / "a.dcm").read_bytes() == (tmp_path / "b.dcm").read_bytes()
    crema(tmp_path, "fuse", "r0.dcm", "-o", "c.dcm", "--like", "ct")
    uids = {oracle("pydicom").dcmread(tmp_path / f"{name}.dcm").SOPInstanceUID for name in "abc"}
    assert len(uids) == 2


def test_an_empty_consensus_is_one_empty_frame(tmp_path):
    slices, masks = case(tmp_path, seed=4)
    save(segmentation(slices, 0 * masks[0], ["liver"]), tmp_path / "empty.dcm")
    crema(tmp_path, "fuse", "empty.dcm", "-o", "out.dcm", "--like", "ct", "--method", "majority")
    found, file = read_back(tmp_path / "out.dcm", slices)
    assert not found.any() and file.NumberOfFrames == 1


def levels_of(path):
    """[z, y, x] of one of the program's maps."""
    return numpy.asarray(oracle("nibabel").load(path).dataobj).T


@pytest.mark.parametrize("orientation", [AXIAL, oblique(12)], ids=["axial", "oblique"])
def test_levels_become_a_fractional_segmentation(tmp_path, orientation):
    slices, masks = case(tmp_path, orientation=orientation, seed=7)
    fuse = ("fuse", "r0.dcm", "r1.dcm", "r2.dcm", "--like", "ct", "--method", "average")
    done = crema(tmp_path, *fuse, "-o", "out.dcm", "--dicom-fractional")
    assert "rounded to steps of 1/255" in " ".join(done.stderr.split())
    found, file = read_back(tmp_path / "out.dcm", slices)
    assert file.SegmentationType == "FRACTIONAL" and file.SegmentationFractionalType == "PROBABILITY"
    assert file.MaximumFractionalValue == 255 and file.SegmentSequence[0].SegmentLabel == "liver"
    votes = masks[..., 0].sum(axis=0)
    numpy.testing.assert_allclose(found[..., 0], numpy.round(votes / 3 * 255) / 255, atol=1e-6)
    crema(tmp_path, "fuse", "out.dcm", "--like", "ct", "--probabilities", "-m", "average", "-o", "back.nii")
    numpy.testing.assert_array_equal(
        levels_of(tmp_path / "back.nii"), (numpy.round(votes / 3 * 255) / 255).astype("f4")
    )


def test_levels_of_labels_are_fractional_segments(tmp_path):
    slices, _ = case(tmp_path, ("liver", "tumour"), seed=8)
    fuse = ("fuse", "r0.dcm", "r1.dcm", "r2.dcm", "--like", "ct", "--labels", "all", "--method", "average")
    crema(tmp_path, *fuse, "-o", "out.dcm", "--levels", "levels.dcm", "--dicom-fractional")
    crema(tmp_path, *fuse, "-o", "out.seg.nrrd", "--levels", "levels.nii")
    found, file = read_back(tmp_path / "levels.dcm", slices)
    assert [s.SegmentLabel for s in file.SegmentSequence] == ["liver", "tumour"]
    expected = numpy.moveaxis(levels_of(tmp_path / "levels.nii"), 0, -1)
    numpy.testing.assert_allclose(found, numpy.round(expected * 255) / 255, atol=1e-6)


def test_fractional_is_refused_where_nothing_is(tmp_path):
    case(tmp_path, seed=9)
    fuse = ("fuse", "r0.dcm", "r1.dcm", "--like", "ct", "--dicom-fractional")
    for words in (("-o", "out.dcm"), ("-o", "out.nii", "-m", "average"), ("-m", "average"),
                  ("-o", "out.dcm", "-m", "average", "--threshold-output", "0.5")):  # fmt: skip
        assert "--dicom-fractional requires levels in a .dcm" in crema(tmp_path, *fuse, *words, code=2).stderr


def complaints(path):
    """Errors and warnings of dciodvfy. It knows no private coding schemes, which DICOM has begin with 99."""
    done = subprocess.run(["dciodvfy", "-new", path], capture_output=True, text=True)
    assert "Segmentation" in done.stderr
    known = "Unrecognized defined term = <99CREMA>"
    return [line for line in done.stderr.splitlines() if line.startswith(("Error", "Warn")) and known not in line]


@pytest.mark.parametrize("words", [("--labels", "all"), ("--segment", "liver", "-m", "average", "--dicom-fractional")])
def test_dciodvfy_finds_no_error(tmp_path, words):
    if shutil.which("dciodvfy") is None:
        pytest.skip("dciodvfy is not installed (Debian: dicom3tools)")
    case(tmp_path, ("liver", "tumour"), seed=5)
    crema(tmp_path, "fuse", "r0.dcm", "r1.dcm", "-o", "out.dcm", "--like", "ct", *words)
    assert not complaints(tmp_path / "out.dcm")


def test_every_frame_is_written_where_that_is_wanted(tmp_path):
    slices, masks = case(tmp_path, ("liver", "tumour"), seed=10)
    fuse = ("fuse", "r0.dcm", "r1.dcm", "r2.dcm", "--like", "ct", "--dicom-empty-frames")
    crema(tmp_path, *fuse, "-o", "out.dcm", "--labels", "all", "-m", "majority")
    found, file = read_back(tmp_path / "out.dcm", slices)
    assert file.NumberOfFrames == 2 * SHAPE[0]
    numpy.testing.assert_array_equal(found, masks.sum(axis=0) >= 2)
    crema(tmp_path, *fuse, "-o", "soft.dcm", "--segment", "liver", "-m", "average", "--dicom-fractional")
    found, file = read_back(tmp_path / "soft.dcm", slices)
    assert file.NumberOfFrames == SHAPE[0] and not found[0].any() and found[1].any()
    words = ("fuse", "r0.dcm", "-o", "out.nii", "--segment", "liver", "--dicom-empty-frames")
    assert "requires a .dcm" in crema(tmp_path, *words, code=2).stderr


def test_names_keep_64_characters_whatever_their_bytes(tmp_path):
    slices, masks = case(tmp_path)
    names = ["ä" * 64, "é" + "b" * 69]
    file = segmentation(slices, numpy.repeat(masks[0], 2, axis=-1), names)
    file.SpecificCharacterSet = "ISO_IR 192"
    save(file, tmp_path / "r.dcm")
    done = crema(tmp_path, "fuse", "r.dcm", "-o", "out.dcm", "--like", "ct", "--labels", "all")
    _, file = read_back(tmp_path / "out.dcm", slices)
    assert [s.SegmentLabel for s in file.SegmentSequence] == [names[0], names[1][:64]]
    said = " ".join(done.stderr.split())
    assert f"renames segment '{names[1]}' to '{names[1][:64]}'" in said and said.count("renames segment") == 1


def test_the_slice_of_a_series_of_one_is_as_thick_as_it_says(tmp_path):
    slices = series((1, 9, 7))
    save_series(tmp_path / "ct", slices)
    save(segmentation(slices, numpy.ones((1, 9, 7, 1), "u1"), ["liver"]), tmp_path / "r.dcm")
    done = crema(tmp_path, "fuse", "r.dcm", "-o", "out.dcm", "--like", "ct", "-m", "majority")
    assert "thick" not in done.stderr
    _, file = read_back(tmp_path / "out.dcm", slices)
    measures = file.SharedFunctionalGroupsSequence[0].PixelMeasuresSequence[0]
    assert measures.SpacingBetweenSlices == measures.SliceThickness == 2.5


def test_each_case_of_a_cohort_goes_onto_its_own_series(tmp_path):
    truth = {}
    for seed, name in enumerate(("p1", "p2")):
        (tmp_path / "data" / name).mkdir(parents=True)
        slices, masks = case(tmp_path / "data" / name, ("liver", "tumour"), oblique(20 + seed), seed)
        (tmp_path / "data" / name / "ct").rename(tmp_path / f"ct-{name}")
        truth[name] = slices, masks
    words = ("cohort", "run", "data", "--layout", "cases", "--like", "ct-{case}", "-m", "majority", "-o", "run")
    words += ("--labels", "all")
    crema(tmp_path, *words)
    for name, (slices, masks) in truth.items():
        found, file = read_back(tmp_path / "run/cases" / name / "majority.dcm", slices)
        numpy.testing.assert_array_equal(found, masks.sum(axis=0) >= 2)
        first = file.SharedFunctionalGroupsSequence[0].PlaneOrientationSequence[0].ImageOrientationPatient
        numpy.testing.assert_allclose(first, slices[0].ImageOrientationPatient, atol=1e-6)
        inputs = json.loads((tmp_path / "run/cases" / name / "result.json").read_text())["inputs"]
        assert str(tmp_path / f"ct-{name}" / "slice001.dcm") in [one["path"] for one in inputs]
    assert "0 made, 2 already there" in crema(tmp_path, *words).stdout


def test_the_recipes_for_dicom_run_as_they_stand(tmp_path):
    page = Path(__file__).resolve().parents[2] / "docs/tools.md"
    section = re.search(r"^## DICOM\n(.*?)^## ", page.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    case(tmp_path, ("liver", "tumour"))
    for number, who in enumerate(("anna", "ben", "carl")):
        (tmp_path / f"r{number}.dcm").rename(tmp_path / f"{who}.dcm")
    (tmp_path / "ct").rename(tmp_path / "series")
    for patient in ("p1", "p2"):
        (tmp_path / "patients" / patient).mkdir(parents=True)
        case(tmp_path / "patients" / patient, ("liver", "tumour"))
        (tmp_path / "series-of").mkdir(exist_ok=True)
        (tmp_path / "patients" / patient / "ct").rename(tmp_path / "series-of" / patient)
    lines = re.findall(r"^crema (.*)$", section[1], re.MULTILINE)
    assert len(lines) > 3
    for line in lines:
        crema(tmp_path, *shlex.split(line))
    for name in ("consensus.dcm", "organs.dcm", "levels.dcm", "patients-fused/cases/p2/jaccard.dcm"):
        assert oracle("highdicom").seg.segread(tmp_path / name).number_of_segments == (2 if name == "organs.dcm" else 1)


def test_the_line_of_the_readme_makes_one_sound_segmentation(tmp_path):
    page = Path(__file__).resolve().parents[2] / "README.md"
    (line,) = re.findall(r"^    crema (fuse .*\.dcm .*)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    slices, _ = case(tmp_path, ("tumour", "liver"), oblique(13))
    for number, who in enumerate(("anna", "ben", "carl")):
        (tmp_path / f"r{number}.dcm").rename(tmp_path / f"{who}.dcm")
    (tmp_path / "ct").rename(tmp_path / "series")
    crema(tmp_path, *shlex.split(line))
    crema(tmp_path, *shlex.split(line.replace("consensus.dcm", "same.nii")))
    found, file = read_back(tmp_path / "consensus.dcm", slices)
    numpy.testing.assert_array_equal(found[..., 0], levels_of(tmp_path / "same.nii"))
    assert found.any() and [s.SegmentLabel for s in file.SegmentSequence] == ["liver"]
    if shutil.which("dciodvfy"):
        assert not complaints(tmp_path / "consensus.dcm")


def without(tag):
    return lambda slices: [delattr(image, tag) for image in slices]


def same(tag):
    return lambda slices: [setattr(image, tag, getattr(slices[0], tag)) for image in slices]


@pytest.mark.parametrize(
    "spoil, code, sentence",
    [
        (without("StudyInstanceUID"), 2, "state no StudyInstanceUID"),
        (without("SeriesInstanceUID"), 2, "state no SeriesInstanceUID"),
        (without("FrameOfReferenceUID"), 2, "state no FrameOfReferenceUID"),
        (without("SOPInstanceUID"), 2, "states no SOPInstanceUID"),
        (same("SOPInstanceUID"), 3, "slice001.dcm and slice002.dcm have the same SOPInstanceUID"),
        (same("ImagePositionPatient"), 3, "slice001.dcm and slice002.dcm lie in the same place"),
        (lambda slices: setattr(slices[2], "PixelSpacing", [0.9, 0.7]), 3, "has pixels of another size"),
    ],
)
def test_a_series_that_cannot_be_referred_to_is_refused(tmp_path, spoil, code, sentence):
    slices, _ = case(tmp_path, seed=12)
    spoil(slices)
    shutil.rmtree(tmp_path / "ct")
    save_series(tmp_path / "ct", slices)
    done = crema(tmp_path, "fuse", "r0.dcm", "r1.dcm", "-o", "out.dcm", "--like", "ct", code=code)
    assert sentence in " ".join(done.stderr.split())
    assert not (tmp_path / "out.dcm").exists()
    if code == 2:  # nothing of it is needed for another format
        crema(tmp_path, "fuse", "r0.dcm", "r1.dcm", "-o", "out.nii", "--like", "ct")


def test_refusals_name_the_way_on(tmp_path):
    slices, _ = case(tmp_path, seed=6)
    fuse = ("fuse", "r0.dcm", "r1.dcm", "-o", "out.dcm")
    assert "--like SERIES_FOLDER" in crema(tmp_path, *fuse, code=2).stderr
    assert "levels" in crema(tmp_path, *fuse, "--like", "ct", "--method", "tanimoto", code=2).stderr
    (tmp_path / "nothing").mkdir()
    assert "without a DICOM image series" in crema(tmp_path, *fuse, "--like", "nothing", code=3).stderr
    (tmp_path / "ct" / "slice003.dcm").unlink()
    assert "5 slices of a series of 6" in crema(tmp_path, *fuse, "--like", "ct", code=3).stderr
    slices[0].SeriesInstanceUID += ".9"
    save(slices[0], tmp_path / "ct" / "other.dcm")
    assert "2 image series" in crema(tmp_path, *fuse, "--like", "ct", code=3).stderr
    assert not (tmp_path / "out.dcm").exists()
