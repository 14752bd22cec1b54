# SPDX-License-Identifier: Apache-2.0
"""Each refusal: its exit code, the file and the reason in its sentence, and nothing left behind."""

import os
import subprocess

import nibabel
import numpy
import pytest
from conftest import AFFINE, PATIENCE, blob


def refused(result, code, *parts):
    assert result.code == code, result
    sentences = [line for line in result.err.splitlines() if line.startswith("crema: ")]
    # An error is told first and last, so that warnings do not bury it.
    assert len(set(sentences)) == 1, result
    for part in parts:
        assert part in sentences[0], result
    assert "bug" not in result.err, result


@pytest.fixture
def fuse(crema, nothing_new):
    def run(*arguments):
        nothing_new.start()
        result = crema("fuse", *arguments)
        nothing_new.check()
        return result

    return run


def test_sizes_that_differ(fuse, save, raters):
    between = AFFINE.copy()
    between[0, 3] = 0.5
    save("other.nii.gz", numpy.ones((12, 10, 7), numpy.uint8), between)
    result = fuse(*raters, "other.nii.gz", "-o", "out.nii.gz")
    refused(result, 3, "other.nii.gz", "rater-1.nii.gz", "12×10×7", "12×10×6")


def test_grids_far_apart(fuse, save, raters):
    moved = AFFINE.copy()
    moved[0, 3] = 90.4
    save("other.nii.gz", blob(0), moved)
    refused(fuse(*raters, "other.nii.gz", "-o", "out.nii.gz"), 3, "other.nii.gz", "rater-1.nii.gz")


@pytest.mark.parametrize("keep", [0.5, 0.99])
def test_a_gzip_file_that_was_cut(fuse, raters, tmp_path, keep):
    data = (tmp_path / raters[1]).read_bytes()
    (tmp_path / "cut.nii.gz").write_bytes(data[: int(len(data) * keep)])
    refused(fuse(raters[0], "cut.nii.gz", "-o", "out.nii.gz"), 3, "cut.nii.gz")


def test_a_bit_flipped(fuse, raters, tmp_path):
    data = bytearray((tmp_path / raters[1]).read_bytes())
    data[-5] ^= 0x10
    (tmp_path / "flip.nii.gz").write_bytes(data)
    refused(fuse(raters[0], "flip.nii.gz", "-o", "out.nii.gz"), 3, "flip.nii.gz")


def test_the_first_faulty_rater_is_named_whatever_the_threads(fuse, raters, tmp_path):
    data = (tmp_path / raters[1]).read_bytes()
    for name in ("cut-1.nii.gz", "cut-2.nii.gz", "cut-3.nii.gz"):
        (tmp_path / name).write_bytes(data[:-6])
    for _ in range(5):
        result = fuse(raters[0], "cut-1.nii.gz", "cut-2.nii.gz", "cut-3.nii.gz", "-o", "o.nii.gz", "--threads", "4")
        refused(result, 3, "cut-1.nii.gz")


def test_a_probability_map(fuse, save, raters):
    save("map.nii.gz", numpy.linspace(0, 1, 720, dtype=numpy.float32).reshape(12, 10, 6))
    refused(fuse(raters[0], "map.nii.gz", "-o", "out.nii.gz"), 3, "map.nii.gz", "--threshold")


def test_several_labels(fuse, save, raters):
    labels = blob(0)
    labels[3, 3, 2] = 2
    save("labels.nii.gz", labels)
    refused(fuse(raters[0], "labels.nii.gz", "-o", "out.nii.gz"), 3, "labels.nii.gz", "--label")


def test_nan(fuse, save, raters):
    mask = blob(0).astype(numpy.float32)
    mask[0, 0, 0] = numpy.nan
    save("nan.nii.gz", mask)
    refused(fuse(raters[0], "nan.nii.gz", "-o", "out.nii.gz"), 3, "nan.nii.gz")


def test_no_rater_at_all(fuse):
    refused(fuse("-o", "out.nii.gz"), 2, "RATER", "crema fuse --help")


def test_sixty_five_raters(fuse, raters):
    refused(fuse(*[raters[0]] * 65, "-o", "out.nii.gz"), 3, "65", "64")


def test_a_file_that_is_not_there(fuse, raters):
    refused(fuse(raters[0], "none.nii.gz", "-o", "out.nii.gz"), 3, "none.nii.gz")


def test_a_folder_as_rater(fuse, raters, tmp_path):
    (tmp_path / "folder").mkdir()
    refused(fuse(raters[0], "folder", "-o", "out.nii.gz"), 3, "folder")


def test_an_image_too_large_for_the_memory(fuse, raters):
    refused(fuse(*raters, "-o", "out.nii.gz", "--max-memory", "1K"), 6, "--max-memory")


def test_output_that_exists(fuse, crema, raters, tmp_path):
    (tmp_path / "out.nii.gz").write_text("precious")
    refused(fuse(*raters, "-o", "out.nii.gz"), 2, "out.nii.gz", "--force")
    assert (tmp_path / "out.nii.gz").read_text() == "precious"
    assert crema("fuse", *raters, "-o", "out.nii.gz", "--force").code == 0
    assert (tmp_path / "out.nii.gz").read_bytes()[:2] == b"\x1f\x8b"


@pytest.mark.parametrize("force", [[], ["--force"]])
def test_output_that_is_an_input(fuse, raters, tmp_path, force):
    os.link(tmp_path / raters[1], tmp_path / "alias.nii.gz")
    before = (tmp_path / raters[1]).read_bytes()
    refused(fuse(*raters, "-o", "alias.nii.gz", *force), 2, "alias.nii.gz")
    refused(fuse(*raters, "-o", raters[0], *force), 2, raters[0])
    refused(fuse(*raters, "-o", "out.nii.gz", "--json", raters[0], *force), 2, raters[0])
    assert (tmp_path / raters[1]).read_bytes() == before


@pytest.mark.parametrize("half", ["pair.hdr", "pair.img"])
def test_a_record_over_half_of_a_pair(fuse, raters, tmp_path, half):
    nibabel.Nifti1Pair(blob(0), AFFINE).to_filename(tmp_path / "pair.hdr")
    before = (tmp_path / half).read_bytes()
    result = fuse("pair.hdr", raters[1], "-o", "out.nii.gz", "--json", half, "--force")
    refused(result, 2, half)
    assert (tmp_path / half).read_bytes() == before


def test_a_folder_that_is_missing(fuse, raters):
    refused(fuse(*raters, "-o", "no/where/out.nii.gz"), 4, "no/where")
    refused(fuse(*raters, "-o", "no/where/results", "--method", "all"), 4, "no/where")
    refused(fuse(*raters, "-o", "out.nii.gz", "--json", "no/where.json"), 4, "no")


def test_a_file_where_a_folder_is_needed(fuse, raters, tmp_path):
    (tmp_path / "file").write_text("x")
    refused(fuse(*raters, "-o", "file/out.nii.gz"), 4, "file")
    refused(fuse(*raters, "-o", "file", "--method", "all"), 2, "file")
    refused(fuse(*raters, "-o", "file/results", "--method", "all"), 4, "file")


def test_a_folder_that_may_not_be_written(fuse, raters, tmp_path):
    if os.geteuid() == 0:
        pytest.skip("root may write everywhere")
    (tmp_path / "closed").mkdir(mode=0o500)
    refused(fuse(*raters, "-o", "closed/out.nii.gz"), 4, "closed")
    refused(fuse(*raters, "-o", "closed/results", "--method", "all"), 4, "closed")


def test_a_folder_where_a_file_is_needed(fuse, raters, tmp_path):
    (tmp_path / "folder").mkdir()
    refused(fuse(*raters, "-o", "folder"), 2, "folder", "jaccard.nii.gz")
    refused(fuse(*raters, "-o", "new/"), 2, "new")
    refused(fuse(*raters, "-o", "out.nii.gz", "--json", "folder"), 2, "folder")


def test_an_image_name_where_a_folder_is_needed(fuse, raters):
    refused(fuse(*raters, "-o", "out.nii.gz", "--method", "all"), 2, "out.nii.gz", "folder")


def test_a_record_in_the_place_of_the_image(fuse, raters):
    refused(
        fuse(*raters, "-o", "out.nii.gz", "--json", "./out.nii.gz"),
        2,
        "out.nii.gz",
        "cannot hold both the image and the record",
    )


def test_a_record_that_exists(fuse, raters, tmp_path):
    (tmp_path / "record.json").write_text("precious")
    refused(fuse(*raters, "-o", "out.nii.gz", "--json", "record.json"), 2, "record.json", "--force")
    assert (tmp_path / "record.json").read_text() == "precious"


def test_results_that_exist_in_the_folder(crema, fuse, raters, tmp_path):
    assert crema("fuse", *raters, "-o", "results", "--method", "dice,average").code == 0
    refused(fuse(*raters, "-o", "results", "--method", "jaccard,dice"), 2, "dice.nii.gz", "--force")
    assert not (tmp_path / "results" / "jaccard.nii.gz").exists()
    assert crema("fuse", *raters, "-o", "results", "--method", "jaccard,dice", "--force").code == 0


def test_an_ending_that_says_no_format(fuse, raters):
    refused(fuse(*raters, "-o", "out.xyz"), 2, "out.xyz")


def test_a_volume_as_png(fuse, raters):
    refused(fuse(*raters, "-o", "out.png"), 2, "out.png")


def test_a_standard_output_that_is_full(program):
    with open("/dev/full", "wb") as full:
        done = subprocess.run([program, "methods"], stdout=full, stderr=subprocess.PIPE, timeout=PATIENCE)
    assert done.returncode == 4
    assert b"standard output" in done.stderr


@pytest.mark.parametrize("connectivity", ["4", "8"])
def test_a_flat_neighbourhood_on_a_volume(fuse, raters, connectivity):
    refused(fuse(*raters, "-o", "out.nii.gz", "--connectivity", connectivity), 3, connectivity)


def test_a_neighbourhood_that_does_not_exist(fuse, raters):
    refused(fuse(*raters, "-o", "out.nii.gz", "--connectivity", "7"), 2, "--connectivity", "7", "26")


@pytest.mark.parametrize(
    "typed, meant",
    [("jacard", "jaccard"), ("MACCHIATO-K", "jaccard"), ("averge", "average"), ("dice,majorty", "majority")],
)
def test_a_method_with_a_typing_error(fuse, raters, typed, meant):
    refused(fuse(*raters, "-o", "out.nii.gz", "--method", typed), 2, meant)


@pytest.mark.parametrize(
    "typed, meant",
    [("--ouput", "--output"), ("--threds=2", "--threads"), ("--slicewise", "--slice-wise"), ("--fore", "--force")],
)
def test_an_option_with_a_typing_error(fuse, raters, typed, meant):
    refused(fuse(*raters, typed), 2, f"Did you mean {meant}?", "crema fuse --help")


def test_a_command_with_a_typing_error(crema):
    refused(crema("fues"), 2, "fues", "Did you mean fuse?")


@pytest.mark.parametrize(
    "arguments, parts",
    [
        (["--threads", "0"], ["--threads", "0"]),
        (["--threads", "many"], ["--threads", "many"]),
        (["--threads", "1", "--threads", "2"], ["--threads", "more than once"]),
        (["--threshold", "0,5"], ["--threshold", "0,5"]),
        (["--threshold", "nan"], ["--threshold", "nan"]),
        (["--label", "1", "--threshold", "0.5"], ["--label", "--threshold"]),
        (["--tie", "backgroud"], ["--tie", "background"]),
        (["--max-memory", "4 apples"], ["--max-memory", "4 apples"]),
        (["--slice-wise=w"], ["--slice-wise", "w"]),
        (["--force=no"], ["--force"]),
        (["--json"], ["--json", "value"]),
        (["--json", ""], ["--json", "empty"]),
    ],
)
def test_values_that_make_no_sense(fuse, raters, arguments, parts):
    refused(fuse(*raters, "-o", "out.nii.gz", *arguments), 2, *parts)
