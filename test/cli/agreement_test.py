# SPDX-License-Identifier: Apache-2.0
"""`crema agreement`: the numbers are those of plain readings of the masks, and the columns are the promised ones."""

import itertools
import json

import numpy
import pytest
from conftest import AFFINE, blob
from plain import components, random_raters, voxels
from refusal_test import refused

PAIRS = [
    "case",
    "rater_a",
    "rater_b",
    "dice",
    "jaccard",
    "volume_difference_mm3",
    "hausdorff_mm",
    "hd95_mm",
    "assd_mm",
    "nsd",
]
RATERS = [
    "case",
    "method",
    "rater",
    "voxels",
    "volume_mm3",
    "precision",
    "recall",
    "f1",
    "dice",
    "jaccard",
    "hd95_mm",
    "assd_mm",
    "sensitivity",
    "specificity",
    "det_precision",
    "det_recall",
    "det_f1",
]
COMPONENTS = [
    "case",
    "method",
    "component",
    "box",
    "union_voxels",
    "consensus_voxels",
    "kept",
    "margin",
    "criterion",
    "bootstrap_kept",
    "rule",
    "rule_exceptions",
]
COMPONENT_RATERS = [
    "case",
    "method",
    "component",
    "rater",
    "present",
    "precision",
    "recall",
    "f1",
    "rater_voxels",
    "common_voxels",
    "weight_found",
    "flip_weight",
]


def number(text):
    return None if text == "" else float(text)


def ratio(part, whole):
    return None if whole == 0 else part / whole


def surface(mask):
    """Places in mm of the voxels with a face neighbour outside."""
    padded = numpy.pad(mask, 1)
    inner = numpy.ones(mask.shape, bool)
    for axis, step in itertools.product(range(3), (-1, 1)):
        inner &= numpy.roll(padded, step, axis)[1:-1, 1:-1, 1:-1]
    return numpy.argwhere(mask & ~inner) * numpy.diag(AFFINE)[:3]


def directed(a, b):
    return numpy.sqrt(((a[:, None] - b[None]) ** 2).sum(2)).min(1)


def plain_surfaces(a, b, tolerance):
    there, back = directed(surface(a), surface(b)), directed(surface(b), surface(a))
    both = numpy.concatenate([there, back])
    return {
        "hausdorff_mm": both.max(),
        "hd95_mm": max(numpy.percentile(there, 95), numpy.percentile(back, 95)),
        "pooled": numpy.percentile(both, 95),
        "assd_mm": both.mean(),
        "masd_mm": (there.mean() + back.mean()) / 2,
        "nsd": (both <= tolerance).mean(),
    }


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_pairs_are_what_the_masks_say(agree, save, seed):
    names, masks = random_raters(save, seed)
    masks = [mask != 0 for mask in masks]
    record, tables = agree(*names, "--surface-tolerance", "1.5", "--case", "mine")
    assert list(tables["rater_pairs"][0])[: len(PAIRS)] == PAIRS
    assert [(r["rater_a"], r["rater_b"]) for r in tables["rater_pairs"]] == list(itertools.combinations(names, 2))
    for row, (a, b) in zip(tables["rater_pairs"], itertools.combinations(masks, 2)):
        both = (a & b).sum()
        assert row["case"] == "mine"
        assert float(row["dice"]) == pytest.approx(2 * both / (a.sum() + b.sum()))
        assert float(row["jaccard"]) == pytest.approx(both / (a | b).sum())
        assert float(row["volume_difference_mm3"]) == pytest.approx(3 * (int(a.sum()) - int(b.sum())))
        want = plain_surfaces(a, b, 1.5)
        for column in ("hausdorff_mm", "hd95_mm", "assd_mm", "masd_mm", "nsd"):
            assert float(row[column]) == pytest.approx(want[column]), column
    assert [row["dice"] for row in record["pairs"]] == [float(row["dice"]) for row in tables["rater_pairs"]]
    pooled, _ = agree(*names, "--hd95", "pooled")
    for row, (a, b) in zip(pooled["pairs"], itertools.combinations(masks, 2)):
        assert row["hd95_mm"] == pytest.approx(plain_surfaces(a, b, 1)["pooled"])


def test_the_headline_is_free_of_background_and_kappa_is_not(agree, save):
    names, masks = random_raters(save, 5)
    record, _ = agree(*names)
    n = numpy.sum(masks, axis=0, dtype=int)
    assert record["positive_agreement"] == pytest.approx((n * (n - 1)).sum() / ((len(masks) - 1) * n.sum()))
    chance = record["chance_corrected"]
    assert (chance["region"], chance["voxels"]) == ("full", n.size)
    kappas = [at["fleiss_kappa"] for at in chance["moves"]]
    assert kappas == sorted(kappas) and kappas[0] < kappas[-1]
    small, _ = agree(*names, "--roi", "union")
    assert small["chance_corrected"]["voxels"] == (n > 0).sum()
    assert small["positive_agreement"] == record["positive_agreement"]
    assert small["chance_corrected"]["fleiss_kappa"] < chance["fleiss_kappa"]


@pytest.mark.parametrize("method", ["jaccard", "tanimoto", "staple"])
def test_raters_beside_a_consensus_are_what_the_images_say(crema, agree, save, tmp_path, method):
    names, masks = random_raters(save, 11)
    assert crema("fuse", *names, "-m", method, "-o", "c.nii.gz").code == 0
    truth = voxels(tmp_path / "c.nii.gz") > 0.5
    record, tables = agree(*names, "--methods", method)
    assert list(tables["raters"][0])[: len(RATERS)] == RATERS
    own, found = list(components(truth)), record["consensuses"][0]
    assert (found["voxels"], found["parts"]) == (truth.sum(), len(own))
    for row, mask in zip(tables["raters"], masks):
        mask = mask != 0
        both, parts = (mask & truth).sum(), list(components(mask))
        assert (row["method"], int(row["voxels"])) == (method, mask.sum())
        assert number(row["precision"]) == pytest.approx(ratio(both, mask.sum()))
        assert number(row["recall"]) == pytest.approx(ratio(both, truth.sum()))
        assert number(row["f1"]) == number(row["dice"]) == pytest.approx(2 * both / (mask.sum() + truth.sum()))
        assert number(row["hd95_mm"]) == pytest.approx(plain_surfaces(mask, truth, 1)["hd95_mm"])
        assert number(row["det_recall"]) == pytest.approx(ratio(sum((p & mask).any() for p in own), len(own)))
        assert number(row["det_precision"]) == pytest.approx(ratio(sum((p & truth).any() for p in parts), len(parts)))
        assert (row["sensitivity"] != "") == (method == "staple")


def test_components_are_told_one_by_one(crema, agree, save, tmp_path):
    names, masks = random_raters(save, 12)
    assert crema("fuse", *names, "-o", "c.nii.gz").code == 0
    truth = voxels(tmp_path / "c.nii.gz") > 0
    record, tables = agree(*names)
    assert list(tables["components"][0]) == COMPONENTS
    assert list(tables["component_raters"][0]) == COMPONENT_RATERS
    unions = {int(part.sum()): part for part in components(numpy.any(masks, axis=0))}
    assert len(tables["components"]) == record["components"]
    parts = {}
    for row in tables["components"]:
        x, y, z = (slice(*map(int, axis.split(":"))) for axis in row["box"].split())
        inside = numpy.zeros(truth.shape, bool)
        inside[x, y, z] = True
        part = parts[row["component"]] = unions[int(row["union_voxels"])]
        assert (part <= inside).all()
        assert row["kept"] == str((truth & part).any()).lower()
        assert int(row["consensus_voxels"]) == (truth & part).sum()
        assert (float(row["margin"]) > 0) == (row["kept"] == "true")
    rows = [(row["component"], row["rater"]) for row in tables["component_raters"]]
    assert rows == [(component, name) for component in parts for name in names]
    for row in tables["component_raters"]:
        part = parts[row["component"]]
        mask = (masks[names.index(row["rater"])] != 0) & part
        both = (mask & truth).sum()
        assert row["present"] == str(mask.any()).lower()
        assert (int(row["rater_voxels"]), int(row["common_voxels"])) == (mask.sum(), both)
        assert number(row["precision"]) == pytest.approx(ratio(both, mask.sum()))
        assert number(row["recall"]) == pytest.approx(ratio(both, (truth & part).sum()))


def test_a_consensus_file_is_judged_like_the_method_that_made_it(crema, agree, save, tmp_path):
    names, _ = random_raters(save, 13)
    assert crema("fuse", *names, "-o", "c.nii.gz").code == 0
    built, _ = agree(*names)
    read, tables = agree(*names, "--consensus", "c.nii.gz")
    assert read["consensuses"][0]["name"] == "c.nii.gz" and read["consensuses"][0]["method"] is None
    for a, b in zip(built["consensuses"][0]["raters"], read["consensuses"][0]["raters"]):
        assert {k: a[k] for k in ("precision", "recall", "hd95_mm", "det_f1", "lesion_f1")} == {
            k: b[k] for k in ("precision", "recall", "hd95_mm", "det_f1", "lesion_f1")
        }
    assert tables["components"][0]["margin"] == ""
    assert "file" in read["consensuses"][0]["component_table"][0]["undefined"]["margin"]


def test_raters_of_one_name_are_told_apart_by_their_folders(agree, save, tmp_path):
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
    save("a/lesion.nii.gz", blob(0))
    save("b/lesion.nii.gz", blob(1))
    save("a/x,y.nii.gz", blob(2))
    record, tables = agree("a/lesion.nii.gz", "b/lesion.nii.gz", "a/x,y.nii.gz")
    assert [r["name"] for r in record["raters"]] == ["a/lesion.nii.gz", "b/lesion.nii.gz", "x,y.nii.gz"]
    assert record["case"] == tmp_path.name
    assert {row["rater_b"] for row in tables["rater_pairs"]} == {"b/lesion.nii.gz", "x,y.nii.gz"}


def test_the_text_fits_eighty_columns_and_names_raters(crema, save):
    names = [save(f"a-rather-long-name-of-rater-{k}.nii.gz", blob(k % 3)) for k in range(4)]
    result = crema("agreement", *names, "--leave-one-out", "fixed", "--bootstrap", "5", "--flip-weights")
    assert result.code == 0, result
    assert max(map(len, result.out.splitlines())) <= 80
    for part in ("positive agreement", "Fleiss' kappa", "the full image", "ater-3", "outlier", "bootstrap"):
        assert part in result.out, part


def test_the_outlier_and_a_mirrored_mask_are_named(crema, save):
    names = [save(f"r{k}.nii.gz", blob(0, (24, 10, 6))) for k in range(3)]
    names.append(save("odd.nii.gz", numpy.ascontiguousarray(blob(0, (24, 10, 6))[::-1])))
    result = crema("agreement", *names, "--json", "-")
    record = json.loads(result.out)
    assert record["outlier"] == "odd.nii.gz"
    (suspicion,) = record["suspicions"]
    assert (suspicion["rater"], suspicion["kind"], suspicion["dice"]) == ("odd.nii.gz", "flipped", 1)
    assert "mirrored along x" in result.err


# What is undefined


def test_one_rater_two_raters_and_nobody(agree, save):
    empty = [save(f"e{k}.nii.gz", numpy.zeros_like(blob(0))) for k in range(3)]
    full = [save(f"r{k}.nii.gz", blob(k)) for k in range(2)]
    one, _ = agree(full[0])
    assert one["positive_agreement"] is None and "only one rater" in one["undefined"]["positive_agreement"]
    two, _ = agree(*full)
    assert two["outlier"] is None and "at least three raters" in two["undefined"]["outlier"]
    assert two["positive_agreement"] == pytest.approx(two["pairs"][0]["dice"])
    none, tables = agree(*empty)
    assert none["undefined"]["positive_agreement"] == "no rater marked anything"
    pair = none["pairs"][0]
    assert pair["dice"] is None and pair["hd95_mm"] is None and "empty" in pair["undefined"]["hd95_mm"]
    assert tables["rater_pairs"][0]["dice"] == ""
    assert tables["components"] == tables["component_raters"] == []
    mixed, _ = agree(full[0], empty[0], full[1])
    assert mixed["pairs"][0]["dice"] == 0 and mixed["pairs"][0]["hausdorff_mm"] is None


# Confidence


def test_a_consensus_on_another_grid_is_refused(crema, raters, save, nothing_new):
    other = save("other.nii.gz", blob(0), numpy.diag([1.0, 2.0, 3.0, 1.0]))
    nothing_new.start()
    refused(crema("agreement", *raters, "--consensus", other, "--csv", "tables"), 3, "other.nii.gz")
    nothing_new.check()


@pytest.mark.parametrize(
    "arguments, part",
    [
        (["--consensus", "rater-1.nii.gz", "--methods", "dice"], "give one of them"),
        (["--consensus", "rater-1.nii.gz", "--bootstrap", "5"], "--methods"),
        (["--consensus", "rater-1.nii.gz", "--blocks", "group"], "--blocks"),
        (["--seed", "3"], "--bootstrap"),
        (["--margin", "3"], "--roi"),
        (["--review", "places.txt"], ".mrk.json"),
        (["--review", "places.csv", "--methods", "jaccard,dice"], "one method"),
        (["--review", "places.csv", "--methods", "staple"], "staple"),
        (["--tolerance", "1"], "Did you mean --surface-tolerance?"),
        (["--surface-tolerance", "-1"], "--surface-tolerance"),
        (["--hd95", "mean"], "--hd95"),
        (["--leave-one-out", "all"], "--leave-one-out"),
        (["--bootstrap", "0"], "--bootstrap"),
        (["--csv", "rater-1.nii.gz"], "folder"),
        (["--json", "rater-1.nii.gz"], "input"),
    ],
)
def test_what_makes_no_sense_is_refused(crema, raters, nothing_new, arguments, part):
    nothing_new.start()
    refused(crema("agreement", *raters, *arguments), 2, part)
    nothing_new.check()


def test_leaving_out_the_only_rater_is_refused(crema, raters):
    refused(crema("agreement", raters[0], "--leave-one-out", "fixed"), 3, "rater")
