# SPDX-License-Identifier: Apache-2.0
"""`crema compare`, and the table of `crema fuse` with several methods: in the terms of plain readings."""

import json

import numpy
import pytest
from conftest import blob
from plain import DISTANCES, HARD, components, lmsd, random_raters, read_csv, voxels
from refusal_test import refused

METHODS = [
    "case",
    "method",
    "paper_name",
    "kind",
    "blocks",
    "empty_test",
    "connectivity",
    "slice_wise",
    "prior",
    "region",
    "components",
    "kept",
    "parts",
    "isolated",
    "voxels",
    "soft_volume",
    "volume_mm3",
    "entropy",
    "lmsd_jaccard",
    "lmsd_dice",
    "lmsd_soergel",
    "lmsd_tanimoto",
    "lmsd_dice1",
    "lmsd_dice2",
    "lmsd_hamming",
    "lmsd_hamming1",
    "lmsd_tversky",
    "lmsd_tversky1",
    "lower_bound",
    "proven",
    "size_vs_majority_pct",
    "soft_vs_average_pct",
    "read_s",
    "count_s",
    "solve_s",
    "write_s",
    "iterations",
    "converged",
]
PAIRS = ["case", "method_a", "method_b", "dice", "jaccard"]


@pytest.fixture
def compare(crema, tmp_path):
    def run(*arguments):
        result = crema("compare", *arguments, "--csv", "tables", "--json", "-", "--force")
        assert result.code == 0, result
        return json.loads(result.out), *(read_csv(tmp_path / f"tables/{n}.csv") for n in ("methods", "method_pairs"))

    return run


@pytest.mark.parametrize("seed", [31, 32])
def test_every_column_is_what_the_images_say(crema, compare, save, tmp_path, seed):
    names, masks = random_raters(save, seed)
    record, rows, pairs = compare(*names, "--methods", "all", "--case", "one")
    assert list(rows[0])[: len(METHODS)] == METHODS and list(pairs[0])[: len(PAIRS)] == PAIRS
    assert crema("fuse", *names, "-m", "all", "-o", "all", "-q").code == 0
    images = {row["method"]: voxels(tmp_path / f"all/{row['method']}.nii.gz").astype(float) for row in rows}
    majority, average = (images["majority"] > 0.5).sum(), images["average"].sum()
    for row in rows:
        image = images[row["method"]]
        parts = list(components(image > 0.5))
        assert (row["case"], int(row["voxels"])) == ("one", (image > 0.5).sum())
        assert (int(row["parts"]), int(row["isolated"])) == (len(parts), sum(p.sum() == 1 for p in parts))
        assert float(row["soft_volume"]) == pytest.approx(image.sum(), rel=1e-5)
        for distance in DISTANCES:
            seen = (image > 0.5) if distance in HARD else image
            want = lmsd(seen, masks, distance)
            assert float(row[f"lmsd_{distance}"]) == pytest.approx(want, rel=1e-4, abs=1e-6), (row["method"], distance)
        assert float(row["size_vs_majority_pct"]) == pytest.approx(100 * ((image > 0.5).sum() / majority - 1))
        assert float(row["soft_vs_average_pct"]) == pytest.approx(100 * (image.sum() / average - 1), rel=1e-3, abs=1e-3)
        assert (row["iterations"] != "") == (row["converged"] != "")
        assert (row["blocks"] != "") == (row["method"] in DISTANCES)
    for row in pairs:
        a, b = images[row["method_a"]] > 0.5, images[row["method_b"]] > 0.5
        assert float(row["dice"]) == pytest.approx(2 * (a & b).sum() / (a.sum() + b.sum()))
    assert len(pairs) == len(rows) * (len(rows) - 1) // 2
    assert [m["method"] for m in record["methods"]] == [row["method"] for row in rows]


def test_a_proof_is_told_where_there_is_one(compare, save):
    names, _ = random_raters(save, 33)
    _, rows, _ = compare(*names, "--methods", "jaccard,majority", "--certify")
    assert float(rows[0]["lower_bound"]) <= float(rows[0]["lmsd_jaccard"]) + 1e-9 and rows[0]["proven"] == "true"
    assert rows[1]["lower_bound"] == "" and rows[1]["proven"] == ""


def test_the_paper_is_the_default_and_the_text_fits(crema, save):
    names, _ = random_raters(save, 34)
    result = crema("compare", *names)
    assert result.code == 0, result
    assert max(map(len, result.out.splitlines())) <= 80
    heads = [line.split()[2:] for line in result.out.splitlines() if line.startswith("LMSD in")]
    assert sorted(name for head in heads for name in head) == sorted(DISTANCES)
    assert "staple" in result.out and "shape" not in result.out.split("warnings")[0].replace("shapes", "")


def test_fuse_with_several_methods_prints_aligned_tables(crema, save):
    names, _ = random_raters(save, 35)
    result = crema("fuse", *names, "-m", "all", "-o", "out")
    assert result.code == 0, result
    lines = result.err.splitlines()
    start = next(i for i, line in enumerate(lines) if line.startswith("method "))
    block = lines[start : lines.index("", start)]
    assert len({len(line) for line in block}) == 1 and len(block[0]) <= 80
    assert any(line.startswith("LMSD in") for line in lines)
    alone = crema("fuse", *names, "-m", "dice", "-o", "dice.nii.gz")
    assert " in dice" in next(line for line in alone.err.splitlines() if "LMSD" in line)


def test_all_empty_has_no_percentages(compare, save):
    names = [save(f"e{k}.nii.gz", numpy.zeros_like(blob(0))) for k in range(3)]
    record, rows, pairs = compare(*names)
    assert rows[0]["size_vs_majority_pct"] == "" and pairs[0]["dice"] == ""
    assert record["methods"][0]["undefined"]["size_vs_majority_pct"] == "the reference is empty"


def test_no_provenance_means_the_same_bytes(crema, raters):
    runs = [crema("compare", *raters, "--json", "-", "--no-provenance") for _ in range(2)]
    assert runs[0].code == 0 and runs[0].out == runs[1].out


@pytest.mark.parametrize(
    "arguments, part", [(["--methods", "jacard"], "jaccard"), (["--csv", "rater-1.nii.gz"], "folder")]
)
def test_what_makes_no_sense_is_refused(crema, raters, nothing_new, arguments, part):
    nothing_new.start()
    refused(crema("compare", *raters, *arguments), 2, part)
    nothing_new.check()
