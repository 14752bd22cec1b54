# SPDX-License-Identifier: Apache-2.0
"""Pictures whose colours stand for labels: --palette."""

import json

import numpy
import pytest
from cohort_kit import read_table

Image = pytest.importorskip("PIL.Image", reason="Pillow cannot be imported: left out")
tifffile = pytest.importorskip("tifffile", reason="tifffile cannot be imported: left out")

COLOURS = {0: (0, 0, 0), 1: (255, 0, 0), 7: (0, 128, 255)}
TABLE = "label,name,red,green,blue\n1,liver,255,0,0\n7,tumour,0,128,255\n"


def labels(rater):
    array = numpy.zeros((13, 17), numpy.uint8)
    array[2:9, 1 : 9 + rater] = 1
    array[4 + rater : 8, 5:12] = 7
    return array


def coloured(array):
    picture = numpy.zeros((*array.shape, 3), numpy.uint8)
    for label, colour in COLOURS.items():
        picture[array == label] = colour
    return picture


def save_png(path, picture, mode=None):
    image = Image.fromarray(picture)
    (image.convert(mode) if mode else image).save(path)
    return path.name


@pytest.fixture
def raters(tmp_path):
    (tmp_path / "classes.csv").write_text(TABLE)
    return [save_png(tmp_path / f"r{k}.png", coloured(labels(k))) for k in range(3)]


def read(path):
    return numpy.asarray(Image.open(path))


def plain(tmp_path, folder="plain"):
    """The same raters as label maps."""
    (tmp_path / folder).mkdir()
    return [save_png(tmp_path / folder / f"r{k}.png", labels(k)) and f"{folder}/r{k}.png" for k in range(3)]


def test_colours_are_fused_as_the_labels_they_stand_for(crema, tmp_path, raters):
    done = crema("fuse", *raters, "-o", "c.png", "--labels", "all", "--palette", "classes.csv", "--json", "r.json")
    assert done.code == 0, done
    assert crema("fuse", *plain(tmp_path), "-o", "p.png", "--labels", "all").code == 0
    assert numpy.array_equal(read(tmp_path / "c.png"), read(tmp_path / "p.png"))
    assert set(numpy.unique(read(tmp_path / "c.png"))) == {0, 1, 7}
    record = json.loads((tmp_path / "r.json").read_text())
    assert "classes.csv" in [one["path"] for one in record["inputs"]]
    assert [one["name"] for one in record["label_table"]] == ["liver", "tumour"]


def test_names_and_colours_reach_a_segmentation(crema, tmp_path, raters):
    done = crema("fuse", *raters, "-o", "c.seg.nrrd", "--labels", "tumour,liver", "--palette", "classes.csv")
    assert done.code == 0, done
    header = (tmp_path / "c.seg.nrrd").read_bytes().split(b"\n\n")[0].decode()
    assert "Segment0_Name:=liver" in header and "Segment1_Name:=tumour" in header
    assert "Segment1_Color:=0 0.501961 1" in header


@pytest.mark.parametrize("choice", [["--label", "7"], ["--segment", "tumour"]])
def test_one_colour_is_a_mask(crema, tmp_path, raters, choice):
    done = crema("fuse", *raters, "-o", "c.png", *choice, "--palette", "classes.csv")
    assert done.code == 0, done
    assert crema("fuse", *plain(tmp_path), "-o", "p.png", "--label", "7").code == 0
    assert numpy.array_equal(read(tmp_path / "c.png"), read(tmp_path / "p.png"))


def test_a_table_of_one_class_makes_masks(crema, tmp_path):
    (tmp_path / "one.csv").write_text("name,colour\ncell,#ff0000\n")
    names = [
        save_png(tmp_path / f"r{k}.png", coloured(numpy.where(labels(k) == 1, 1, 0).astype(numpy.uint8)))
        for k in range(3)
    ]
    done = crema("fuse", *names, "-o", "c.png", "--palette", "one.csv", "-m", "majority")
    assert done.code == 0, done
    votes = sum((labels(k) == 1).astype(int) for k in range(3))
    assert numpy.array_equal(read(tmp_path / "c.png") > 0, votes >= 2)


@pytest.mark.parametrize("form", ["rgb", "stack", "palette", "rgba16", "indexed png", "rgba png"])
def test_tiff_png_and_their_palettes_hold_the_same_labels(crema, tmp_path, raters, form):
    names = []
    for k in range(3):
        picture = coloured(labels(k))
        path = tmp_path / f"f{k}.{'png' if 'png' in form else 'tif'}"
        if form == "rgb":
            tifffile.imwrite(path, picture, photometric="rgb")
        elif form == "stack":
            tifffile.imwrite(path, numpy.stack([picture, 0 * picture]), photometric="rgb")
        elif form == "palette":
            table = numpy.zeros((3, 256), numpy.uint16)
            for label, colour in COLOURS.items():
                table[:, label] = [257 * part for part in colour]
            tifffile.imwrite(path, labels(k), photometric="palette", colormap=table)
        elif form == "rgba16":
            alpha = numpy.where(labels(k) == 0, 0, 65535).astype(numpy.uint16)
            wide = numpy.dstack([picture.astype(numpy.uint16) * 257, alpha])
            tifffile.imwrite(path, wide, photometric="rgb", extrasamples=["unassalpha"])
        elif form == "indexed png":
            image = Image.fromarray(labels(k))
            image.putpalette([part for number in range(8) for part in COLOURS.get(number, (9, 9, 9))])
            image.save(path)
        else:
            save_png(path, picture, "RGBA")
        names.append(path.name)
    first = crema("fuse", *raters, "-o", "a.nii.gz", "--labels", "all", "--palette", "classes.csv")
    done = crema("fuse", *names, "-o", "b.nii.gz", "--labels", "all", "--palette", "classes.csv")
    assert (first.code, done.code) == (0, 0), done
    import nibabel

    a, b = (numpy.asarray(nibabel.load(tmp_path / f"{name}.nii.gz").dataobj) for name in "ab")
    assert numpy.array_equal(numpy.squeeze(a), b[..., 0] if form == "stack" else numpy.squeeze(b))


def test_an_unknown_colour_is_refused_with_its_value_and_place(crema, tmp_path, raters):
    picture = coloured(labels(1))
    picture[3, 5] = (254, 1, 0)
    save_png(tmp_path / "r1.png", picture)
    done = crema("fuse", *raters, "-o", "c.png", "--labels", "all", "--palette", "classes.csv")
    assert done.code == 3 and "r1.png: the colour (254, 1, 0) of pixel (5, 3) is not in classes.csv" in done.err
    assert not (tmp_path / "c.png").exists()
    done = crema("check", *raters, "--labels", "all", "--palette", "classes.csv")
    assert done.code == 3 and "(254, 1, 0)" in done.out + done.err


def test_colours_without_a_table_are_refused_with_that_advice(crema, raters):
    done = crema("fuse", *raters, "-o", "c.png", "--labels", "all")
    assert done.code == 3 and "--palette" in done.err
    done = crema("fuse", *raters, "-o", "c.png", "--palette", "classes.csv")
    assert done.code == 3 and "--segment liver" in done.err and "--labels all" in done.err


def test_every_command_that_reads_masks_takes_a_table(crema, tmp_path, raters):
    flags = ["--labels", "all", "--palette", "classes.csv"]
    for command in (["check"], ["agreement"], ["compare"], ["fuse", "-o", "c.nii.gz"], ["report", "-o", "r.html"]):
        done = crema(*command, *raters, *flags)
        assert done.code == 0, done
    assert crema("certify", "c.nii.gz", *raters, "--distance", "jaccard", *flags).code == 0


def test_a_table_and_a_threshold_exclude_each_other(crema, raters):
    done = crema("fuse", *raters, "-o", "c.png", "--palette", "classes.csv", "--threshold", "3")
    assert done.code == 2 and "--palette and --threshold exclude each other" in done.err


def test_a_table_for_other_files_is_said_to_have_no_effect(crema, save, raters):
    names = [save(f"m{k}.nii.gz", (labels(k) == 1).astype(numpy.uint8)) for k in range(2)]
    done = crema("fuse", *names, "-o", "c.nii.gz", "--palette", "classes.csv")
    assert done.code == 0 and "no rater is a PNG or TIFF" in done.err


def test_a_cohort_pins_its_table(crema, tmp_path, raters):
    for case in ("p1", "p2"):
        (tmp_path / "data" / case).mkdir(parents=True)
        for k in range(3):
            save_png(tmp_path / "data" / case / f"r{k}.png", coloured(labels(k)))
    run = ["cohort", "run", "data", "-o", "run", "--layout", "cases", "--labels", "all", "--palette", "classes.csv"]
    done = crema(*run)
    assert done.code == 0, done
    assert {row["label"] for row in read_table(tmp_path / "run/cases.csv")} == {"liver", "tumour"}
    assert "2 already there" in crema(*run).out
    (tmp_path / "classes.csv").write_text(TABLE.replace("tumour", "cyst"))
    done = crema(*run)
    assert done.code == 2 and "another content" in done.err
