# SPDX-License-Identifier: Apache-2.0
"""Image series and segmentations as pydicom and highdicom write them. Arrays are [z, y, x]."""

import os
import subprocess
import warnings

import numpy
import pytest

CREMA = os.environ.get("CREMA")
AXIAL = (1, 0, 0, 0, 1, 0)
UIDS = "1.2.826.0.1.3680043.8.498."


def oracle(name):
    return pytest.importorskip(name, reason=f"{name} cannot be imported: this oracle is left out")


def oblique(seed):
    """The orientation of a plane turned at random."""
    random = numpy.random.default_rng(seed)
    turned, _ = numpy.linalg.qr(random.normal(size=(3, 3)))
    return tuple(float(x) for x in numpy.round(numpy.concatenate([turned[:, 0], turned[:, 1]]), 8))


def series(shape=(6, 9, 7), orientation=AXIAL, spacing=(0.8, 0.7, 2.5), origin=(-31.25, 12.5, 40.0)):
    """CT slices from low to high along their normal. Spacing is that between rows, columns and slices."""
    pydicom = oracle("pydicom")
    normal = numpy.cross(orientation[:3], orientation[3:])
    slices = []
    for k in range(shape[0]):
        image = pydicom.Dataset()
        image.file_meta = pydicom.dataset.FileMetaDataset()
        image.file_meta.TransferSyntaxUID = pydicom.uid.ExplicitVRLittleEndian
        image.file_meta.MediaStorageSOPClassUID = image.SOPClassUID = "1.2.840.10008.5.1.4.1.1.2"
        image.file_meta.MediaStorageSOPInstanceUID = image.SOPInstanceUID = f"{UIDS}5.{k + 1}"
        image.StudyInstanceUID, image.SeriesInstanceUID = UIDS + "2", UIDS + "3"
        image.FrameOfReferenceUID = UIDS + "4"
        image.PatientID, image.PatientName, image.PatientBirthDate, image.PatientSex = (
            "P-17",
            "Doe^Jane",
            "19700101",
            "F",
        )
        image.StudyID, image.StudyDate, image.StudyTime, image.AccessionNumber = "S1", "20240203", "101112", "A-9"
        image.ReferringPhysicianName, image.Modality, image.Manufacturer = "", "CT", "none"
        image.SeriesNumber, image.InstanceNumber, image.PositionReferenceIndicator = 3, shape[0] - k, ""
        image.Rows, image.Columns = shape[1:]
        image.PixelSpacing = [spacing[0], spacing[1]]
        image.SliceThickness = image.SpacingBetweenSlices = spacing[2]
        image.ImageOrientationPatient = list(orientation)
        place = numpy.asarray(origin) + k * spacing[2] * normal
        image.ImagePositionPatient = [float(f"{x:.8g}") for x in place]
        image.SamplesPerPixel, image.PhotometricInterpretation, image.PixelRepresentation = 1, "MONOCHROME2", 1
        image.BitsAllocated, image.BitsStored, image.HighBit = 16, 16, 15
        image.PixelData = numpy.zeros(shape[1:], "<i2").tobytes()
        slices.append(image)
    return slices


def save_series(folder, slices):
    folder.mkdir()
    for k, image in enumerate(slices):
        image.save_as(folder / f"slice{len(slices) - k:03}.dcm", enforce_file_format=True)
    return folder


def affine_of(slices):
    """Voxel to millimetres, right, anterior, superior, from the headers alone."""
    first = slices[0]
    o = numpy.array(first.ImageOrientationPatient, float)
    step = numpy.cross(o[:3], o[3:]) * float(first.SpacingBetweenSlices)
    affine = numpy.eye(4)
    affine[:3, 0], affine[:3, 1] = o[:3] * float(first.PixelSpacing[1]), o[3:] * float(first.PixelSpacing[0])
    affine[:3, 2], affine[:3, 3] = step, numpy.array(first.ImagePositionPatient, float)
    return numpy.diag([-1, -1, 1, 1]) @ affine


def segmentation(slices, masks, names, kind="BINARY", implicit=False, **more):
    """masks: [z, y, x, segment], or labels [z, y, x]."""
    highdicom = oracle("highdicom")
    from pydicom.sr.codedict import codes

    descriptions = [
        highdicom.seg.SegmentDescription(
            segment_number=i + 1,
            segment_label=name,
            segmented_property_category=codes.SCT.Organ,
            segmented_property_type=codes.SCT.Liver,
            algorithm_type=highdicom.seg.SegmentAlgorithmTypeValues.MANUAL,
            display_color=highdicom.color.CIELabColor.from_rgb(200, 30 * i, 40),
        )
        for i, name in enumerate(names)
    ]
    syntax = "1.2.840.10008.1.2" if implicit else "1.2.840.10008.1.2.1"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return highdicom.seg.Segmentation(
            source_images=slices,
            pixel_array=masks,
            segmentation_type=kind,
            segment_descriptions=descriptions,
            series_instance_uid=UIDS + "7",
            series_number=100,
            sop_instance_uid=highdicom.UID(),
            instance_number=1,
            manufacturer="none",
            manufacturer_model_name="none",
            software_versions="1",
            device_serial_number="1",
            transfer_syntax_uid=syntax,
            content_label="TEST",
            **more,
        )


def save(file, path):
    file.save_as(path, enforce_file_format=True)
    return path


def crema(folder, *words, code=0):
    done = subprocess.run([CREMA, *map(str, words)], capture_output=True, text=True, cwd=folder)
    assert done.returncode == code, (done.returncode, done.stderr)
    return done
