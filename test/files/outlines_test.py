# SPDX-License-Identifier: Apache-2.0
"""RT structure sets that pydicom writes, against a plain count of crossings in NumPy."""

import json

import numpy
import pytest
from dicom_kit import AXIAL, CREMA, UIDS, crema, oblique, oracle, save, save_series, series

pytestmark = pytest.mark.skipif(not CREMA, reason="set CREMA to the path of the program")
SHAPE = (5, 17, 13)


def inside(polygons, shape):
    """Pixels (x, y) whose centre is inside, even-odd; a centre on a left or upper edge is inside."""
    y, x = numpy.mgrid[: shape[0], : shape[1]].astype(float)
    found = numpy.zeros(shape, bool)
    for polygon in polygons:
        for (x0, y0), (x1, y1) in zip(polygon, numpy.roll(polygon, -1, axis=0)):
            crosses = (y0 <= y) != (y1 <= y)
            side = (y1 - y0) * (x - x0) - (y - y0) * (x1 - x0)
            found ^= crosses & (side >= 0 if y1 > y0 else side <= 0)
    return found


def structures(slices, drawn, **more):
    """drawn: name -> list of (slice, [[x, y], …] in pixels)."""
    pydicom = oracle("pydicom")
    file = pydicom.Dataset()
    file.file_meta = pydicom.dataset.FileMetaDataset()
    implicit = more.get("implicit")
    file.file_meta.TransferSyntaxUID = "1.2.840.10008.1.2" if implicit else "1.2.840.10008.1.2.1"
    file.file_meta.MediaStorageSOPClassUID = file.SOPClassUID = "1.2.840.10008.5.1.4.1.1.481.3"
    file.file_meta.MediaStorageSOPInstanceUID = file.SOPInstanceUID = UIDS + "99"
    file.Modality, file.StructureSetLabel, file.SpecificCharacterSet = "RTSTRUCT", "TEST", "ISO_IR 192"
    file.StructureSetROISequence, file.ROIContourSequence = pydicom.Sequence(), pydicom.Sequence()
    for number, (name, outlines) in enumerate(drawn.items(), 1):
        described, contours = pydicom.Dataset(), pydicom.Dataset()
        described.ROINumber, described.ROIName = number * 10, name
        described.ReferencedFrameOfReferenceUID = more.get("frame", slices[0].FrameOfReferenceUID)
        contours.ReferencedROINumber, contours.ROIDisplayColor = number * 10, [255, 128, 0]
        contours.ContourSequence = pydicom.Sequence()
        for k, points in outlines:
            one = pydicom.Dataset()
            one.ContourGeometricType = more.get("type", "CLOSED_PLANAR")
            one.NumberOfContourPoints = len(points)
            one.ContourData = [f"{v:.12g}"[:16] for v in numpy.ravel(to_mm(slices, k, points))]
            contours.ContourSequence.append(one)
        file.StructureSetROISequence.append(described)
        file.ROIContourSequence.append(contours)
    return file


def to_mm(slices, k, points):
    """Of a place between slices, too."""
    first = slices[0]
    o = numpy.array(first.ImageOrientationPatient, float)
    origin = numpy.array(first.ImagePositionPatient, float)
    step = numpy.cross(o[:3], o[3:]) * float(first.SpacingBetweenSlices)
    rows, columns = map(float, first.PixelSpacing)
    points = numpy.asarray(points, float)
    return origin + k * step + points[:, :1] * columns * o[:3] + points[:, 1:] * rows * o[3:]


def fused(folder, *words):
    done = crema(folder, "fuse", *words, "-o", "out.nii", "--force", "--like", "ct", "--json", "out.json")
    return numpy.asarray(oracle("nibabel").load(folder / "out.nii").dataobj).T, done


def random_outlines(random, share=0.9):
    drawn = []
    for k in range(SHAPE[0]):
        for _ in range(random.integers(0, 3)):
            points = random.uniform(-0.4, [SHAPE[2] - 0.6, SHAPE[1] - 0.6], size=(random.integers(3, 9), 2))
            if random.random() < 0.5:
                points = numpy.round(points).clip(0)  # centres themselves
            drawn.append((k, numpy.round(points, 4)))  # to which coordinates are taken
    return drawn


def expected(drawn):
    return numpy.array([inside([p for k, p in drawn if k == z], SHAPE[1:]) for z in range(SHAPE[0])])


@pytest.mark.parametrize("seed", range(8))
def test_random_outlines_become_the_pixels_whose_centres_they_hold(tmp_path, seed):
    random = numpy.random.default_rng(seed)
    slices = series(SHAPE, oblique(seed) if seed % 2 else AXIAL)
    save_series(tmp_path / "ct", slices)
    drawn = {"tumour": random_outlines(random), "Ödem": random_outlines(random)}
    save(structures(slices, drawn, implicit=seed % 3 == 0), tmp_path / "rt.dcm")
    for name, outlines in drawn.items():
        voxels, done = fused(tmp_path, f"rt.dcm#{name}", "-m", "majority")
        assert numpy.array_equal(voxels, expected(outlines)), seed
    assert "a voxel is inside if its centre is (even-odd)" in " ".join(done.stderr.split())
    reply = " ".join(json.loads((tmp_path / "out.json").read_text())["warnings"])
    assert "a voxel is inside if its centre is (even-odd)" in reply


def test_readers_are_fused_structure_by_structure(tmp_path):
    """Three raters' structures as labels, and a structure of an RT file beside the same mask as NIfTI."""
    nibabel = oracle("nibabel")
    slices = series(SHAPE)
    save_series(tmp_path / "ct", slices)
    boxes = [[(k, [[x, 2], [x + 6, 2], [x + 6, 9], [x, 9]]) for k in (1, 2, 3)] for x in (1, 2, 3)]
    rest = [(4, [[0.5, 10.5], [4.5, 10.5], [4.5, 14.5], [0.5, 14.5]])]
    for name, drawn in zip("abc", boxes):
        save(structures(slices, {"organ": drawn, "node": rest, "nothing": []}), tmp_path / f"{name}.dcm")
    labels, _ = fused(tmp_path, "a.dcm", "b.dcm", "c.dcm", "--labels", "organ,node", "-m", "majority")
    votes = sum(expected(drawn).astype(int) for drawn in boxes)
    assert numpy.array_equal(labels == 1, votes >= 2) and numpy.array_equal(labels == 2, expected(rest))
    one, _ = fused(tmp_path, "a.dcm#organ", "-m", "majority")
    image = nibabel.load(tmp_path / "out.nii")
    nibabel.Nifti1Image(one.T.astype("u1"), image.affine).to_filename(tmp_path / "same.nii")
    both, _ = fused(tmp_path, "a.dcm#organ", "same.nii", "-m", "majority", "--tie", "background")
    assert numpy.array_equal(both, expected(boxes[0]))
    checked = crema(tmp_path, "check", "a.dcm#organ", "b.dcm#organ", "--like", "ct")
    assert str(int(expected(boxes[0]).sum())) in checked.stdout


def test_a_segmentation_of_the_series_is_written_from_outlines(tmp_path):
    slices = series(SHAPE)
    save_series(tmp_path / "ct", slices)
    drawn = [(2, [[1, 1], [9.2, 1.5], [8, 12], [2, 10]])]
    for name in "abc":
        save(structures(slices, {"organ": drawn}), tmp_path / f"{name}.dcm")
    crema(tmp_path, "fuse", "a.dcm", "b.dcm", "c.dcm", "-o", "seg.dcm", "--like", "ct")
    seg = oracle("pydicom").dcmread(tmp_path / "seg.dcm")
    assert seg.SegmentSequence[0].SegmentLabel == "organ"
    voxels, _ = fused(tmp_path, "seg.dcm", "-m", "majority")
    assert numpy.array_equal(voxels, expected(drawn))


BOX = [[1, 1], [5, 1], [5, 5], [1, 5]]


@pytest.mark.parametrize(
    "drawn, more, words, sentence",
    [
        ([(1, BOX)], {}, [], "is an RT structure set, whose outlines have no grid; give the image"),
        ([(1.5, BOX)], {}, ["--like", "ct"], "outline 1 of 'organ' lies between the slices of ct"),
        ([(1, BOX), (9, BOX)], {}, ["--like", "ct"], "outline 2 of 'organ' lies outside of ct"),
        ([(1, BOX)], {"frame": "1.2.3"}, ["--like", "ct"], "was drawn in the frame of reference 1.2.3, but ct has"),
        (
            [(1, BOX)],
            {"type": "POINT"},
            ["--like", "ct"],
            "without a structure of closed planar outlines; 'organ' has outlines of type POINT",
        ),
    ],
)
def test_what_cannot_be_drawn_is_refused(tmp_path, drawn, more, words, sentence):
    slices = series(SHAPE)
    save_series(tmp_path / "ct", slices)
    save(structures(slices, {"organ": drawn}, **more), tmp_path / "rt.dcm")
    done = crema(tmp_path, "fuse", "rt.dcm", "-o", "out.nii", *words, code=3)
    assert sentence in " ".join(done.stderr.split()) and not (tmp_path / "out.nii").exists()


def test_damage_is_refused_and_what_is_cut_off_is_said(tmp_path):
    slices = series(SHAPE)
    save_series(tmp_path / "ct", slices)
    out = [(1, [[-6, 2], [4, 2], [4, 6], [-6, 6]])]
    file = structures(slices, {"organ": out, "marker": [(0, [[1, 1]])]})
    file.ROIContourSequence[1].ContourSequence[0].ContourGeometricType = "POINT"
    save(file, tmp_path / "rt.dcm")
    voxels, done = fused(tmp_path, "rt.dcm", "-m", "majority")
    said = " ".join(done.stderr.split())
    assert numpy.array_equal(voxels, expected(out)) and "1 outline reaches beyond the grid" in said
    assert "'marker' has outlines of type POINT, which enclose no area; it is left out" in said
    contour = file.ROIContourSequence[0].ContourSequence[0]
    contour.NumberOfContourPoints = 5
    save(file, tmp_path / "bad.dcm")
    done = crema(tmp_path, "fuse", "bad.dcm", "--like", "ct", code=3)
    assert "has 12 numbers, not three for each of its 5 points" in " ".join(done.stderr.split())
    contour.NumberOfContourPoints = 4
    file.ROIContourSequence[0].ReferencedROINumber = 77
    save(file, tmp_path / "bad.dcm")
    done = crema(tmp_path, "fuse", "bad.dcm", "--like", "ct", code=3)
    assert "outlines of a structure 77 that is not described" in " ".join(done.stderr.split())


def test_a_structure_that_cannot_be_drawn_is_refused_only_where_it_is_chosen(tmp_path):
    slices = series(SHAPE)
    save_series(tmp_path / "ct", slices)
    drawn = {"liver": [(1, BOX)], "couch": [(40, BOX)], "between": [(1.5, BOX)], "iso": [(0, [[1, 1]])]}
    file = structures(slices, drawn)
    file.ROIContourSequence[3].ContourSequence[0].ContourGeometricType = "POINT"
    save(file, tmp_path / "rt.dcm")
    for words in (["rt.dcm#liver"], ["rt.dcm", "--labels", "liver"]):
        voxels, _ = fused(tmp_path, *words, "-m", "majority")
        assert numpy.array_equal(voxels, expected(drawn["liver"])), words
    for name, why in (
        ("couch", "outline 1 of 'couch' lies outside of ct"),
        ("between", "outline 1 of 'between' lies between the slices of ct"),
        ("iso", "'iso' has outlines of type POINT, which enclose no area"),
    ):
        done = crema(tmp_path, "fuse", f"rt.dcm#{name}", "-o", "no.nii", "--like", "ct", code=3)
        assert why in " ".join(done.stderr.split()), name
    done = crema(tmp_path, "fuse", "rt.dcm", "--labels", "all", "-o", "no.nii", "--like", "ct", code=3)
    assert "'couch' lies outside of ct" in " ".join(done.stderr.split())


def test_outlines_that_bound_no_area_are_left_out_with_a_warning(tmp_path):
    """A point that strayed into a structure, and outlines of one point and of two."""
    slices = series(SHAPE)
    save_series(tmp_path / "ct", slices)
    file = structures(slices, {"organ": [(1, BOX), (0, [[1, 1]]), (2, BOX[:1]), (2, BOX[:2])]})
    save(file, tmp_path / "few.dcm")
    voxels, done = fused(tmp_path, "few.dcm", "-m", "majority")
    assert numpy.array_equal(voxels, expected([(1, BOX)]))
    assert "3 outlines bound no area (fewer than three points) and are left out" in " ".join(done.stderr.split())
    del file.ROIContourSequence[0].ContourSequence[2:]
    file.ROIContourSequence[0].ContourSequence[1].ContourGeometricType = "POINT"
    save(file, tmp_path / "point.dcm")
    voxels, done = fused(tmp_path, "point.dcm", "-m", "majority")
    assert numpy.array_equal(voxels, expected([(1, BOX)]))
    assert "1 outline bounds no area (of the type POINT) and is left out" in " ".join(done.stderr.split())


def test_outlines_that_say_even_odd_are_filled_so(tmp_path):
    slices = series(SHAPE)
    save_series(tmp_path / "ct", slices)
    drawn = [(1, BOX), (1, [[2, 2], [4, 2], [4, 4], [2, 4]])]
    save(structures(slices, {"organ": drawn}, type="CLOSEDPLANAR_XOR"), tmp_path / "rt.dcm")
    voxels, _ = fused(tmp_path, "rt.dcm", "-m", "majority")
    assert numpy.array_equal(voxels, expected(drawn)) and voxels.sum() == 16 - 4
