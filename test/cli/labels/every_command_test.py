# SPDX-License-Identifier: Apache-2.0
"""Every command that takes raters takes label maps: one case of three labels through all of them."""

import csv
import json
import re

import nibabel
import numpy
import pytest
from plain import read_csv

SIZE = (26, 20, 8)
LABELS = (1, 2, 5)


def labels_of(rater):
    """Three boxes that each rater draws a little elsewhere; the second touches the first."""
    labels = numpy.zeros(SIZE, numpy.uint8)
    labels[2 + rater % 2 : 9, 3:12, 1:6] = 1
    labels[9 - rater % 2 : 15, 4:13, 1 + rater % 3 : 7] = 2
    labels[18:24, 5 : 11 + rater % 2, 2:6] = 5
    return labels


@pytest.fixture
def maps(save):
    return [save(f"rater-{k + 1}.nii.gz", labels_of(k)) for k in range(4)]


@pytest.fixture
def masks(save):
    """The same raters, one file for each label."""
    return {
        label: [save(f"{label}-{k + 1}.nii.gz", (labels_of(k) == label).astype(numpy.uint8)) for k in range(4)]
        for label in LABELS
    }


def by_label(table):
    """Rows of a table without the label, by label."""
    rows = {}
    for row in table:
        rows.setdefault(row.pop("label"), []).append(row)
    return rows


def numbers_of(rows):
    """What masks and labels must agree in: files, cases and times are called otherwise."""
    other = {"case", "rater", "rater_a", "rater_b", "farthest_from", "rule", "read_s", "count_s", "solve_s", "write_s"}
    return [{name: value for name, value in row.items() if name not in other} for row in rows]


def test_agreement_tells_of_each_label_what_it_tells_of_its_mask(crema, maps, masks, tmp_path):
    done = crema("agreement", *maps, "--labels", "all", "--csv", "tables", "--json", "all.json")
    assert done.code == 0, done.err
    for label in LABELS:
        assert f"label: {label}" in done.out
        assert crema("agreement", *masks[label], "--csv", f"tables-{label}").code == 0
    for name in ("rater_pairs.csv", "raters.csv"):
        together = by_label(read_csv(tmp_path / "tables" / name))
        assert list(together) == [str(label) for label in LABELS]
        for label in LABELS:
            alone = read_csv(tmp_path / f"tables-{label}" / name)
            if name == "rater_pairs.csv":  # the consensus of a label gives way to others, its raters do not
                assert numbers_of(together[str(label)]) == numbers_of(alone)
            assert len(together[str(label)]) == len(alone)
    record = json.loads((tmp_path / "all.json").read_text())
    assert [part["label"] for part in record["structures"]] == [str(label) for label in LABELS]


def test_the_record_of_fuse_has_of_each_label_what_that_of_its_mask_has(crema, save, tmp_path):
    """The labels are apart, so that none gives way to another."""
    drawn = [numpy.roll(labels_of(k), 3 * (k == 3), axis=2) * (labels_of(k) != 2) for k in range(4)]
    maps = [save(f"map-{k}.nii.gz", labels) for k, labels in enumerate(drawn)]
    for method in ("jaccard", "tanimoto"):
        options = ["-m", method, "--certify"] if method == "jaccard" else ["-m", method]
        joint = json.loads(crema("fuse", *maps, "--labels", "one=1,5", *options, "--json", "-", "-q").out)
        assert [(own["label"], own["value"]) for own in joint["structures"]] == [("one", 1), ("5", 5)]
        for own in joint["structures"]:
            masks = [
                save(f"{k}.nii.gz", (labels == own["value"]).astype(numpy.uint8)) for k, labels in enumerate(drawn)
            ]
            alone = json.loads(crema("fuse", *masks, *options, "--json", "-", "-q").out)
            for name in ("components", "lmsd", "voxels", "soft_volume", "volume_mm3", "area_mm2", "entropy"):
                assert own[name] == pytest.approx(alone[name]), (method, name)
            assert own.get("lower_bound") == pytest.approx(alone.get("lower_bound"))
            for ours, theirs in zip(own["raters"], alone["raters"], strict=True):
                assert {**ours, "file": ""} == {**theirs, "file": ""}
            for ours, theirs in zip(own["component_table"], alone["component_table"], strict=True):
                certificate = {"lower_bound", "gap", "relative_gap", "proven", "optimal", "nodes"}
                assert set(theirs) - set(ours) <= certificate
                for name in ("box", "raters_present", "union_voxels", "consensus_voxels", "kept", "overlap"):
                    assert ours[name] == theirs[name], (method, name)
                for name in ("soft_volume", "criterion"):
                    assert ours[name] == pytest.approx(theirs[name]), (method, name)


def test_a_record_of_many_labels_sums_up_their_raters_and_components(crema, save):
    """Over 10 000 of them in all."""
    labels = numpy.arange(1, 2503, dtype=numpy.uint16).reshape(-1, 3, 3)
    maps = [save(f"many-{k}.nii.gz", numpy.repeat(labels, 1 + (k == 3), axis=2)[:, :, :3]) for k in range(4)]
    record = json.loads(crema("fuse", *maps, "--labels", "all", "-m", "majority", "--json", "-", "-q").out)
    assert len(record["structures"]) == 2502
    for own, row in zip(record["structures"], record["label_table"], strict=True):
        assert "raters" not in own and own["voxels_of_raters"] == row["voxels_of_raters"]


@pytest.mark.parametrize("command", ["agreement", "compare", "background", "certify", "fuse"])
def test_warnings_and_their_kinds_are_told_once(crema, maps, save, command):
    copy = save("rater-5.nii.gz", labels_of(0))
    first = []
    if command == "certify":
        assert crema("fuse", *maps, copy, "--labels", "all", "-o", "consensus.nii.gz").code == 0
        first = ["consensus.nii.gz"]
    done = crema(command, *first, *maps, copy, "--labels", "all", "--json", "-", "-q")
    assert done.code == 0, done.err
    record = json.loads(done.out)
    assert len(record["warnings"]) == len(record["warning_kinds"]) > 0
    assert not any("warning" in name for own in record["structures"] for name in own)


def test_agreement_writes_maps_and_findings_of_each_label(crema, maps, tmp_path):
    done = crema("agreement", *maps, "--labels", "all", "--maps", "maps", "--review", "review.csv")
    assert done.code == 0, done.err
    for label in LABELS:
        votes = numpy.asanyarray(nibabel.load(tmp_path / "maps" / str(label) / "votes.nii.gz").dataobj)
        assert (votes == sum(labels_of(k) == label for k in range(4))).all()
    assert {row["label"] for row in read_csv(tmp_path / "review.csv")} <= {str(label) for label in LABELS}


def test_agreement_reads_a_label_map_as_the_consensus(crema, maps, tmp_path):
    assert crema("fuse", *maps, "--labels", "all", "-o", "consensus.nii.gz").code == 0
    done = crema("agreement", *maps, "--labels", "all", "--consensus", "consensus.nii.gz", "--csv", "read")
    assert done.code == 0, done.err
    assert crema("agreement", *maps, "--labels", "all", "--csv", "made").code == 0
    read, result = (by_label(read_csv(tmp_path / folder / "raters.csv")) for folder in ("read", "made"))
    for label in map(str, LABELS):
        assert [row["f1"] for row in read[label]] == [row["f1"] for row in result[label]]


def test_compare_leaves_out_methods_that_fuse_one_label_alone(crema, maps, tmp_path):
    done = crema("compare", *maps, "--labels", "all", "--csv", "tables")
    assert done.code == 0, done.err
    assert "ml-staple" in done.err and "left out" in done.err
    table = by_label(read_csv(tmp_path / "tables" / "methods.csv"))
    assert list(table) == [str(label) for label in LABELS]
    for rows in table.values():
        assert "jaccard" in [row["method"] for row in rows]


def test_certify_proves_each_label(crema, maps, tmp_path):
    assert crema("fuse", *maps, "--labels", "all", "-o", "consensus.nii.gz", "--json", "fuse.json").code == 0
    done = crema("certify", "consensus.nii.gz", *maps, "--labels", "all", "--json", "certify.json")
    assert done.code == 0, done.err
    fused = json.loads((tmp_path / "fuse.json").read_text())["label_table"]
    certified = json.loads((tmp_path / "certify.json").read_text())["structures"]
    for row, part in zip(fused, certified, strict=True):
        assert part["lmsd"] == pytest.approx(row["lmsd"])
        assert part["lower_bound"] <= part["lmsd"] + 1e-12


def test_certify_says_which_label_lies_outside(crema, maps, save):
    candidate = save("candidate.nii.gz", numpy.roll(labels_of(0), 2, axis=2))
    done = crema("certify", candidate, *maps, "--labels", "all")
    warnings = [line for line in done.err.splitlines() if "outside all raters' masks" in line]
    assert done.code == 0 and warnings, done
    assert all(" of label " in line for line in warnings) and len(set(warnings)) == len(warnings)


def test_background_studies_each_label(crema, maps, tmp_path):
    done = crema("background", *maps, "--labels", "all", "-o", "picture.svg", "--json", "background.json")
    assert done.code == 0, done.err
    for label in LABELS:
        assert (tmp_path / f"picture_{label}.svg").exists()
    parts = json.loads((tmp_path / "background.json").read_text())["structures"]
    assert [part["union_voxels"] for part in parts] == [
        int(sum(labels_of(k) == label for k in range(4)).astype(bool).sum()) for label in LABELS
    ]


def test_check_counts_the_voxels_of_each_label(crema, maps):
    done = crema("check", *maps, "--labels", "all")
    assert done.code == 0, done.err
    for k in range(4):
        for label in LABELS:
            assert f"{label}: {(labels_of(k) == label).sum()}" in done.out


@pytest.mark.parametrize("command", ["figure", "report"])
def test_pictures_and_pages_show_every_label(crema, maps, tmp_path, command):
    name = {"figure": "out.svg", "report": "out.html"}[command]
    done = crema(command, *maps, "--labels", "all", "-o", name)
    assert done.code == 0, done.err
    text = (tmp_path / name).read_text()
    for label in LABELS:
        assert f">{label}<" in text or f"label {label}" in text


def test_components_of_all_labels_are_listed(crema, maps, tmp_path):
    done = crema("fuse", *maps, "--labels", "all", "--components", "components.csv")
    assert done.code == 0, done.err
    with open(tmp_path / "components.csv", newline="", encoding="utf-8") as table:
        assert {row["label"] for row in csv.DictReader(table)} == {str(label) for label in LABELS}


def test_no_command_with_raters_lacks_labels(crema):
    """The decisions that `apply` reads name them."""
    pages = re.split(r"^## ", crema("manual", "--markdown").out, flags=re.MULTILINE)[1:]
    takes = [page for page in pages if re.search(r"^    crema (check|.* RATER\.\.\.)", page, re.MULTILINE)]
    assert len(takes) == 9
    assert [page.split()[1] for page in takes if "`--labels" not in page] == ["apply"]


def test_a_cohort_has_the_tables_of_its_case(crema, maps, tmp_path):
    assert crema("agreement", *maps, "--labels", "all", "--csv", "alone", "--case", "case").code == 0
    (tmp_path / "data/case").mkdir(parents=True)
    for name in maps:
        (tmp_path / "data/case" / name).symlink_to(tmp_path / name)
    done = crema("cohort", "run", "data", "-o", "run", "--labels", "all", "--layout", "cases")
    assert done.code == 0, done.err
    for table in ("rater_pairs", "raters", "components", "component_raters"):
        rows = [numbers_of(read_csv(tmp_path / folder / f"{table}.csv")) for folder in ("alone", "run")]
        assert rows[0] == rows[1] and len(rows[0]) >= 3, table


def test_regions_go_the_same_way(crema, maps, tmp_path):
    regions = ["--regions", "whole=1+2,core=2"]
    for command in ("agreement", "compare", "background", "check"):
        done = crema(command, *maps, *regions)
        assert done.code == 0, done.err
    assert crema("fuse", *maps, *regions, "-o", "out.nii.gz").code == 0
    assert crema("certify", "out.nii.gz", *maps, *regions).code == 0
