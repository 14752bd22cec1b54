#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How long a DICOM segmentation of 512×512×300 with 3 segments takes to be fused, beside the same voxels as raw NRRD:
bench/dicom.py PROGRAM. The goal is 1.5 times; needs numpy and pydicom."""

import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy
import pydicom

SIZE, GOAL, TURNS = (300, 512, 512), 1.5, 5
ROOT = "1.2.826.0.1.3680043.8.498."


def write_series(folder):
    folder.mkdir()
    for z in range(SIZE[0]):
        image = pydicom.Dataset()
        image.file_meta = pydicom.dataset.FileMetaDataset()
        image.file_meta.TransferSyntaxUID = pydicom.uid.ExplicitVRLittleEndian
        image.file_meta.MediaStorageSOPClassUID = image.SOPClassUID = "1.2.840.10008.5.1.4.1.1.2"
        image.file_meta.MediaStorageSOPInstanceUID = image.SOPInstanceUID = f"{ROOT}5.{z + 1}"
        image.StudyInstanceUID, image.SeriesInstanceUID, image.FrameOfReferenceUID = ROOT + "2", ROOT + "3", ROOT + "4"
        image.Rows, image.Columns, image.PixelSpacing, image.SliceThickness = SIZE[1], SIZE[2], [0.8, 0.8], 1
        image.ImageOrientationPatient, image.ImagePositionPatient = [1, 0, 0, 0, 1, 0], [0, 0, z]
        image.save_as(folder / f"{z:03}.dcm", enforce_file_format=True)


def labels():
    """Three balls' worth of voxels in every slice."""
    z, y, x = numpy.ogrid[: SIZE[0], : SIZE[1], : SIZE[2]]
    array = numpy.zeros(SIZE, "u1")
    for label, centre in enumerate((130, 256, 380), 1):
        array[(x - centre) ** 2 + (y - 256) ** 2 < (30 + z / 10) ** 2] = label
    return array


def write_nrrd(path, voxels):
    head = f"NRRD0004\ntype: uint8\ndimension: 3\nsizes: {SIZE[2]} {SIZE[1]} {SIZE[0]}\nencoding: raw\n\n"
    path.write_bytes(head.encode() + voxels.tobytes())


def seconds(folder, *words):
    best = float("inf")
    for _ in range(TURNS):
        start = time.perf_counter()
        subprocess.run([sys.argv[1], "fuse", *words, "-m", "majority", "-q"], cwd=folder, check=True)
        best = min(best, time.perf_counter() - start)
    return best


def main():
    program = sys.argv[1] = str(Path(sys.argv[1]).resolve())
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_series(folder / "ct")
        array = labels()
        for label in (1, 2, 3):
            write_nrrd(folder / f"{label}.nrrd", (array == label).astype("u1"))
        write_nrrd(folder / "map.nrrd", array)
        write = [program, "fuse", "map.nrrd", "--labels", "a=1,b=2,c=3", "-o", "seg.dcm", "--like", "ct", "-q"]
        subprocess.run(write, cwd=folder, check=True)
        dicom = seconds(folder, "seg.dcm", "--segments-are", "raters")
        nrrd = seconds(folder, "1.nrrd", "2.nrrd", "3.nrrd")
        print(f"DICOM {dicom:.3f} s, raw NRRD {nrrd:.3f} s: {dicom / nrrd:.2f} times, goal {GOAL}")


if __name__ == "__main__":
    main()
