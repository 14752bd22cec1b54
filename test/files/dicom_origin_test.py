# SPDX-License-Identifier: Apache-2.0
"""What masks say about whose they are and what they show, and what a segmentation of them says."""

import json

import pytest
from dicom_kit import CREMA, crema, oracle, save
from dicom_write_test import case

pytestmark = pytest.mark.skipif(not CREMA, reason="set CREMA to the path of the program")


def said(folder):
    """Kinds and texts of the warnings of a run."""
    record = json.loads((folder / "run.json").read_text())
    return list(zip([kind["kind"] for kind in record["warning_kinds"]], record["warnings"]))


def test_codes_are_carried_where_all_readers_agree(tmp_path):
    pydicom = oracle("pydicom")
    case(tmp_path, ("liver", "tumour"), seed=5)
    names = ("r0.dcm", "r1.dcm", "r2.dcm")
    words = ("-o", "out.dcm", "--like", "ct", "--json", "run.json", "--force")
    for chosen in (("--segment", "liver"), ("--labels", "all")):
        crema(tmp_path, "fuse", *names, *words, *chosen)
        for segment in pydicom.dcmread(tmp_path / "out.dcm").SegmentSequence:
            category = segment.SegmentedPropertyCategoryCodeSequence[0]
            kind = segment.SegmentedPropertyTypeCodeSequence[0]
            assert (category.CodeValue, category.CodingSchemeDesignator) == ("91772007", "SCT")
            assert (kind.CodeValue, kind.CodeMeaning) == ("10200004", "Liver")
        assert not any("code for tissue" in text for _, text in said(tmp_path))
    other = pydicom.dcmread(tmp_path / "r1.dcm")
    other.SegmentSequence[0].SegmentedPropertyTypeCodeSequence[0].CodeValue = "78961009"
    save(other, tmp_path / "r1.dcm")
    crema(tmp_path, "fuse", *names, *words, "--labels", "all")
    first, second = pydicom.dcmread(tmp_path / "out.dcm").SegmentSequence
    assert first.SegmentedPropertyTypeCodeSequence[0].CodeMeaning == "Tissue"
    assert first.SegmentedPropertyCategoryCodeSequence[0].CodeMeaning == "Tissue"
    assert second.SegmentedPropertyTypeCodeSequence[0].CodeMeaning == "Liver"
    noted = [text for kind, text in said(tmp_path) if kind == "output-format"]
    assert noted == ["out.dcm: uses the code for tissue for 'liver', since the raters do not share a code."]


@pytest.mark.parametrize(
    "change, kind, text, written",
    [
        ({"PatientID": "Q-99"}, "unlike", "r1.dcm: belongs to another patient than ct; leave it out.", False),
        ({"PatientID": "Q-99", "StudyInstanceUID": "1.2.3"}, "unlike", "r1.dcm: belongs to another patient", False),
        ({"PatientID": "Q-99", "FrameOfReferenceUID": None}, "unlike", "r1.dcm: belongs to another patient", False),
        ({"StudyInstanceUID": "1.2.3"}, "unlike", "r1.dcm: belongs to another study than ct", True),
        ({"FrameOfReferenceUID": "1.2.3"}, "geometry", "r1.dcm: lies in the frame of reference 1.2.3", False),
        ({"PatientID": ""}, None, None, True),
    ],
)
def test_masks_of_another_patient_or_scan_are_told_and_no_segmentation_of_the_series(
    tmp_path, change, kind, text, written
):
    pydicom = oracle("pydicom")
    case(tmp_path, seed=6)
    other = pydicom.dcmread(tmp_path / "r1.dcm")
    for name, value in change.items():
        if value is None:
            delattr(other, name)
        else:
            setattr(other, name, value)
    save(other, tmp_path / "r1.dcm")
    names = ("r0.dcm", "r1.dcm", "r2.dcm")
    crema(tmp_path, "fuse", *names, "-o", "out.nii.gz", "--like", "ct", "--json", "run.json")
    found = [(k, t) for k, t in said(tmp_path) if "r1.dcm: belongs to another" in t or "frame of reference" in t]
    assert len(found) == (kind is not None) and all(k == kind and t.startswith(text) for k, t in found)
    done = crema(tmp_path, "fuse", *names, "-o", "out.dcm", "--like", "ct", code=0 if written else 2)
    assert (tmp_path / "out.dcm").exists() == written
    if not written:
        assert "whose patient and images a DICOM segmentation would refer to" in " ".join(done.stderr.split())
    public = (tmp_path / "run.json").read_text() + done.stdout + done.stderr
    assert "Q-99" not in public and "P-17" not in public and "Doe" not in public
