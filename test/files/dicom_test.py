# SPDX-License-Identifier: Apache-2.0
"""What highdicom and pydicom write as DICOM segmentations, crema must read voxel for voxel.

Run with the program's path in the environment: CREMA=…/crema python3 -m pytest test/files/dicom_test.py
Where an oracle or the real files cannot be had, their tests are skipped, by name.
"""

from pathlib import Path

import numpy
import pytest
from dicom_kit import AXIAL, CREMA, affine_of, crema, oblique, oracle, save, save_series, segmentation, series

pytestmark = pytest.mark.skipif(not CREMA, reason="set CREMA to the path of the program")
REAL = Path(__file__).resolve().parents[3] / "shared" / "data" / "dicom"


def read(path):
    """Voxels as [z, y, x], and the affine."""
    image = oracle("nibabel").load(path)
    return numpy.asarray(image.dataobj).T, image.affine


def fused(folder, *words):
    crema(folder, "fuse", *words, "-o", "out.nii", "--method", "majority", "--force")
    return read(folder / "out.nii")


def drawn(masks):
    """First and last slice on which anything is drawn."""
    found = numpy.flatnonzero(masks.reshape(masks.shape[0], -1).any(axis=1))
    return found[0], found[-1] + 1


def sparse(random, shape, segments, share=0.4):
    """Segments that overlap; slices at both ends and one in between are empty."""
    masks = (random.random((*shape, segments)) < share).astype("u1")
    masks[[0, shape[0] // 2, -1]] = 0
    return masks


@pytest.mark.parametrize("implicit", [False, True])
@pytest.mark.parametrize(
    "shape, seed", [((6, 9, 7), 1), ((7, 5, 3), 2), ((6, 8, 16), 3), ((5, 1, 13), 4), ((8, 11, 1), 5)]
)
def test_segments_of_odd_sizes_come_voxel_for_voxel(tmp_path, shape, seed, implicit):
    random = numpy.random.default_rng(seed)
    slices = series(shape, oblique(seed) if seed % 2 else AXIAL)
    masks = sparse(random, shape, 3)
    names = ["liver", "tumour", "vessel"]
    save(segmentation(slices, masks, names, implicit=implicit), tmp_path / "a.dcm")
    low, high = drawn(masks)
    wanted = affine_of(slices)
    wanted[:3, 3] += low * wanted[:3, 2]
    for s, name in enumerate(names):
        voxels, affine = fused(tmp_path, f"a.dcm#{name}")
        numpy.testing.assert_array_equal(voxels, masks[low:high, ..., s])
        numpy.testing.assert_allclose(affine, wanted, atol=1e-4)


def test_readers_who_drew_on_different_slices_lie_on_one_grid(tmp_path):
    random = numpy.random.default_rng(6)
    slices = series((9, 6, 5))
    masks = (random.random((3, 9, 6, 5)) < 0.6).astype("u1")
    for k in range(3):
        masks[k, : k + 1], masks[k, k + 6 :] = 0, 0  # as many slices each, but not the same
        save(segmentation(slices, masks[k][..., None], ["liver"]), tmp_path / f"r{k}.dcm")
    voxels, _ = fused(tmp_path, "r0.dcm", "r1.dcm", "r2.dcm")
    numpy.testing.assert_array_equal(voxels, (masks.sum(axis=0) >= 2)[1:8])


@pytest.mark.parametrize("drawn_on", [(2, 4, 6), (2, 5), (2, 4, 7), (4,)])
def test_sparse_frames_without_a_stated_spacing_lie_on_the_slices_of_the_series(tmp_path, drawn_on):
    slices = series((9, 6, 5), oblique(len(drawn_on)))
    save_series(tmp_path / "ct", slices)
    masks = numpy.zeros((9, 6, 5), "u1")
    masks[list(drawn_on), 1:4, 2:5] = 1
    file = segmentation(slices, masks[..., None], ["liver"])
    measures = file.SharedFunctionalGroupsSequence[0].PixelMeasuresSequence[0]
    del measures.SpacingBetweenSlices
    save(file, tmp_path / "a.dcm")
    voxels, affine = fused(tmp_path, "a.dcm", "--like", "ct")
    numpy.testing.assert_array_equal(voxels, masks)
    numpy.testing.assert_allclose(affine, affine_of(slices), atol=1e-4)
    measures.SliceThickness = slices[0].SpacingBetweenSlices
    save(file, tmp_path / "a.dcm")
    voxels, _ = fused(tmp_path, "a.dcm")
    numpy.testing.assert_array_equal(voxels.reshape(-1, 6, 5), masks[drawn_on[0] : drawn_on[-1] + 1])


def test_slices_left_out_are_no_warning_and_another_frame_of_reference_is_one(tmp_path):
    slices = series((9, 6, 5))
    masks = numpy.ones((9, 6, 5, 2), "u1")
    masks[0] = masks[7:] = 0
    names = ["liver", "tumour"]
    save(segmentation(slices, masks, names), tmp_path / "a.dcm")
    masks[6] = 0
    other = segmentation(slices, masks, names)
    save(other, tmp_path / "b.dcm")
    fuse = ("fuse", "a.dcm", "b.dcm", "--labels", "all", "-o", "out.seg.nrrd", "--force")
    said = crema(tmp_path, *fuse).stderr
    assert "padded" not in said and "frame of reference" not in said
    other.FrameOfReferenceUID = "1.2.3.4"
    save(other, tmp_path / "b.dcm")
    said = " ".join(crema(tmp_path, *fuse).stderr.split())
    assert said.count("b.dcm: lies in the frame of reference 1.2.3.4, but a.dcm in") == 1
    save_series(tmp_path / "ct", slices)
    said = " ".join(crema(tmp_path, "fuse", "b.dcm#liver", "--like", "ct").stderr.split())
    assert "b.dcm: lies in the frame of reference 1.2.3.4, but ct in" in said


@pytest.mark.parametrize("most", [1, 2, 49, 100, 255])
def test_fractions_are_cut_where_the_threshold_says(tmp_path, most):
    random = numpy.random.default_rng(most)
    stored = random.integers(0, most + 1, (4, 5, 7))
    stored[:, 0, 0] = most
    levels = stored / most
    file = segmentation(series((4, 5, 7)), levels[..., None], ["liver"], kind="FRACTIONAL", max_fractional_value=most)
    save(file, tmp_path / "a.dcm")
    for cut in (0.5, 0.57, 0.99):
        voxels, _ = fused(tmp_path, "a.dcm", "--threshold", cut)
        numpy.testing.assert_array_equal(voxels, stored / most > cut)
    if most > 1:
        assert "--threshold" in crema(tmp_path, "fuse", "a.dcm", "-o", "no.nii", code=3).stderr


def test_fractions_of_any_whole_are_exact_quotients(tmp_path):
    """All stored values of every fifth whole that a file can have."""
    stored = numpy.arange(256).reshape(1, 16, 16)
    slices = series((1, 16, 16))
    file = segmentation(slices, (stored / 255)[..., None], ["liver"], kind="FRACTIONAL", max_fractional_value=255)
    for most in (*range(1, 256, 5), 255):
        file.MaximumFractionalValue = most
        file.PixelData = numpy.minimum(stored, most).astype("u1").tobytes()
        save(file, tmp_path / "a.dcm")
        words = ("a.dcm", "--probabilities", "-m", "average", "-o", "out.nii", "-q", "--force", "--floor", "0")
        crema(tmp_path, "fuse", *words)
        levels, _ = read(tmp_path / "out.nii")
        expected = (numpy.minimum(stored, most) / most).astype("f4")
        numpy.testing.assert_array_equal(levels.reshape(stored.shape), expected, err_msg=str(most))


def test_a_fraction_above_the_whole_is_refused(tmp_path):
    levels = numpy.zeros((2, 3, 5, 1))
    levels[1, 2, 4] = 1
    file = segmentation(series((2, 3, 5)), levels, ["liver"], kind="FRACTIONAL", max_fractional_value=200)
    file.MaximumFractionalValue = 100
    save(file, tmp_path / "a.dcm")
    for words in ((), ("--threshold", 0.5), ("--probabilities", "-m", "average"), ("--labels", "all")):
        done = crema(tmp_path, "fuse", "a.dcm", *words, code=3)
        assert "holds the fraction 200, but its largest fraction (0062,000E) is 100" in " ".join(done.stderr.split())


def test_levels_of_several_segments_are_fused_one_at_a_time(tmp_path):
    random = numpy.random.default_rng(7)
    names = [f"r{k}.dcm" for k in range(3)]
    levels = numpy.round(random.random((3, 4, 7, 5, 2)) * 200) / 200
    for name, own in zip(names, levels, strict=True):
        file = segmentation(series((4, 7, 5)), own, ["liver", "tumour"], kind="FRACTIONAL", max_fractional_value=200)
        save(file, tmp_path / name)
    fuse = ("fuse", *names, "--probabilities", "--floor", "0", "-m", "average", "-o", "out.nii", "--force")
    for s, segment in enumerate(("liver", "tumour")):
        crema(tmp_path, *fuse, "--segment", segment)
        found, _ = read(tmp_path / "out.nii")
        numpy.testing.assert_allclose(found, levels[..., s].mean(axis=0), atol=1e-6)
    crema(tmp_path, "fuse", names[0], *fuse[4:], "--segments-are", "raters")
    found, _ = read(tmp_path / "out.nii")
    numpy.testing.assert_allclose(found, levels[0].mean(axis=-1), atol=1e-6)
    said = crema(tmp_path, *fuse, code=3).stderr
    assert "--segment liver or r0.dcm#liver, or give --segments-are raters" in said
    assert (
        "leave out --labels and choose one with --segment liver"
        in crema(tmp_path, *fuse, "--labels", "all", code=3).stderr
    )


@pytest.mark.parametrize("kind", ["LABELMAP", "BINARY"])
def test_labels_are_fused_by_name(tmp_path, kind):
    random = numpy.random.default_rng(8)
    slices = series((4, 7, 5))
    maps = random.integers(0, 3, (3, 4, 7, 5)).astype("u1")
    for k in range(3):
        save(segmentation(slices, maps[k], ["liver", "tumour"], kind=kind), tmp_path / f"r{k}.dcm")
    for name, value in (("liver", 1), ("tumour", 2)):
        voxels, _ = fused(tmp_path, "r0.dcm", "r1.dcm", "r2.dcm", "--segment", name)
        numpy.testing.assert_array_equal(voxels, (maps == value).sum(axis=0) >= 2)
    voxels, _ = fused(tmp_path, "r0.dcm", "--labels", "all")
    numpy.testing.assert_array_equal(voxels, maps[0])


def test_overlapping_segments_stay_apart(tmp_path):
    random = numpy.random.default_rng(9)
    masks = (random.random((4, 6, 5, 2)) < 0.6).astype("u1")
    save(segmentation(series((4, 6, 5)), masks, ["liver", "tumour"]), tmp_path / "a.dcm")
    crema(tmp_path, "fuse", "a.dcm", "--labels", "all", "-o", "out.seg.nrrd", "--method", "majority")
    for s, name in enumerate(("liver", "tumour")):
        voxels, _ = fused(tmp_path, f"out.seg.nrrd#{name}")
        numpy.testing.assert_array_equal(voxels, masks[..., s])


def test_advice_quotes_names_with_blanks(tmp_path):
    masks = numpy.ones((6, 9, 7, 2), "u1")
    save(segmentation(series(), masks, ["my first organ", "liver"]), tmp_path / "a.dcm")
    said = " ".join(crema(tmp_path, "fuse", "a.dcm", "-o", "out.nii", code=3).stderr.split())
    assert "choose one with --segment 'my first organ' or 'a.dcm#my first organ', take" in said


def test_what_is_no_folder_of_a_series_is_said(tmp_path):
    slices = series()
    save(segmentation(slices, numpy.ones((6, 9, 7, 1), "u1"), ["liver"]), tmp_path / "a.dcm")
    save_series(tmp_path / "ct", slices)
    (tmp_path / "study").mkdir()
    (tmp_path / "ct").rename(tmp_path / "study/ct")
    enhanced = slices[0].copy()
    enhanced.file_meta.MediaStorageSOPClassUID = enhanced.SOPClassUID = "1.2.840.10008.5.1.4.1.1.2.1"
    del enhanced.ImagePositionPatient, enhanced.ImageOrientationPatient
    for name in ("enhanced", "bare"):
        (tmp_path / name).mkdir()
    save(enhanced, tmp_path / "enhanced/0.dcm")
    bare = sorted((tmp_path / "study/ct").iterdir())[0].read_bytes()[132:]
    (tmp_path / "bare/0.dcm").write_bytes(bare)

    def why(like):
        return " ".join(crema(tmp_path, "fuse", "a.dcm", "-o", "no.nii", "--like", like, code=3).stderr.split())

    assert "or name its folder, study/ct, where its series is meant" in why("study/ct/slice001.dcm")
    assert "but with subfolders, such as ct; name the one" in why("study")
    assert "0.dcm holds an enhanced CT image; convert it to NIfTI" in why("enhanced")
    assert "0.dcm has no preamble; write its files again with 'dcmconv'" in why("bare")
    assert "is a DICOM file without its preamble" in why("bare/0.dcm")


def test_a_series_is_refused_as_no_segmentation(tmp_path):
    save(series((1, 4, 4))[0], tmp_path / "ct.dcm")
    assert "a CT image" in crema(tmp_path, "fuse", "ct.dcm", "-o", "no.nii", code=3).stderr


def real(name):
    if not (REAL / name).exists():
        pytest.skip(f"{name}: the real segmentations are not here")
    return REAL / name


@pytest.mark.parametrize(
    "file, truth",
    [
        ("dcmqi/liver.dcm", "dcmqi/liver_seg.nrrd"),
        ("dcmqi/23x38x3/seg/label.seg", "dcmqi/23x38x3/nrrd/label.nrrd"),
        ("dcmqi/24x38x3/seg/label.seg", "dcmqi/24x38x3/nrrd/label.nrrd"),
    ],
)
def test_files_of_dcmqi_hold_what_it_says(tmp_path, file, truth):
    voxels, affine = fused(tmp_path, real(file))
    wanted, place = fused(tmp_path, real(truth))
    numpy.testing.assert_array_equal(voxels, wanted)
    numpy.testing.assert_allclose(affine, place, atol=1e-3)


@pytest.mark.parametrize(
    "name", ["binary", "binary_overlap", "binary_fractional", "binary_single_frame", "true_fractional"]
)
def test_files_of_highdicom_hold_what_it_reads(tmp_path, name):
    pydicom = oracle("pydicom")
    path = real(f"highdicom/seg_image_ct_{name}.dcm")
    file = pydicom.dcmread(path)
    frames = file.pixel_array.reshape(-1, file.Rows, file.Columns) / float(file.get("MaximumFractionalValue", 1))
    groups = file.PerFrameFunctionalGroupsSequence
    heights = [round(float(g.PlanePositionSequence[0].ImagePositionPatient[2]), 3) for g in groups]
    owners = [g.SegmentIdentificationSequence[0].ReferencedSegmentNumber for g in groups]
    for segment in file.SegmentSequence:
        chosen = ["--segment", segment.SegmentLabel, "--threshold", "0.25"]
        voxels, affine = fused(tmp_path, path, *chosen)
        voxels = voxels.reshape(-1, *voxels.shape[-2:])
        wanted = numpy.zeros(voxels.shape, "u1")
        for frame, height, owner in zip(frames, heights, owners, strict=True):
            if owner == segment.SegmentNumber:
                wanted[round((height - affine[2, 3]) / affine[2, 2])] = frame > 0.25
        numpy.testing.assert_array_equal(voxels, wanted)


@pytest.mark.parametrize("name", ["control", "control_labelmap", "dots", "dots_tiled_full", "numbers"])
def test_slides_are_refused_as_tiled(tmp_path, name):
    path = real(f"highdicom/seg_image_sm_{name}.dcm")
    assert "tiled" in crema(tmp_path, "fuse", path, "-o", "no.nii", code=3).stderr
