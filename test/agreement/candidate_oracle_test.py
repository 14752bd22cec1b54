# SPDX-License-Identifier: Apache-2.0
"""Is a candidate as good as a rater: Williams' index beside plain NumPy, over cases, in one case, and of labels."""

import itertools
import os
import subprocess

import numpy
import pytest
from study_kit import (  # noqa: F401
    Result,
    blob,
    close_to_bootstrap,
    dice,
    folder,
    masks_of,
    nibabel,
    program,
    read_table,
    save,
    study,
)


def test_a_candidate_has_the_index_of_plain_numpy(study, folder):
    result = study("candidate", "--candidate", "predictions")
    assert "case05" in result.err and "eroded by one voxel" in result.out
    rows = read_table(folder / "candidate/candidate.csv")
    assert list(rows[0]) == ["case", "label", "raters", "mean_candidate", "mean_pairs", "wi", "delta"]
    assert [row["case"] for row in rows] == [f"case{c:02}" for c in range(14) if c != 5]
    for row in rows:
        masks = list(masks_of(folder, row["case"]).values())
        candidate = numpy.asarray(nibabel.load(folder / f"predictions/{row['case']}.nii.gz").dataobj) > 0
        mine = numpy.mean([dice(candidate, mask) for mask in masks])
        theirs = numpy.mean([dice(a, b) for a, b in itertools.combinations(masks, 2)])
        assert int(row["raters"]) == len(masks) and row["label"] == ""
        found = [float(row[name]) for name in ("mean_candidate", "mean_pairs", "wi", "delta")]
        numpy.testing.assert_allclose(found, [mine, theirs, mine / theirs, mine - theirs], rtol=1e-12, atol=1e-12)
    (summary,) = read_table(folder / "candidate/candidate_summary.csv")
    assert list(summary) == [
        "label", "cases", "wi_mean", "wi_low", "wi_high", "delta_mean", "delta_low", "delta_high",
    ]  # fmt: skip
    assert summary["cases"] == "13"
    for name in ("wi", "delta"):
        values = [float(row[name]) for row in rows]
        assert float(summary[f"{name}_mean"]) == pytest.approx(numpy.mean(values))
        assert close_to_bootstrap(values, float(summary[f"{name}_low"]), float(summary[f"{name}_high"]))
    assert "case05" in (folder / "candidate/study.md").read_text()


def test_a_single_case_has_no_interval(study, folder):
    (folder / "one").mkdir()
    (folder / "one/case01.nii.gz").write_bytes((folder / "predictions/case01.nii.gz").read_bytes())
    result = study("single", "--candidate", "one")
    assert "too few cases for an interval" in result.out and "undefined" not in result.out, result
    (summary,) = read_table(folder / "single/candidate_summary.csv")
    assert (summary["cases"], summary["wi_low"], summary["delta_high"]) == ("1", "", "")


def test_a_rater_who_is_held_out_scores_about_one(program, folder):
    """The law of METHOD 12, on cases whose raters are alike."""
    random = numpy.random.default_rng(3)
    for c in range(40):
        centre, radius = random.uniform([7, 6, 2], [12, 11, 4]), random.uniform(4, 6)
        for k in range(4):
            save(folder / f"law/data/case{c:02}/rater-{k}.nii.gz", blob(random, centre, radius))
        save(folder / f"law/held/case{c:02}/out.nii.gz", blob(random, centre, radius))
    words = [
        "cohort",
        "run",
        "law/data",
        "-o",
        "law/run",
        "--methods",
        "majority",
        "--no-images",
        "--no-surfaces",
        "-q",
    ]
    subprocess.run([program, *words], cwd=folder, check=True)
    words = ["study", "law/run", "-o", "law/tables", "--candidate", "law/held/*/out.nii.gz", "-q"]
    subprocess.run([program, *words], cwd=folder, check=True)
    (summary,) = read_table(folder / "law/tables/candidate_summary.csv")
    assert float(summary["wi_low"]) < 1 < float(summary["wi_high"])
    assert float(summary["wi_high"]) - float(summary["wi_low"]) < 0.1


def test_one_case_has_the_same_index(program, folder, study):
    study("one", "--candidate", "predictions/{case}.nii.gz")
    row = read_table(folder / "one/candidate.csv")[0]
    raters = sorted((folder / "data/case00").iterdir())
    words = ["agreement", *map(os.fspath, raters), "--candidate", "predictions/case00.nii.gz", "--csv", "one-case"]
    done = Result(subprocess.run([program, *words], cwd=folder, capture_output=True))
    assert done.code == 0 and "by construction" in done.out, done
    (alone,) = read_table(folder / "one-case/candidate.csv")
    assert {name: alone[name] for name in alone if name != "case"} == {
        name: row[name] for name in row if name != "case"
    }


@pytest.mark.parametrize(
    ("where", "said"),
    [
        ("nowhere", "is not a folder"),
        ("data", "two candidates"),
        ("run*", "bears the name of a case"),
    ],
)
def test_candidates_that_cannot_be_meant_are_refused(study, folder, where, said):
    assert said in study("refused", "--candidate", where, code=3).err
    assert not (folder / "refused").exists()


def test_a_candidate_that_is_no_mask_is_named_and_the_others_are_compared(study, folder):
    for c in range(14):
        mask = numpy.asarray(nibabel.load(folder / f"data/case{c:02}/rater-0.nii.gz").dataobj)
        nibabel.Nifti1Image(
            (mask * (0.7 if c == 3 else 1)).astype(numpy.float32), numpy.diag([1, 1, 2, 1])
        ).to_filename(folder / f"data/../maps-{c:02}.nii.gz")
    image = numpy.linspace(0, 1, 20 * 18 * 6, dtype=numpy.float32).reshape(20, 18, 6)
    nibabel.Nifti1Image(image, numpy.diag([1, 1, 2, 1])).to_filename(folder / "maps-03.nii.gz")
    for c in range(14):
        os.rename(folder / f"maps-{c:02}.nii.gz", folder / f"maps-case{c:02}.nii.gz")
    pattern = "maps-{case}.nii.gz"
    result = study("odd", "--candidate", pattern, code=5)
    assert "maps-case03.nii.gz" in result.err and "--consensus-threshold" in result.err
    assert len(read_table(folder / "odd/candidate.csv")) == 13
    study("odd-2", "--candidate", pattern, "--consensus-threshold", "0.5")
    assert len(read_table(folder / "odd-2/candidate.csv")) == 14


def test_labels_are_compared_one_by_one(program, tmp_path):
    random = numpy.random.default_rng(11)
    for c in range(3):
        for name in ("data/{}/r0", "data/{}/r1", "data/{}/r2", "predictions/{}"):
            labels = numpy.zeros((20, 18, 6), numpy.uint8)
            labels[blob(random, (7, 8, 3), 5)] = 1
            labels[blob(random, (13, 9, 3), 3)] = 2
            path = tmp_path / f"{name.format(f'case{c}')}.nii.gz"
            path.parent.mkdir(parents=True, exist_ok=True)
            nibabel.Nifti1Image(labels, numpy.diag([1, 1, 2, 1])).to_filename(path)
    call = lambda *words: subprocess.run([program, *words], cwd=tmp_path, check=True)  # noqa: E731
    call("cohort", "run", "data", "-o", "run", "--labels", "all", "--methods", "jaccard", "--no-images", "-q")
    raters = [f"data/case0/r{k}.nii.gz" for k in range(3)]
    call("agreement", *raters, "--labels", "all", "--candidate", "predictions/case0.nii.gz", "--csv", "one", "-q")
    alone = {row["label"]: row for row in read_table(tmp_path / "one/candidate.csv")}
    for label in (1, 2):
        call("study", "run", "-o", f"t{label}", "--label", str(label), "--candidate", "predictions", "--panel", "-q")
        rows = read_table(tmp_path / f"t{label}/candidate.csv")
        assert [(row["case"], row["label"]) for row in rows] == [(f"case{c}", str(label)) for c in range(3)]
        for row in rows:
            read = lambda path: numpy.asarray(nibabel.load(tmp_path / path).dataobj) == label  # noqa: B023, E731
            masks = [read(f"data/{row['case']}/r{k}.nii.gz") for k in range(3)]
            mine = numpy.mean([dice(read(f"predictions/{row['case']}.nii.gz"), mask) for mask in masks])
            theirs = numpy.mean([dice(a, b) for a, b in itertools.combinations(masks, 2)])
            assert float(row["wi"]) == pytest.approx(mine / theirs)
        assert alone[str(label)]["wi"] == rows[0]["wi"]
        assert {row["panel"] for row in read_table(tmp_path / f"t{label}/panel.csv")} == {"1", "2"}
    call("study", "run", "-o", "every", "--candidate", "predictions", "-q")
    rows = {(row["case"], row["label"]): row for row in read_table(tmp_path / "every/candidate.csv")}
    assert len(rows) == 6
    summaries = read_table(tmp_path / "every/candidate_summary.csv")
    assert [row["label"] for row in summaries] == ["1", "2"]
    for label, summary in zip((1, 2), summaries):
        for row in read_table(tmp_path / f"t{label}/candidate.csv"):
            assert rows[row["case"], row["label"]] == row
        assert summary == read_table(tmp_path / f"t{label}/candidate_summary.csv")[0]
    assert "--label" in (tmp_path / "every/study.md").read_text()
    words = ["study", "run", "-o", "x", "--candidate", "predictions", "--panel"]
    refused = subprocess.run([program, *words], cwd=tmp_path)
    assert refused.returncode == 2
