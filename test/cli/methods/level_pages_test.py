# SPDX-License-Identifier: Apache-2.0
"""Probability maps in folders by class, figures, pages and cohorts."""

import base64
import gzip
import json

import nibabel
import numpy
import pytest
from conftest import AFFINE
from plain import read_csv
from probabilities_test import ALL, floored, network
from report_test import Page


def voxels(path):
    return numpy.asanyarray(nibabel.load(path).dataobj)


@pytest.fixture
def maps():
    return [network(), network(0.7, 0.6), network(-0.8, 1.4, 0.95)]


@pytest.fixture
def folds(save, maps):
    return [save(f"fold-{k}.nii.gz", array) for k, array in enumerate(maps)]


def classes_of(array):
    return {"background": 1 - array, "liver": 0.75 * array, "tumour": 0.25 * array}


def save_folder(tmp_path, name, classes):
    (tmp_path / name).mkdir()
    for one, array in classes.items():
        nibabel.Nifti1Image(array.astype(numpy.float32), AFFINE).to_filename(tmp_path / name / f"{one}.nii.gz")
    return name


@pytest.fixture
def folders(tmp_path, maps):
    return [save_folder(tmp_path, f"net-{k}", classes_of(array)) for k, array in enumerate(maps)]


def run(crema, command, paths, *more):
    result = crema(*command.split(), *paths, "--probabilities", *more)
    assert result.code == 0, result
    return result


def test_a_folder_of_one_map_per_class_gives_what_a_stack_gives(crema, save, folders, maps, tmp_path):
    stacks = [
        save(f"stack-{k}.nii.gz", numpy.stack(list(classes_of(array).values()), axis=-1).astype(numpy.float32))
        for k, array in enumerate(maps)
    ]
    for paths, name in ((folders, "folders"), (stacks, "stacks")):
        more = ["--labels", "all", "--method", "tanimoto", "--json", f"{name}.json"]
        run(crema, "fuse", paths, "-o", f"{name}.nii.gz", "--levels", f"{name}-levels.nii.gz", *more)
    assert (voxels(tmp_path / "folders.nii.gz") == voxels(tmp_path / "stacks.nii.gz")).all()
    assert (voxels(tmp_path / "folders-levels.nii.gz") == voxels(tmp_path / "stacks-levels.nii.gz")).all()
    record = json.loads((tmp_path / "folders.json").read_text(encoding="utf-8"))
    assert [entry["name"] for entry in record["label_table"]] == ["liver", "tumour"]
    assert sum("net-0" in entry["path"] for entry in record["inputs"]) == 3


def test_a_folder_without_background_has_classes_that_need_not_sum_to_1(crema, maps, tmp_path):
    names = [
        save_folder(tmp_path, f"net-{k}", {"1": 0.9 * array, "2": numpy.roll(array, 2, axis=0)})
        for k, array in enumerate(maps)
    ]
    result = run(crema, "fuse", names, "-o", "out.nii.gz", "--labels", "second=2", "--method", "average")
    assert "sum to 1" not in result.err
    wanted = floored([numpy.roll(array, 2, axis=0) for array in maps]).mean(axis=0) > 0.5
    assert (voxels(tmp_path / "out.nii.gz") == 2 * wanted).all()


def test_regions_of_a_folder_go_by_their_names(crema, maps, tmp_path):
    names = [
        save_folder(tmp_path, f"net-{k}", {"whole": array, "core": 0.9 * numpy.roll(array, 1, axis=1)})
        for k, array in enumerate(maps)
    ]
    run(crema, "fuse", names, "-o", "out.nii.gz", "--regions", "whole=1+2,core=2", "--method", "average")
    whole = floored(maps).mean(axis=0) > 0.5
    core = floored([0.9 * numpy.roll(array, 1, axis=1) for array in maps]).mean(axis=0) > 0.5
    assert (voxels(tmp_path / "out.nii.gz") == whole * (1 + (core & whole))).all()


def test_folders_that_do_not_fit_are_refused_by_name(crema, folders, maps, tmp_path):
    def refused(*arguments):
        result = crema("fuse", *arguments, "-o", "out.nii.gz", "--probabilities")
        assert result.code == 3, result
        return result.err

    other = save_folder(tmp_path, "other", {"liver": maps[0], "spleen": maps[0]})
    assert "other: holds other classes than net-0 (liver, tumour)" in refused(*folders, other, "--labels", "all")
    assert "no map of the region whole" in refused(*folders, "--regions", "whole=1+2,liver=2")
    small = save_folder(tmp_path, "small", {"liver": maps[0], "tumour": maps[0][:-1]})
    assert "tumour.nii.gz: is not on the grid of" in refused(small, "--labels", "all")
    gap = save_folder(tmp_path, "gap", {"1": maps[0], "3": maps[0]})
    assert "but 2 is missing" in refused(gap, "--labels", "all")
    (tmp_path / "nothing").mkdir()
    assert "holds no probability maps" in refused("nothing", "--labels", "all")


def test_a_figure_shows_levels_and_whole_supports(crema, folds, tmp_path):
    run(crema, "figure", folds, "--show", "levels", "--outlines", "-o", "levels.svg", "--slice", "z=2")
    text = (tmp_path / "levels.svg").read_text(encoding="utf-8")
    assert text.count('class="paint"') == 1 and "fold-0" in text
    run(crema, "figure", folds, "-m", "jaccard,soergel", "-o", "contours.svg")
    for show in ("subcrowns", "trace", "distances"):
        result = crema("figure", *folds, "--probabilities", "--show", show, "-o", "x.svg")
        assert result.code == 2 and f"--show {show} requires masks" in result.err, result


def test_a_page_has_the_levels_of_raters_and_methods(crema, folds, maps, tmp_path):
    run(crema, "report", folds, "-o", "page.html")
    page = Page((tmp_path / "page.html").read_text(encoding="utf-8"))
    data = page.data()
    assert data["rater_levels"] is True and [m["name"] for m in data["methods"]][:2] == ["tanimoto", "soergel"]
    (low, high), painted = data["box"], json.loads(page.blocks["painted"])
    box = tuple(slice(a, b) for a, b in zip(low, high))
    p = floored(maps)
    assert (p > 0).any(axis=0).sum() == (p > 0).any(axis=0)[box].sum()
    for k, array in enumerate(p):
        levels = numpy.frombuffer(gzip.decompress(base64.b64decode(painted[f"#{k}"])), numpy.uint8) / 255
        own = levels.reshape([b - a for a, b in zip(low, high)], order="F")
        assert numpy.abs(own - array[box]).max() < 0.5 / 255 + 0.003
        assert ((own > 0.5) == (array[box] >= 0.5)).all()
    assert len(page.tables["levels"]) == 4 and {m["name"] for m in data["what_if"]} == set(ALL)
    assert [m["name"] for m in data["what_if"] if m["proof"]] == ["jaccard", "dice", "soergel", "dice1"]
    assert "·fold-0 + " in "".join(cell for row in page.tables["rules"] for cell in row)
    assert len(page.tables["without"]) == 4 and data["desk"] is None


def test_fuse_writes_a_page_and_the_consensus(crema, folds, tmp_path):
    for name, more in (("alone.nii.gz", []), ("with.nii.gz", ["--report", "page.html"])):
        run(crema, "fuse", folds, "-o", name, "--method", "tanimoto", *more)
    assert (tmp_path / "alone.nii.gz").read_bytes() == (tmp_path / "with.nii.gz").read_bytes()
    assert "tanimoto" in Page((tmp_path / "page.html").read_text(encoding="utf-8")).text()


def test_a_cohort_of_maps_is_what_fuse_and_agreement_make(crema, maps, tmp_path):
    for case in ("p1", "p2"):
        (tmp_path / "data" / case).mkdir(parents=True)
        for k, array in enumerate(maps):
            moved = numpy.roll(array, 1 if case == "p2" else 0, axis=1)
            nibabel.Nifti1Image(moved, AFFINE).to_filename(tmp_path / f"data/{case}/fold-{k}.nii.gz")
    more = ["-o", "out", "-m", "tanimoto,jaccard", "--report"]
    assert crema("cohort", "run", "data", "--probabilities", *more).code == 0
    raters = [f"data/p2/fold-{k}.nii.gz" for k in range(3)]
    for method in ("tanimoto", "jaccard"):
        run(crema, "fuse", raters, "-o", f"{method}.nii.gz", "--method", method)
        written = tmp_path / f"out/cases/p2/{method}.nii.gz"
        assert written.read_bytes() == (tmp_path / f"{method}.nii.gz").read_bytes()
    run(crema, "agreement", raters, "--methods", "tanimoto,jaccard", "--csv", "tables", "--case", "p2")
    for table in ("raters", "rater_pairs"):
        rows = [row for row in read_csv(tmp_path / f"out/{table}.csv") if row["case"] == "p2"]
        alone = read_csv(tmp_path / f"tables/{table}.csv")
        for row in alone:  # a cohort calls raters without the ending
            row.update({name: text.removesuffix(".nii.gz") for name, text in row.items()})
        assert rows == alone and rows[0]["soft_dice"] != ""
    assert (tmp_path / "out/cases/p1/report.html").exists()
    before = (tmp_path / "out/cases/p1/result.json").stat().st_mtime_ns
    assert crema("cohort", "run", "data", "--probabilities", *more).code == 0
    assert (tmp_path / "out/cases/p1/result.json").stat().st_mtime_ns == before
