# SPDX-License-Identifier: Apache-2.0
"""What `crema fuse` makes of good masks: images, record, summary."""

import json
import os
import re
import struct
import zlib
from pathlib import Path

import nibabel
import numpy
import pytest
from conftest import AFFINE, blob
from subject import VERSION

# The page is made from the table of methods, and a check sees to it that it is fresh.
PAGE = Path(__file__).resolve().parents[2] / "docs/methods.md"
METHODS = re.findall(r"^\| `([^`]+)` \|[^|]*\|[^|]*\| masks", PAGE.read_text(encoding="utf-8"), re.MULTILINE)


def voxels(path):
    return numpy.asanyarray(nibabel.load(path).dataobj)


def masks_of(tmp_path, raters):
    return [voxels(tmp_path / name) for name in raters]


def test_majority_and_average_are_what_numpy_says(crema, raters, tmp_path):
    assert crema("fuse", *raters, "-o", "results", "--method", "majority,average").code == 0
    mean = numpy.mean(masks_of(tmp_path, raters), axis=0)
    assert (voxels(tmp_path / "results/majority.nii.gz") == (mean > 0.5)).all()
    assert numpy.abs(voxels(tmp_path / "results/average.nii.gz") - mean).max() < 1e-6


def test_the_result_has_the_geometry_of_the_first_rater(crema, save, tmp_path):
    affine = numpy.array([[0.9, 0.1, 0, -12.5], [-0.1, 0.9, 0.2, 33], [0, -0.2, 2.5, 7], [0, 0, 0, 1]])
    names = [save(f"r{k}.nii.gz", blob(k), affine) for k in range(2)]
    assert crema("fuse", *names, "-o", "out.nii").code == 0
    out = nibabel.load(tmp_path / "out.nii")
    assert numpy.array_equal(out.affine, nibabel.load(tmp_path / names[0]).affine)
    assert out.get_data_dtype() == numpy.uint8


def test_equal_masks_give_that_mask(crema, save, tmp_path):
    names = [save(f"r{k}.nii.gz", blob(1)) for k in range(4)]
    assert crema("fuse", *names, "-o", "results", "--method", "all").code == 0
    for method in METHODS:
        levels = voxels(tmp_path / f"results/{method}.nii.gz")
        # One falls off smoothly at the surface, the other never takes raters to be perfect.
        soft = method in ("shape-soft", "local-staple")
        assert ((levels > 0.5 if soft else levels) == blob(1)).all(), method


def test_several_methods_make_a_folder_with_one_record(crema, raters, tmp_path):
    result = crema("fuse", *raters, "-o", "results", "--method", "all")
    assert result.code == 0, result
    assert sorted(os.listdir(tmp_path / "results")) == sorted([f"{m}.nii.gz" for m in METHODS] + ["record.json"])
    record = json.loads((tmp_path / "results/record.json").read_text())
    assert [entry["method"] for entry in record["results"]] == METHODS
    assert record["crema"] == VERSION
    for method in METHODS:
        assert crema("fuse", *raters, "-o", f"{method}.nii.gz", "--method", method).code == 0
        alone = (tmp_path / f"{method}.nii.gz").read_bytes()
        assert alone == (tmp_path / f"results/{method}.nii.gz").read_bytes(), method


def test_methods_named_twice_are_computed_once(crema, raters, tmp_path):
    assert crema("fuse", *raters, "-o", "results", "--method", "dice,MACCHIatO-J,jaccard").code == 0
    assert sorted(os.listdir(tmp_path / "results")) == ["dice.nii.gz", "jaccard.nii.gz", "record.json"]


@pytest.mark.parametrize("alias", ["MACCHIatO-D", "macchiato-d", "DICE", "dice"])
def test_paper_names_are_understood(crema, raters, tmp_path, alias):
    result = crema("fuse", *raters, "-o", "out.nii.gz", "-m", alias, "--json", "-")
    assert json.loads(result.out)["method"] == "dice"


def test_the_record_tells_of_the_run(crema, raters, tmp_path):
    result = crema("fuse", *raters, "-o", "out.nii.gz", "--json", "record.json")
    assert result.code == 0, result
    record = json.loads((tmp_path / "record.json").read_text())
    for field in [
        "crema",
        "command",
        "method",
        "connectivity",
        "raters",
        "grid",
        "components",
        "component_table",
        "lmsd",
        "voxels",
        "soft_volume",
        "entropy",
        "volume_mm3",
        "warnings",
        "run",
        "inputs",
    ]:
        assert field in record, field
    assert record["command"][1:] == ["fuse", *raters, "-o", "out.nii.gz", "--json", "record.json"]
    assert [rater["file"] for rater in record["raters"]] == raters
    assert [rater["voxels"] for rater in record["raters"]] == [int(m.sum()) for m in masks_of(tmp_path, raters)]
    assert record["voxels"] == int(voxels(tmp_path / "out.nii.gz").sum())
    assert record["volume_mm3"] == pytest.approx(3.0 * record["voxels"], rel=1e-12)
    assert record["components"] == len(record["component_table"]) == 2
    assert record["lmsd"] == pytest.approx(sum(row["criterion"] for row in record["component_table"]), abs=1e-12)
    assert record["output"] == "out.nii.gz"


def test_the_lmsd_of_the_record_is_that_of_the_image(crema, raters, tmp_path):
    result = crema("fuse", *raters, "-o", "out.nii.gz", "--method", "jaccard", "--json", "-")
    record = json.loads(result.out)
    consensus = voxels(tmp_path / "out.nii.gz") > 0
    total = 0.0
    for row in record["component_table"]:
        low, high = row["box"]["low"], row["box"]["high"]
        box = tuple(slice(a, b) for a, b in zip(low, high))
        squares = []
        for mask in masks_of(tmp_path, raters):
            a, b = mask[box] > 0, consensus[box]
            union = (a | b).sum()
            squares.append((1 - (a & b).sum() / union) ** 2 if union else 0.0)
        total += numpy.mean(squares)
    assert record["lmsd"] == pytest.approx(total, abs=1e-12)


def test_the_record_on_standard_output_is_all_there_is_on_it(crema, raters, tmp_path):
    result = crema("fuse", *raters, "-o", "out.nii.gz", "--json", "-")
    assert json.loads(result.out)["method"] == "jaccard"
    assert not (tmp_path / "-").exists()


def test_the_record_of_several_methods_goes_where_it_is_asked_to(crema, raters, tmp_path):
    result = crema("fuse", *raters, "-o", "results", "--method", "all", "--json", "-")
    assert len(json.loads(result.out)["results"]) == len(METHODS)
    assert not (tmp_path / "results/record.json").exists()


@pytest.mark.parametrize("arguments", [["--method", "all", "--tie", "foreground"], ["--method", "all", "--slice-wise"]])
def test_any_number_of_threads_gives_the_same_bytes(crema, tmp_path, arguments):
    assert crema("demo", "-o", "demo", "--kind", "lesions").code == 0
    demo = sorted(f"demo/{name}" for name in os.listdir(tmp_path / "demo"))
    for threads in ("1", "2", "3", "8"):
        assert crema("fuse", *demo, "-o", f"t{threads}", "--threads", threads, *arguments).code == 0
    for method in METHODS:
        images = {(tmp_path / f"t{threads}/{method}.nii.gz").read_bytes() for threads in ("1", "2", "3", "8")}
        assert len(images) == 1, method


def test_the_order_of_raters_does_not_matter(crema, raters, tmp_path):
    assert crema("fuse", *raters, "-o", "a.nii.gz").code == 0
    assert crema("fuse", *reversed(raters), "-o", "b.nii.gz").code == 0
    assert (voxels(tmp_path / "a.nii.gz") == voxels(tmp_path / "b.nii.gz")).all()


def slice_axis(crema, *arguments):
    result = crema("fuse", *arguments, "-o", "out.nii.gz", "--force", "--json", "-")
    assert result.code == 0, result
    record = json.loads(result.out)
    return record["slice_wise"], len(record["raters"])


def test_slice_wise_in_all_its_forms(crema, save, tmp_path):
    names = [save(name, blob(k)) for k, name in enumerate(["a.nii.gz", "xy.nii.gz", "b.nii.gz"])]
    os.rename(tmp_path / "b.nii.gz", tmp_path / "z")
    names[2] = "z"
    assert slice_axis(crema, *names) == (None, 3)
    assert slice_axis(crema, *names[:2], "--slice-wise") == ("z", 2)
    assert slice_axis(crema, "--slice-wise", *names[:2]) == ("z", 2)
    assert slice_axis(crema, "--slice-wise", "xy.nii.gz", "a.nii.gz") == ("z", 2)
    assert slice_axis(crema, "--slice-wise", "x", *names[:2]) == ("x", 2)
    assert slice_axis(crema, "--slice-wise=y", "z", "a.nii.gz") == ("y", 2)
    assert slice_axis(crema, "--slice-wise", "y", "z", "a.nii.gz") == ("y", 2)
    assert slice_axis(crema, "--slice-wise", "./z", "a.nii.gz") == ("z", 2)


def test_slice_wise_fuses_each_slice_alone(crema, raters, save, tmp_path):
    assert crema("fuse", *raters, "-o", "whole.nii.gz", "--slice-wise", "z").code == 0
    masks = masks_of(tmp_path, raters)
    for z in range(masks[0].shape[2]):
        names = [save(f"s{k}.nii.gz", m[:, :, z : z + 1]) for k, m in enumerate(masks)]
        assert crema("fuse", *names, "-o", "slice.nii.gz", "--force").code == 0
        whole = voxels(tmp_path / "whole.nii.gz")[:, :, z]
        assert (numpy.squeeze(voxels(tmp_path / "slice.nii.gz")) == whole).all(), z


def test_ties_follow_the_policy(crema, save, tmp_path):
    names = [save("a.nii.gz", blob(0)), save("b.nii.gz", blob(1))]
    assert crema("fuse", *names, "-o", "bg.nii.gz", "-m", "majority").code == 0
    assert crema("fuse", *names, "-o", "fg.nii.gz", "-m", "majority", "--tie", "foreground").code == 0
    assert (voxels(tmp_path / "bg.nii.gz") == (blob(0) & blob(1))).all()
    assert (voxels(tmp_path / "fg.nii.gz") == (blob(0) | blob(1))).all()


def test_threshold_and_label_choose_what_is_inside(crema, save, tmp_path):
    names = [save("p.nii.gz", blob(0) * numpy.float32(0.7) + numpy.float32(0.1)), save("q.nii.gz", blob(0))]
    assert crema("fuse", *names, "-o", "t.nii.gz", "--threshold", "0.5").code == 0
    assert (voxels(tmp_path / "t.nii.gz") == blob(0)).all()
    names = [save("l.nii.gz", blob(0) * 2 + (blob(2) & ~blob(0)) * 3), save("m.nii.gz", blob(0) * 2)]
    assert crema("fuse", *names, "-o", "l2.nii.gz", "--label", "2").code == 0
    assert (voxels(tmp_path / "l2.nii.gz") == blob(0)).all()


def test_flipped_axes_are_put_right_with_a_notice(crema, raters, save, tmp_path):
    flip = AFFINE.copy()
    flip[0, 0], flip[0, 3] = -1.0, 11.0
    save("flipped.nii.gz", numpy.ascontiguousarray(voxels(tmp_path / raters[1])[::-1]), flip)
    assert crema("fuse", *raters, "-o", "a.nii.gz").code == 0
    result = crema("fuse", raters[0], "flipped.nii.gz", raters[2], "-o", "b.nii.gz")
    assert result.code == 0 and "flipped.nii.gz" in result.err and "warning" in result.err, result
    assert (voxels(tmp_path / "a.nii.gz") == voxels(tmp_path / "b.nii.gz")).all()


def warnings(result):
    lines = result.err.splitlines()
    heads = [i for i, line in enumerate(lines) if line.endswith(("warning:", "warnings:"))]
    if not heads:
        return []
    found = lines[heads[0] + 1 :]
    assert int(lines[heads[0]].split()[0]) == len(found), result
    return found


def test_notices_are_counted_and_come_last(crema, save, raters, tmp_path):
    save("empty.nii.gz", numpy.zeros_like(blob(0)))
    save("big.nii.gz", blob(0) * 255)
    result = crema("fuse", raters[0], raters[0], "empty.nii.gz", "big.nii.gz", "-o", "o.nii.gz", "--json", "r.json")
    assert result.code == 0, result
    found = warnings(result)
    assert any("rater 2 is the same file as rater 1" in line for line in found), result
    assert any("empty.nii.gz" in line for line in found), result
    assert any("big.nii.gz" in line for line in found), result
    assert json.loads((tmp_path / "r.json").read_text())["warnings"] == [line.strip() for line in found]


def test_methods_together_give_what_each_gives_alone(crema, raters, tmp_path):
    """Images are written beside the next method's work, and painted over."""
    assert crema("fuse", *raters, "-o", "all", "-m", "paper").code == 0
    paths = sorted((tmp_path / "all").glob("*.nii.gz"))
    assert len(paths) == 10
    for path in paths:
        name = path.name.removesuffix(".nii.gz")
        assert crema("fuse", *raters, "-o", path.name, "-m", name, "--threads", "1").code == 0
        assert (tmp_path / path.name).read_bytes() == path.read_bytes(), name


def test_paper_stands_for_the_ten_methods_of_the_paper(crema, raters, tmp_path):
    assert crema("fuse", *raters, "-o", "ten", "-m", "paper").code == 0
    names = {path.name.split(".")[0] for path in (tmp_path / "ten").glob("*.nii.gz")}
    assert names == {
        "jaccard",
        "dice",
        "majority",
        "tanimoto",
        "soergel",
        "dice1",
        "dice2",
        "average",
        "staple",
        "ml-staple",
    }


def test_one_rater_is_taken_with_a_notice(crema, raters, tmp_path):
    result = crema("fuse", raters[0], "-o", "out.nii.gz")
    assert result.code == 0 and len(warnings(result)) == 1, result
    assert (voxels(tmp_path / "out.nii.gz") == voxels(tmp_path / raters[0])).all()


def test_sixty_four_raters_are_fused(crema, save, tmp_path):
    names = [save(f"r{k:02}.nii.gz", blob(k % 4)) for k in range(64)]
    result = crema("fuse", *names, "-o", "out.nii.gz", "-m", "majority", "--tie", "foreground")
    assert result.code == 0, result
    # Only four of the masks differ, and that is all there is to warning.
    assert len(warnings(result)) == 4 and all("identical to rater" in n for n in warnings(result)), result
    mean = numpy.mean([blob(k % 4) for k in range(64)], axis=0)
    assert (voxels(tmp_path / "out.nii.gz") == (mean >= 0.5)).all()


def test_all_empty_is_empty_and_has_no_nan(crema, save, tmp_path):
    names = [save(f"e{k}.nii.gz", numpy.zeros_like(blob(0))) for k in range(3)]
    result = crema("fuse", *names, "-o", "results", "-m", "all")
    assert result.code == 0, result
    assert "NaN" not in (tmp_path / "results/record.json").read_text()
    assert "nan" not in result.err
    for method in METHODS:
        assert not voxels(tmp_path / f"results/{method}.nii.gz").any(), method


def test_the_summary_says_what_was_done(crema, raters):
    result = crema("fuse", *raters, "-o", "out.nii.gz")
    assert result.out == ""
    for part in ("raters", "grid", "12 × 10 × 6", "1 × 1 × 3 mm", "components", "mm³", "LMSD", " s", "out.nii.gz"):
        assert part in result.err, part
    assert "\r" not in result.err and "\033" not in result.err


def test_quiet_says_nothing(crema, raters, tmp_path):
    result = crema("fuse", raters[0], "-o", "out.nii.gz", "--quiet", "--json", "r.json")
    assert (result.code, result.out, result.err) == (0, "", "")
    assert len(json.loads((tmp_path / "r.json").read_text())["warnings"]) == 1


def test_quiet_still_tells_errors(crema, raters):
    result = crema("fuse", raters[0], "none.nii.gz", "-o", "out.nii.gz", "-q")
    assert result.code == 3 and "none.nii.gz" in result.err


# PNG


def png_chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def save_png(path, mask):
    height, width = mask.shape
    rows = b"".join(b"\0" + row.tobytes() for row in mask.astype(numpy.uint8))
    header = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    path.write_bytes(
        b"\x89PNG\r\n\x1a\n"
        + png_chunk(b"IHDR", header)
        + png_chunk(b"IDAT", zlib.compress(rows))
        + png_chunk(b"IEND", b"")
    )


@pytest.fixture
def pictures(tmp_path):
    for k in range(3):
        save_png(tmp_path / f"p{k}.png", blob(k)[:, :, 2] * 255)
    return [f"p{k}.png" for k in range(3)]


def test_png_masks_are_fused_without_millimetres(crema, pictures, tmp_path):
    result = crema("fuse", *pictures, "-o", "results", "-m", "all", "--connectivity", "4")
    assert result.code == 0, result
    assert sorted(os.listdir(tmp_path / "results")) == sorted([f"{m}.png" for m in METHODS] + ["record.json"])
    assert " mm" not in result.err, result
    record = json.loads((tmp_path / "results/record.json").read_text())["results"][2]
    assert record["method"] == "majority" and record["voxels"] == int(blob(1)[:, :, 2].sum())
    assert crema("check", "results/jaccard.png").code == 0


def test_a_picture_may_become_a_nifti_file(crema, pictures, tmp_path):
    assert crema("fuse", *pictures, "-o", "out.nii.gz", "-m", "majority").code == 0
    assert int(voxels(tmp_path / "out.nii.gz").sum()) == int(blob(1)[:, :, 2].sum())
