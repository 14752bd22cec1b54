# SPDX-License-Identifier: Apache-2.0
"""Folders of nnU-Net's predictions, against plain NumPy's reading of what nnUNetv2_ensemble computes."""

import json
import os

import nibabel
import numpy
import pytest
from conftest import AFFINE

SIZE = (16, 14, 7)
FOLDS = 4
LABELS = {"background": 0, "organ": 1, "lesion": 2}
REGIONS = {"background": 0, "whole": [1, 2], "core": [2]}


def spheres(rng):
    x, y, z = numpy.indices(SIZE)
    far = numpy.sqrt((x - 8) ** 2 + (y - 7 - rng.normal(0, 0.5)) ** 2 + (2 * (z - 3)) ** 2)
    return (5 - far) / rng.uniform(0.5, 1.2), (2.5 - far) / rng.uniform(0.5, 1.2)


def softmax(rng):
    outer, inner = spheres(rng)
    shares = numpy.exp(numpy.stack([numpy.zeros(SIZE), outer, outer + 2 * inner]))
    return shares / shares.sum(axis=0)


def sigmoids(rng):
    """A core that reaches beyond the whole."""
    outer, inner = spheres(rng)
    x = numpy.indices(SIZE)[0]
    return 1 / (1 + numpy.exp(-numpy.stack([outer, numpy.maximum(inner, 2.5 - numpy.abs(x - 12))])))


def write(folder, case, levels, ending=".nii.gz"):
    numpy.savez_compressed(folder / f"{case}.npz", probabilities=levels.transpose(0, 3, 2, 1))
    nibabel.Nifti1Image(levels.argmax(axis=0).astype(numpy.uint8), AFFINE).to_filename(folder / f"{case}{ending}")


@pytest.fixture
def folds(tmp_path):
    """Makes folders of two cases, as nnUNetv2_predict --save_probabilities leaves them, and gives the maps by case."""

    def make(network=softmax, labels=LABELS):
        rng = numpy.random.default_rng(7)
        maps = {"case_a": [], "case.b": []}
        for k in range(FOLDS):
            folder = tmp_path / f"fold_{k}"
            folder.mkdir()
            dataset = {"labels": labels, "file_ending": ".nii.gz"}
            if labels is REGIONS:
                dataset["regions_class_order"] = [1, 2]
            (folder / "dataset.json").write_text(json.dumps(dataset))
            for case, dtype in zip(maps, (numpy.float32, numpy.float16), strict=True):
                maps[case].append(network(rng).astype(dtype))
                write(folder, case, maps[case][-1])
        return maps

    return make


def ensemble(crema, *more):
    return crema("nnunet", *(f"fold_{k}" for k in range(FOLDS)), "-o", "out", *more)


def test_the_average_is_what_nnunet_computes(crema, tmp_path, folds):
    maps = folds()
    result = ensemble(crema, "--method", "average", "--floor", "0", "--levels", "--json")
    assert result.code == 0, result
    for case, levels in maps.items():
        mean = numpy.mean([one.astype(numpy.float32) for one in levels], axis=0)
        image = nibabel.load(tmp_path / f"out/{case}.nii.gz")
        assert (numpy.asarray(image.dataobj) == mean.argmax(axis=0)).all() and numpy.allclose(image.affine, AFFINE)
        written = numpy.load(tmp_path / f"out/{case}.npz")["probabilities"].transpose(0, 3, 2, 1)
        assert numpy.abs(written - mean).max() < 1e-3
        record = json.loads((tmp_path / f"out/{case}.json").read_text())
        assert [row["name"] for row in record["label_table"]] == ["organ", "lesion"]


def test_regions_are_written_as_nnunet_writes_them(crema, tmp_path, folds):
    """In the order of dataset.json, each over those before it, wherever it lies."""
    maps = folds(sigmoids, REGIONS)
    assert ensemble(crema, "-m", "average", "--floor", "0").code == 0
    for case, levels in maps.items():
        whole, core = numpy.mean([one.astype(numpy.float32) for one in levels], axis=0) > 0.5
        expected = numpy.where(core, 2, whole)
        assert (core & ~whole).sum() > 50
        assert (numpy.asarray(nibabel.load(tmp_path / f"out/{case}.nii.gz").dataobj) == expected).all()
        assert set(numpy.unique(expected)) == {0, 1, 2}


def test_a_case_is_fused_as_fuse_does_and_says_what_each_fold_counts(crema, tmp_path, folds):
    folds()
    result = ensemble(crema, "--levels", "--report")
    assert result.code == 0 and "case_a (2 of 2)" in result.err and "·fold_3" in result.err, result
    assert "levels       out/case_a.npz\npage         out/case_a.html\n" in result.err
    for case in ("case_a", "case.b"):
        raters = [f"fold_{k}/{case}.npz" for k in range(FOLDS)]
        options = ["--probabilities", "--labels", "all", "--method", "tanimoto", "--levels", "one.npz", "--force"]
        assert crema("fuse", *raters, "-o", "one.nii.gz", *options).code == 0
        for ours, theirs in ((f"out/{case}.nii.gz", "one.nii.gz"), (f"out/{case}.npz", "one.npz")):
            assert (tmp_path / ours).read_bytes() == (tmp_path / theirs).read_bytes()
        page = (tmp_path / f"out/{case}.html").read_text(encoding="utf-8")
        assert f"fold_3/{case}.npz" in page and "lesion" in page


def test_where_no_fold_finds_anything_the_map_is_empty(crema, tmp_path, folds):
    folds()
    nothing = numpy.zeros((3, *SIZE), numpy.float32)
    nothing[0], nothing[1] = 0.99, 0.01
    for k in range(FOLDS):
        write(tmp_path / f"fold_{k}", "case_a", nothing)
    result = ensemble(crema, "--report")
    assert result.code == 0 and "case_a: no level of any class reaches the floor" in result.err, result
    assert not numpy.asarray(nibabel.load(tmp_path / "out/case_a.nii.gz").dataobj).any()
    assert "; there is no page of it" in result.err and not (tmp_path / "out/case_a.html").exists()
    nothing[0], nothing[1] = 0.7, 0.3
    for k in range(FOLDS):
        write(tmp_path / f"fold_{k}", "case_a", nothing)
    result = ensemble(crema, "--report", "--force")
    assert result.code == 0 and "case_a: no class has a level of 0.5; there is no page of it" in result.err, result
    assert not numpy.asarray(nibabel.load(tmp_path / "out/case_a.nii.gz").dataobj).any()


def test_what_is_wrong_with_the_folders_is_said_before_anything_is_written(crema, tmp_path, folds):
    folds()
    (tmp_path / "fold_2/case_a.npz").rename(tmp_path / "fold_2/case_c.npz")
    result = ensemble(crema)
    assert result.code == 3 and "fold_2: has no case_a.npz, but fold_0 has" in result.err, result
    (tmp_path / "bare").mkdir()
    result = crema("nnunet", "fold_0", "bare", "-o", "out")
    assert result.code == 3 and "bare: holds no .npz; predict with" in result.err, result
    result = crema("nnunet", "fold_0", "nowhere", "-o", "out")
    assert result.code == 3 and "nowhere: cannot be listed" in result.err, result
    result = crema("nnunet", "fold_0", "fold_1", "-o", "out", "--method", "all")
    assert result.code == 2 and "give one method" in result.err, result
    result = crema("nnunet", "fold_0", "fold_1", "-o", "out", "--method", "staple")
    assert result.code == 2 and "staple" in result.err, result
    assert not (tmp_path / "out").exists()


def test_nothing_is_replaced_unless_forced_and_no_input_ever(crema, tmp_path, folds):
    folds()
    (tmp_path / "out").mkdir()
    (tmp_path / "out/case_a.nii.gz").write_text("mine")
    result = ensemble(crema)
    assert result.code == 2 and "case_a.nii.gz" in result.err, result
    assert (tmp_path / "out/case_a.nii.gz").read_text() == "mine" and len(list((tmp_path / "out").iterdir())) == 1
    result = ensemble(crema, "--force", "--quiet")
    assert (result.code, result.out, result.err) == (0, "", "")
    result = crema("nnunet", "fold_0", "fold_1", "-o", "fold_0", "--force")
    assert result.code == 2 and "fold_0/case" in result.err, result


def test_a_refused_case_is_named_and_the_others_are_done(crema, tmp_path, folds):
    folds()
    broken = numpy.full((3, *SIZE), numpy.nan, numpy.float32)
    write(tmp_path / "fold_1", "case.b", broken)
    result = ensemble(crema)
    assert result.code == 5 and "crema: case.b: fold_1/case.b.npz: " in result.err and "NaN" in result.err, result
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["case_a.nii.gz"]


def test_nothing_in_the_folder_of_a_model_is_ever_replaced(crema, tmp_path, folds):
    """The segmentations of later models are not read, and are somebody's all the same."""
    folds()
    before = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    for k in range(FOLDS):
        result = crema("nnunet", *(f"fold_{n}" for n in range(FOLDS)), "-o", f"fold_{k}", "--force")
        assert result.code == 2 and f"fold_{k}/case" in result.err, result
    assert {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()} == before


def test_folders_may_be_called_like_options(crema, tmp_path, folds):
    folds()
    (tmp_path / "fold_0").rename(tmp_path / "--json=fold_1")
    result = crema("nnunet", "-o", "out", "--", "--json=fold_1", "fold_2")
    assert result.code == 0 and not list((tmp_path / "fold_1").glob("*.json.npz")), result
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == ["case.b.nii.gz", "case_a.nii.gz"]


def test_a_warning_names_its_case_and_a_list_tells_models_apart(crema, folds):
    folds()
    result = ensemble(crema)
    assert "raters       4 (fold_0/case_a.npz … fold_3/case_a.npz)" in result.err, result
    reply = result.err[result.err.index("warnings:") :].splitlines()[1:]
    assert reply and all(line.startswith(("  case_a: ", "  case.b: ", "    ")) for line in reply), result


def test_the_limits_of_fuse_are_kept(crema, tmp_path, folds):
    folds()
    assert ensemble(crema, "--threads", "1", "--max-memory", "1G").code == 0
    result = ensemble(crema, "--max-memory", "1K", "--force")
    assert result.code == 6 and "--max-memory" in result.err, result


def test_a_dataset_json_that_cannot_be_meant_is_refused_or_named(crema, tmp_path, folds):
    folds()
    path = tmp_path / "fold_0/dataset.json"
    path.write_text(json.dumps({"labels": {"background": 0, "organ": 1, "lesion": 1}}))
    result = ensemble(crema)
    assert result.code == 3 and "the classes organ and lesion have the same label 1" in result.err, result
    path.write_text(json.dumps({"labels": {"background": 0, "organ": 1, "lesion": 2, "vessel": 3}}))
    result = ensemble(crema)
    assert result.code == 0 and "check that it belongs to these maps" in result.err, result
    path.write_text(json.dumps({"labels": {**LABELS, "ignore": 3}}))
    result = ensemble(crema, "--force")
    assert result.code == 0 and "check that it belongs" not in result.err, result
    path.unlink()
    os.mkfifo(path)
    result = ensemble(crema, "--force")
    assert result.code == 3 and "dataset.json: is a pipe" in result.err, result


def test_regions_of_one_value_are_refused(crema, tmp_path, folds):
    folds(sigmoids, REGIONS)
    (tmp_path / "fold_0/dataset.json").write_text(json.dumps({"labels": REGIONS, "regions_class_order": [1, 1]}))
    result = ensemble(crema)
    assert result.code == 3 and "does not give one label for each region" in result.err, result


def test_a_class_to_be_ignored_is_no_region(crema, tmp_path, folds):
    folds(sigmoids, REGIONS)
    plain = ensemble(crema)
    before = (tmp_path / "out/case_a.nii.gz").read_bytes()
    labels = {**REGIONS, "ignore": 3}
    (tmp_path / "fold_0/dataset.json").write_text(json.dumps({"labels": labels, "regions_class_order": [1, 2]}))
    result = ensemble(crema, "--force")
    assert plain.code == result.code == 0, result
    assert (tmp_path / "out/case_a.nii.gz").read_bytes() == before


def test_levels_of_a_hard_method_are_refused_before_the_first_case(crema, tmp_path, folds):
    folds()
    result = ensemble(crema, "--levels", "--method", "jaccard")
    assert result.code == 2 and "--levels needs one method that makes levels" in result.err, result
    assert "(1 of 2)" not in result.err, result
    assert not (tmp_path / "out").exists()


def test_a_cohort_of_predictions_is_told_how_to_choose_the_maps(crema, tmp_path, folds):
    folds()
    (tmp_path / "all").mkdir()
    for k in range(FOLDS):
        (tmp_path / f"fold_{k}").rename(tmp_path / f"all/fold_{k}")
    result = crema("cohort", "run", "all", "-o", "results", "--layout", "raters", "--probabilities", "--labels", "all")
    assert result.code == 3 and "has two files" in result.err and "--only '*.npz'" in result.err, result
