# SPDX-License-Identifier: Apache-2.0
"""Cohorts whose files hold several labels: images, tables with a label column, shards and studies."""

import json
import re

import nibabel
import numpy
import pytest
from cohort_kit import RATERS, bytes_of, make_cohort, read_table, save
from labels_test import SIZE, ball
from report_test import Page
from segments_test import read_segments, write_segments

TABLES = ["cases", "methods", "raters", "components", "component_raters", "rater_pairs", "method_pairs"]


def label_map(case, rater, size=(12, 10, 5)):
    """A liver with a tumour at its edge; the first case has no tumour."""
    array = numpy.zeros(size, numpy.uint8)
    array[1 : 7 + rater % 2, 1:8, 1:4] = 1
    if case:
        array[5 + rater % 2 : 9 + case % 2, 3:6, 1:4] = 2
    return array


def make_label_cohort(folder, cases=3):
    for case in range(cases):
        for rater, name in enumerate(RATERS):
            save(folder / f"case{case:02}/{name}.nii.gz", label_map(case, rater))
    return folder


def voxels(path):
    return numpy.asarray(nibabel.load(path).dataobj)


def of(table, **wanted):
    return [row for row in table if all(row[k] == v for k, v in wanted.items())]


def test_a_label_map_is_what_fuse_makes(crema, tmp_path):
    make_label_cohort(tmp_path / "data")
    result = crema("cohort", "run", "data", "-o", "run", "--labels", "all", "-m", "jaccard,tanimoto")
    assert result.code == 0, result
    raters = [f"data/case01/{name}.nii.gz" for name in RATERS]
    assert crema("fuse", *raters, "-o", "hard.nii.gz", "--labels", "all").code == 0
    soft = crema("fuse", *raters, "-o", "s.nii.gz", "--levels", "l.nii.gz", "--labels", "all", "-m", "tanimoto")
    assert soft.code == 0, soft
    built = tmp_path / "run/cases/case01"
    for alone, own in [("hard", "jaccard"), ("s", "tanimoto"), ("l", "tanimoto_levels")]:
        assert (tmp_path / f"{alone}.nii.gz").read_bytes() == (built / f"{own}.nii.gz").read_bytes(), own
    assert set(numpy.unique(voxels(built / "jaccard.nii.gz"))) == {0, 1, 2}


def test_tables_have_a_row_for_each_label_of_the_joint_consensus(crema, tmp_path):
    make_label_cohort(tmp_path / "data")
    run = crema("cohort", "run", "data", "-o", "run", "--labels", "liver=1,tumour=2", "-m", "jaccard,dice")
    assert run.code == 0 and "tumour" in run.out, run
    tables = {name: read_table(tmp_path / f"run/{name}.csv") for name in [*TABLES, "joint"]}
    for name in TABLES:
        assert list(tables[name][0])[:2] == ["case", "label"], name
    assert [(row["case"], row["label"]) for row in tables["cases"]] == [
        (f"case{case:02}", label) for case in range(3) for label in ("liver", "tumour")
    ]
    for case in (1, 2):
        image = voxels(tmp_path / f"run/cases/case{case:02}/jaccard.nii.gz")
        for value, label in [(1, "liver"), (2, "tumour")]:
            (row,) = of(tables["methods"], case=f"case{case:02}", label=label, method="jaccard")
            assert int(row["voxels"]) == (image == value).sum()
            for rater, overlap in enumerate(of(tables["raters"], case=row["case"], label=label, method="jaccard")):
                drawn = label_map(case, rater) == value
                dice = 2 * (drawn & (image == value)).sum() / (drawn.sum() + (image == value).sum())
                assert float(overlap["dice"]) == pytest.approx(dice, abs=1e-12)


def test_each_row_on_the_terminal_names_its_label(crema, tmp_path):
    make_label_cohort(tmp_path / "data")
    run = crema("cohort", "run", "data", "-o", "run", "--labels", "liver=1,tumour=2", "-m", "jaccard,dice")
    rows = [line.split() for line in run.out.splitlines() if line.startswith(("jaccard", "dice"))]
    assert len(rows) == 2 * 2 * 2, run.out  # the table is wider than a terminal and comes in two parts
    assert {row[1] for row in rows} == {"liver", "tumour"}


def test_a_label_that_a_case_lacks_is_no_failure(crema, tmp_path):
    make_label_cohort(tmp_path / "data")
    assert crema("cohort", "run", "data", "-o", "run", "--labels", "1,2").code == 0
    (row,) = of(read_table(tmp_path / "run/methods.csv"), case="case00", label="2")
    assert row["voxels"] == "0"
    record = json.loads((tmp_path / "run/cases/case00/result.json").read_text())
    assert any("label 2" in warning for warning in record["warnings"])


def test_the_joint_table_says_what_the_record_of_fuse_says(crema, tmp_path):
    make_label_cohort(tmp_path / "data")
    assert crema("cohort", "run", "data", "-o", "run", "--labels", "all", "--certify").code == 0
    (row,) = of(read_table(tmp_path / "run/joint.csv"), case="case02")
    raters = [f"data/case02/{name}.nii.gz" for name in RATERS]
    fused = crema("fuse", *raters, "-o", "o.nii.gz", "--labels", "all", "--certify", "--json", "-")
    record = json.loads(fused.out)
    for column in ("lmsd", "lmsd_alone", "lower_bound"):
        assert float(row[column]) == pytest.approx(record[column], abs=1e-12), column
    for column in ("claimed_twice", "dispute_blocks", "unlabelled"):
        assert int(row[column]) == record[column], column
    labels = of(read_table(tmp_path / "run/methods.csv"), case="case02")
    assert sum(float(own["lmsd_jaccard"]) for own in labels) == pytest.approx(record["lmsd"], abs=1e-12)


def test_one_label_has_the_tables_of_a_mask(crema, tmp_path):
    make_cohort(tmp_path / "data", cases=3)
    assert crema("cohort", "run", "data", "-o", "masks", "-m", "jaccard,majority").code == 0
    assert crema("cohort", "run", "data", "-o", "labels", "--labels", "1", "-m", "jaccard,majority").code == 0
    # What only a method alone can tell: margins and weights of a component, and what it was asked with.
    for name in ("cases", "raters", "rater_pairs", "method_pairs"):
        one = read_table(tmp_path / f"masks/{name}.csv")
        other = read_table(tmp_path / f"labels/{name}.csv")
        assert len(one) == len(other) > 0
        for a, b in zip(one, other):
            b.pop("label")
            for column in ("warnings", "warning_kinds"):
                a.pop(column, None), b.pop(column, None)
            assert a == b


def test_regions_are_told_with_what_lies_inside_them(crema, tmp_path):
    make_label_cohort(tmp_path / "data")
    run = crema("cohort", "run", "data", "-o", "run", "--regions", "whole=1+2,core=2")
    assert run.code == 0, run
    image = voxels(tmp_path / "run/cases/case01/jaccard.nii.gz")
    table = of(read_table(tmp_path / "run/methods.csv"), case="case01")
    assert {row["label"]: int(row["voxels"]) for row in table} == {
        "whole": (image > 0).sum(),
        "core": (image == 2).sum(),
    }


def test_shards_carry_labels_and_a_second_run_keeps_everything(crema, tmp_path):
    make_label_cohort(tmp_path / "data", cases=4)
    options = ["--labels", "liver=1,tumour=2", "-m", "jaccard,tanimoto"]
    assert crema("cohort", "run", "data", "-o", "whole", *options).code == 0
    assert crema("cohort", "plan", "data", "-o", "parts", "--shards", "2", *options).code == 0
    for shard in ("1", "2"):
        assert crema("cohort", "run", "--shard", shard, "-o", "parts").code == 0
    assert crema("cohort", "merge", "parts").code == 0
    whole, parts = bytes_of(tmp_path / "whole"), bytes_of(tmp_path / "parts")
    assert whole == {k: v for k, v in parts.items() if not k.startswith("plan")}
    before = bytes_of(tmp_path / "whole", times=True)
    again = crema("cohort", "run", "data", "-o", "whole", *options)
    assert again.code == 0 and "0 made, 4 already there" in again.out, again
    assert bytes_of(tmp_path / "whole", times=True) == before


def test_a_study_is_of_one_label(crema, tmp_path):
    make_label_cohort(tmp_path / "data", cases=4)
    options = ["-m", "jaccard,majority,average,tanimoto"]
    assert crema("cohort", "run", "data", "-o", "run", "--labels", "liver=1,tumour=2", *options).code == 0
    refused = crema("study", "run", "-o", "tables")
    assert refused.code == 2 and "liver, tumour" in refused.err and "--label" in refused.err, refused
    unknown = crema("study", "run", "-o", "tables", "--label", "spleen")
    assert unknown.code == 2 and "liver, tumour" in unknown.err, unknown
    # The same from masks of that label.
    for path in (tmp_path / "data").rglob("*.nii.gz"):
        save(tmp_path / "tumours" / path.relative_to(tmp_path / "data"), (voxels(path) == 2).astype(numpy.uint8))
    assert crema("cohort", "run", "tumours", "-o", "alone", *options).code == 0
    assert crema("study", "run", "-o", "tables", "--label", "tumour", "--background").code == 0
    assert crema("study", "alone", "-o", "plain", "--background").code == 0
    for name in ("icc.csv", "fig_1a.csv"):
        assert (tmp_path / "tables" / name).read_bytes() == (tmp_path / "plain" / name).read_bytes(), name
    wrong = crema("study", "alone", "-o", "x", "--label", "tumour")
    assert wrong.code == 2 and "--label" in wrong.err, wrong


def test_several_labels_and_nothing_said_names_the_ways_on(crema, tmp_path):
    make_label_cohort(tmp_path / "data")
    result = crema("cohort", "run", "data", "-o", "run")
    assert result.code == 5, result
    failures = read_table(tmp_path / "run/failures.csv")
    assert all("--labels all" in row["message"] for row in failures) and len(failures) == 2


def test_bids_label_maps_are_called_dseg(crema, tmp_path):
    for case in (1, 2):
        for rater, name in enumerate(RATERS):
            path = tmp_path / f"data/sub-{case:02}/anat/sub-{case:02}_desc-{name}_dseg.nii.gz"
            save(path, label_map(case, rater))
    (tmp_path / "data/dataset_description.json").write_text('{"Name": "maps", "BIDSVersion": "1.8.0"}')
    assert crema("cohort", "run", "data", "-o", "run", "--labels", "all", "-m", "tanimoto").code == 0
    for suffix in ("dseg", "probseg"):
        assert (tmp_path / f"run/sub-01/anat/sub-01_desc-crema_{suffix}.nii.gz").exists(), suffix


def test_pages_show_every_label(crema, tmp_path):
    make_label_cohort(tmp_path / "data")
    done = crema("cohort", "run", "data", "-o", "run", "--labels", "all", "--report")
    assert done.code == 0, done.err
    rows = read_table(tmp_path / "run/cases.csv")
    page = Page((tmp_path / "run/cohort.html").read_text())
    head, *shown = page.tables["cases"]
    assert [(row[0], row[head.index("Label")]) for row in shown] == [(row["case"], row["label"]) for row in rows]
    names = {row["case"] for row in rows}
    assert f"Cohort of {len(names)} cases" in page.text()
    labels = sorted({row["label"] for row in rows})
    assert [row[0] for row in page.tables["means"][1:]] == [f"jaccard, {label}" for label in labels]
    for name in names:
        own = Page((tmp_path / f"run/cases/{name}/report.html").read_text())
        listed = [row["label"] for row in rows if row["case"] == name]
        assert [row[0] for row in own.tables["labels"][1:]] == [f"label {label}" for label in listed]


def test_segments_go_by_name_and_may_overlap(crema, tmp_path):
    """The second case has no vessel, which is told and no failure."""
    for case, parts in enumerate([["liver", "vessel"], ["liver"]]):
        folder = tmp_path / f"data/case{case}"
        folder.mkdir(parents=True)
        for k in range(3):
            shapes = {"liver": ball((11, 11, 6), 7 + k % 2), "vessel": ball((13, 11, 6), 3 + k % 2)}
            layers = [shapes[name].astype(numpy.uint8) for name in parts]
            write_segments(folder / f"r{k}.seg.nrrd", layers, [(name, i, 1) for i, name in enumerate(parts)])
    run = crema("cohort", "run", "data", "-o", "run", "--labels", "liver,vessel")
    assert run.code == 0, run
    found = read_segments(tmp_path / "run/cases/case0/jaccard.seg.nrrd")
    rows = {(row["case"], row["label"]): row for row in read_table(tmp_path / "run/methods.csv")}
    for name, (_, mask) in found.items():
        assert int(rows["case0", name]["voxels"]) == mask.sum() > 0 and mask.shape == SIZE
    assert int(rows["case1", "liver"]["voxels"]) > 0 and ("case1", "vessel") not in rows
    record = json.loads((tmp_path / "run/cases/case1/result.json").read_text())
    assert any("vessel" in warning for warning in record["warnings"])
    (joint,) = of(read_table(tmp_path / "run/joint.csv"), case="case0")
    assert int(joint["overlapping"]) == numpy.logical_and(found["liver"][1], found["vessel"][1]).sum()
    assert joint["claimed_twice"] == ""


def three_labels(folder):
    """Two cases of three labels; the second has no label 2 and lacks the last rater."""
    for case in range(2):
        for rater, name in enumerate(RATERS[: 3 - case]):
            labels = numpy.zeros((24, 20, 8), numpy.uint8)
            labels[2 + rater % 2 : 9, 3:12, 1:6] = 1
            labels[10 - rater : 15, 4:13, 1 + rater : 7] = 0 if case else 2
            labels[18:24, 5 : 11 + rater, 2:6] = 5
            save(folder / f"case{case}/{name}.nii.gz", labels)


def test_a_page_counts_cases_and_not_their_labels(crema, tmp_path):
    three_labels(tmp_path / "data")
    done = crema("cohort", "run", "data", "-o", "run", "--labels", "1,2,5")
    assert done.code == 0, done.err
    page = Page((tmp_path / "run/cohort.html").read_text(encoding="utf-8"))
    text = " ".join(page.text().split())
    assert "1 case has fewer raters than others." in text
    assert "1 case has defects in the input" in text and "missing-label in 1 case (case1)" in done.out
    raters = {row[0]: row for row in page.tables["raters"][1:]}
    assert [raters[name][1] for name in RATERS[:3]] == ["2", "2", "1"]
    assert [raters[name][-1].split()[-1] for name in RATERS[:3]] == ["5", "5", "3"]
    assert "counts the labels of cases in which" in text
    cases = read_table(tmp_path / "run/cases.csv")
    for label in "125":
        known = [float(row["positive_agreement"]) for row in of(cases, label=label) if row["positive_agreement"]]
        assert f"{numpy.median(known):.2f}" in text and f"over cases: {label} (1 = perfect)" in text


def test_a_case_in_which_nobody_drew_a_label_is_in_none_of_its_means(crema, tmp_path):
    three_labels(tmp_path / "data")
    run = crema("cohort", "run", "data", "-o", "run", "--labels", "1,2,5", "-m", "jaccard,majority,average,tanimoto")
    assert run.code == 0, run.err
    row = next(words for words in map(str.split, run.out.splitlines()) if words[:2] == ["jaccard", "2"])
    (only,) = of(read_table(tmp_path / "run/methods.csv"), case="case0", label="2", method="jaccard")
    assert row[2] == "1"
    assert float(row[5]) == pytest.approx(float(only["lmsd_jaccard"]), abs=1e-4)
    page = Page((tmp_path / "run/cohort.html").read_text(encoding="utf-8"))
    means = {line[0]: line for line in page.tables["means"]}
    assert means["jaccard, 2"][1] == "1" and means["jaccard, 1"][1] == "2"
    assert means["jaccard, 2"][5].startswith(f"{float(only['lmsd_jaccard']):.4f} ")
    # The study is that of the cases that have the label.
    assert crema("study", "run", "-o", "tables", "--label", "2", "--panel", "--background").code == 0
    (tmp_path / "data/case1").rename(tmp_path / "case1")
    options = ["--labels", "1,2,5", "-m", "jaccard,majority,average,tanimoto"]
    assert crema("cohort", "run", "data", "-o", "one", *options).code == 0
    assert crema("study", "one", "-o", "plain", "--label", "2", "--panel", "--background").code == 0
    tables = sorted(path.name for path in (tmp_path / "plain").glob("*.csv"))
    assert len(tables) > 5
    for name in tables:
        rows = [read_table(tmp_path / folder / name) for folder in ("tables", "plain")]
        numbers = [[{k: v for k, v in row.items() if not k.endswith("_s")} for row in table] for table in rows]
        assert numbers[0] == numbers[1], name


def test_a_picture_stands_beside_a_finding_of_its_label(crema, tmp_path):
    """Label 5 has the finding that comes first, label 1 is disputed most."""
    for rater, name in enumerate(RATERS[:3]):
        labels = numpy.zeros((30, 20, 6), numpy.uint8)
        labels[2 : 12 + rater, 2:18, 1:5] = 1
        if rater == 2:
            labels[4:6, 2:4, 1:3] = 0
        if rater < 2:
            labels[24:27, 5:8, 2:4] = 5
        save(tmp_path / f"data/case0/{name}.nii.gz", labels)
    assert crema("cohort", "run", "data", "-o", "run", "--labels", "all").code == 0
    record = json.loads((tmp_path / "run/cases/case0/result.json").read_text())
    assert record["thumbnail_label"] == "1"
    rows = re.findall(r"<tr[^>]* data-label=\"(\d)\">(.*?)</tr>", queue_of(tmp_path / "run"), re.DOTALL)
    labels = [label for label, _ in rows]
    assert labels[0] == "5" and "1" in labels
    assert [label for label, row in rows if "<img" in row] == ["1"]


def queue_of(run):
    text = (run / "cohort.html").read_text(encoding="utf-8")
    return text[text.index('<table id="queue"') :].split("</table>")[0]
