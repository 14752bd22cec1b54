# SPDX-License-Identifier: Apache-2.0
"""Several labels at once, through the program."""

import itertools
import json
import pathlib
import re

import nibabel
import numpy
import pytest

SIZE = (24, 20, 8)


def ball(centre, radius):
    at = numpy.indices(SIZE)
    return sum((at[a] - centre[a]) ** 2 * (4 if a == 2 else 1) for a in range(3)) < radius**2


def liver_and_tumour(seed, raters=3):
    """Raters who disagree about where a tumour (2) ends and the liver (1) around it begins."""
    random = numpy.random.default_rng(seed)
    maps = []
    for _ in range(raters):
        labels = numpy.zeros(SIZE, numpy.uint8)
        labels[ball((11 + random.integers(-1, 2), 10, 4), 8 + random.integers(-1, 2))] = 1
        labels[ball((14 + random.integers(-1, 2), 10 + random.integers(-1, 2), 4), 4 + random.integers(-1, 2))] = 2
        maps.append(labels)
    return maps


@pytest.fixture
def label_maps(save):
    return [save(f"rater-{k + 1}.nii.gz", labels) for k, labels in enumerate(liver_and_tumour(1))]


def load(folder, name):
    image = nibabel.load(folder / name)
    return numpy.asanyarray(image.dataobj), image


def test_one_label_map_comes_out(crema, label_maps, tmp_path):
    done = crema("fuse", *label_maps, "-o", "out.nii.gz", "--labels", "all", "--json", "record.json")
    assert done.code == 0, done.err
    labels, image = load(tmp_path, "out.nii.gz")
    assert labels.dtype == numpy.uint8
    assert set(numpy.unique(labels)) == {0, 1, 2}
    assert image.header["cal_max"] == 2
    record = json.loads((tmp_path / "record.json").read_text())
    for row in record["label_table"]:
        assert row["voxels"] == (labels == row["label"]).sum()
        assert row["lmsd"] == pytest.approx(sum(part["criterion"] for part in row["component_table"]))
    assert record["lmsd"] == pytest.approx(sum(row["lmsd"] for row in record["label_table"]))
    assert record["claimed_twice"] == sum(block["voxels"] for block in record["disputes"])
    for block in record["disputes"]:
        assert labels[tuple(block["first"])] == block["given"]
    assert "disputed" in done.err and "unlabelled" in done.err


def test_the_criterion_is_that_of_the_paper(crema, label_maps, tmp_path):
    assert crema("fuse", *label_maps, "-o", "out.nii", "--labels", "all", "--json", "record.json").code == 0
    labels, _ = load(tmp_path, "out.nii")
    record = json.loads((tmp_path / "record.json").read_text())
    for row in record["label_table"]:
        raters = [load(tmp_path, name)[0] == row["label"] for name in label_maps]
        mine = labels == row["label"]
        assert row["components"] == 1
        distances = [1 - (rater & mine).sum() / (rater | mine).sum() for rater in raters]
        assert row["lmsd"] == pytest.approx(numpy.mean(numpy.square(distances)))


@pytest.mark.parametrize("method", ["jaccard", "dice", "majority", "local-majority", "shape"])
def test_a_binary_input_gives_the_same_bytes(crema, raters, tmp_path, method):
    assert crema("fuse", *raters, "-o", "plain.nii.gz", "-m", method).code == 0
    assert crema("fuse", *raters, "-o", "labels.nii.gz", "-m", method, "--labels", "all").code == 0
    assert (tmp_path / "plain.nii.gz").read_bytes() == (tmp_path / "labels.nii.gz").read_bytes()


def test_the_refusal_names_the_labels_and_both_ways_on(crema, label_maps, nothing_new):
    nothing_new.start()
    done = crema("fuse", *label_maps, "-o", "out.nii.gz")
    assert done.code == 3
    assert "0, 1, 2" in done.err and "--label" in done.err and "--labels all" in done.err
    nothing_new.check()


def test_labels_may_have_names_and_others_count_as_background(crema, label_maps, tmp_path):
    done = crema("fuse", *label_maps, "-o", "out.nii.gz", "--labels", "tumour=2", "--json", "record.json")
    assert done.code == 0, done.err
    assert "tumour (2)" in done.err
    assert "label 1 also occurs" in done.err
    labels, _ = load(tmp_path, "out.nii.gz")
    assert crema("fuse", *label_maps, "-o", "alone.nii.gz", "--label", "2").code == 0
    numpy.testing.assert_array_equal(labels == 2, load(tmp_path, "alone.nii.gz")[0] == 1)
    assert json.loads((tmp_path / "record.json").read_text())["label_table"][0]["name"] == "tumour"


def test_a_certificate_bounds_all_labels_together(crema, label_maps, tmp_path):
    done = crema("fuse", *label_maps, "--labels", "all", "--certify", "--json", "record.json")
    assert done.code == 0, done.err
    record = json.loads((tmp_path / "record.json").read_text())
    assert record["lower_bound"] <= record["lmsd"] + 1e-12
    assert record["lower_bound"] == pytest.approx(sum(row["lower_bound"] for row in record["label_table"]))
    assert record["gap"] == pytest.approx(record["lmsd"] - record["lower_bound"])


@pytest.mark.parametrize(
    "method", ["jaccard", "dice", "majority", "tanimoto", "soergel", "dice1", "dice2", "average", "shape"]
)
def test_every_method_for_labels_makes_a_label_map(crema, label_maps, tmp_path, method):
    done = crema("fuse", *label_maps, "-o", "out.nii.gz", "--labels", "all", "-m", method)
    assert done.code == 0, done.err
    labels, _ = load(tmp_path, "out.nii.gz")
    raters = numpy.array([load(tmp_path, name)[0] for name in label_maps])
    agreed = (raters == raters[0]).all(axis=0)
    if method in ("majority", "average"):
        numpy.testing.assert_array_equal(labels[agreed], raters[0][agreed])
    assert set(numpy.unique(labels)) <= {0, 1, 2}


def test_several_methods_make_a_folder(crema, label_maps, tmp_path):
    assert crema("fuse", *label_maps, "-o", "out", "--labels", "all", "-m", "jaccard,majority").code == 0
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == [
        "jaccard.nii.gz", "majority.nii.gz", "record.json",
    ]  # fmt: skip


def test_a_vote_that_is_tied(crema, save, tmp_path):
    names = []
    for k, row in enumerate([[4, 4, 0, 7], [7, 4, 7, 0]]):
        names.append(save(f"r{k}.nii", numpy.array(row, numpy.uint8).reshape(4, 1, 1)))
    for extra, expected in (
        ([], [0, 4, 0, 0]),
        (["--tie", "foreground"], [4, 4, 7, 7]),
        (["--undecided", "9"], [9, 4, 9, 9]),
    ):
        done = crema("fuse", *names, "-o", "out.nii", "--labels", "all", "-m", "majority", "--force", *extra)
        assert done.code == 0, done.err
        assert load(tmp_path, "out.nii")[0].ravel().tolist() == expected


def test_large_labels_are_written_in_16_bits(crema, save, tmp_path):
    labels = numpy.zeros(SIZE, numpy.uint16)
    labels[2:5, 2:5, 2:5] = 300
    labels[8:12, 2:5, 2:5] = 65535
    name = save("a.nii.gz", labels)
    for out in ("out.nii.gz", "out.nrrd", "out.mha"):
        assert crema("fuse", name, name, name, "-o", out, "--labels", "all").code == 0
    numpy.testing.assert_array_equal(load(tmp_path, "out.nii.gz")[0], labels)
    again = crema("fuse", "out.nrrd", "out.mha", "-o", "again.nii.gz", "--labels", "all", "-q")
    assert again.code == 0, again.err
    numpy.testing.assert_array_equal(load(tmp_path, "again.nii.gz")[0], labels)


@pytest.mark.parametrize("ending", ["png", "tif", "nrrd", "mha"])
def test_every_format_holds_labels(crema, save, tmp_path, ending):
    labels = numpy.zeros((9, 7, 1), numpy.uint8)
    labels[1:4, 1:4] = 1
    labels[5:8, 2:6] = 2
    name = save("a.nii", labels)
    done = crema("fuse", name, name, "-o", f"out.{ending}", "--labels", "all")
    assert done.code == 0, done.err
    done = crema("fuse", f"out.{ending}", f"out.{ending}", "-o", "again.nii", "--labels", "all")
    assert done.code == 0, done.err
    numpy.testing.assert_array_equal(load(tmp_path, "again.nii")[0].reshape(9, 7), labels[..., 0])


def test_a_rater_with_turned_axes_is_turned_back(crema, save, label_maps, tmp_path):
    assert crema("fuse", *label_maps, "-o", "plain.nii.gz", "--labels", "all").code == 0
    labels, image = load(tmp_path, label_maps[1])
    affine = image.affine @ numpy.array([[-1, 0, 0, SIZE[0] - 1], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]])
    turned = save("turned.nii.gz", labels[::-1], affine)
    assert crema("fuse", label_maps[0], turned, label_maps[2], "-o", "turned-out.nii.gz", "--labels", "all").code == 0
    numpy.testing.assert_array_equal(load(tmp_path, "plain.nii.gz")[0], load(tmp_path, "turned-out.nii.gz")[0])


def test_a_label_that_nobody_has(crema, label_maps, nothing_new):
    nothing_new.start()
    done = crema("fuse", *label_maps, "-o", "out.nii.gz", "--labels", "1,7")
    assert done.code == 3
    assert "7" in done.err and "1 and 2" in done.err
    nothing_new.check()


def test_maps_without_any_label(crema, save, tmp_path):
    maps = [save(f"nothing-{k}.nii.gz", numpy.zeros(SIZE, numpy.uint8)) for k in range(3)]
    done = crema("fuse", *maps, "-o", "out.nii.gz", "--labels", "all")
    assert done.code == 3 and "no rater uses any label" in done.err and "--labels 1,2" in done.err
    # As it says; a case in which nobody drew anything does not fail.
    for option in ("--labels 1,2", "--labels a=1,b=3", "--regions brats", "--regions w=1+2,c=2"):
        done = crema("fuse", *maps, "-o", "empty.nii.gz", "--force", *option.split())
        assert done.code == 0 and done.err.count("uses none of the labels") == 3, done
        assert not load(tmp_path, "empty.nii.gz")[0].any()


@pytest.mark.parametrize(
    ("value", "kind", "said"),
    [
        (1.5, numpy.float32, "no whole number"),
        (-1, numpy.int16, "negative"),
        (-1.0, numpy.float32, "negative"),
        (65536, numpy.int32, "too large"),
        (numpy.nan, numpy.float32, "NaN"),
    ],
)
def test_values_that_are_no_labels(crema, save, label_maps, value, kind, said):
    labels = numpy.zeros(SIZE, kind)
    labels[3, 3, 3] = value
    labels[5, 5, 5] = 2
    done = crema("fuse", label_maps[0], save("odd.nii.gz", labels), "--labels", "all")
    assert done.code == 3
    assert "odd.nii.gz" in done.err and said in done.err


def test_an_image_among_label_maps_is_left_out_and_not_renumbered(crema, save, label_maps):
    for image in (numpy.random.default_rng(1).normal(size=(4, 4, 4)), numpy.full((4, 4, 4), -5.0)):
        result = crema("fuse", *label_maps, save("ct.nii.gz", image.astype(numpy.float32)), "--labels", "all")
        assert result.code == 3 and "leave it out if it is an image" in result.err, result


def test_whole_numbers_stored_as_floats_are_labels(crema, save, label_maps, tmp_path):
    floats = [save(f"f{k}.nii.gz", load(tmp_path, name)[0].astype(numpy.float64)) for k, name in enumerate(label_maps)]
    assert crema("fuse", *label_maps, "-o", "a.nii.gz", "--labels", "all").code == 0
    assert crema("fuse", *floats, "-o", "b.nii.gz", "--labels", "all").code == 0
    numpy.testing.assert_array_equal(load(tmp_path, "a.nii.gz")[0], load(tmp_path, "b.nii.gz")[0])


def test_maps_without_any_label(crema, save):
    name = save("empty.nii", numpy.zeros(SIZE, numpy.uint8))
    done = crema("fuse", name, "--labels", "all")
    assert done.code == 3 and "empty" in done.err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--labels", "0"], "not a valid label"),
        (["--labels", "70000"], "not a valid label"),
        (["--labels", "1.5"], "not a valid label"),
        (["--labels", "a=1,a=2"], "named twice"),
        (["--labels", "1,1"], "named twice"),
        (["--labels", "a=1+2"], "--regions"),
        (["--labels", "all", "--label", "1"], "exclude each other"),
        (["--labels", "all", "--threshold", "0.5"], "exclude each other"),
        (["--labels", "all", "--regions", "brats"], "exclude each other"),
        (["--labels", "all", "--weights", "auto"], "weights"),
        (["--labels", "all", "-m", "staple-mrf"], "applies to"),
        (["--undecided", "3"], "requires"),
        (["--regions", "a=b+1,b=a+2"], "circle"),
        (["--regions", "a=1+2,b=1+2"], "same labels"),
        (["--regions", "a=1+2,b=2+3"], "overlap"),
        (["--regions", "1+2"], "not a valid region"),
        (["--regions", "a=1+2,b=1,c=2"], "none is left"),
    ],
)
def test_what_cannot_be_meant(crema, label_maps, arguments, said):
    done = crema("fuse", *label_maps, *arguments)
    assert done.code == 2, done.err
    assert said in done.err


def test_the_order_of_raters_and_threads_do_not_show(crema, label_maps, tmp_path):
    seen = set()
    for k, order in enumerate(itertools.permutations(label_maps)):
        out = f"out-{k}.nii"
        done = crema("fuse", *order, "-o", out, "--labels", "all", "--threads", str(1 + k % 3))
        assert done.code == 0, done.err
        seen.add(load(tmp_path, out)[0].tobytes())
    assert len(seen) == 1


def test_the_conflict_of_the_page(crema, save, tmp_path):
    names = []
    for k, row in enumerate(["1111122220", "1111112222", "1111112222"]):
        names.append(save(f"r{k}.nii", numpy.array(list(map(int, row)), numpy.uint8).reshape(10, 1, 1)))
    done = crema("fuse", *names, "-o", "out.nii", "--labels", "all")
    assert done.code == 0, done.err
    assert load(tmp_path, "out.nii")[0].ravel().tolist() == [1, 1, 1, 1, 1, 2, 2, 2, 2, 2]
    assert "raters: 2, 1, 1; given to 2" in done.err
    assert "LMSD 0.058519 over 2 labels (0.049259 if labels could overlap)" in done.err


def test_the_demo_writes_label_maps(crema, tmp_path):
    size = ["--kind", "organ", "--size", "40,36,20", "--raters", "3"]
    assert crema("demo", "-o", "masks", *size).code == 0
    done = crema("demo", "-o", "maps", *size, "--labels")
    assert done.code == 0 and "--labels all" in done.out
    for k in (1, 2, 3):
        (mask, _), (labels, _) = (load(tmp_path, f"{folder}/rater-{k}.nii.gz") for folder in ("masks", "maps"))
        assert set(numpy.unique(labels)) == {0, 1, 2}
        assert ((labels > 0) == (mask > 0)).all()


def test_the_page_names_every_method_for_labels(crema, label_maps):
    page = (pathlib.Path(__file__).parents[3] / "docs/labels.md").read_text(encoding="utf-8")
    refusal = crema("fuse", *label_maps, "-o", "out.nii.gz", "--labels", "all", "-m", "staple-mrf").err
    names = re.findall(r"[a-z][a-z0-9-]+", refusal.split("applies to ")[1].split(" only")[0].replace(" and ", " "))
    assert len(names) > 12 and [name for name in names if f"`{name}`" not in page] == []
