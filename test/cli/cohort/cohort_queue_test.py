# SPDX-License-Identifier: Apache-2.0
"""What to look at first: review.csv, the queue on the page, pictures of slices, and statistics over cases."""

import base64
import io
import json

import numpy
import pytest
from cohort_kit import RATERS, make_cohort, read_table, save, write_manifest
from report_test import Page

ORDER = ["flips", "left_out", "zone"]


def page_of(run):
    return Page((run / "cohort.html").read_text(encoding="utf-8"))


def noise(seed, shape=(16, 14, 8), share=0.2):
    return (numpy.random.default_rng(seed).random(shape) < share).astype(numpy.uint8)


def noisy_cohort(folder, cases=3, raters=4):
    for case in range(cases):
        for rater in range(raters):
            blob = numpy.zeros((16, 14, 8), numpy.uint8)
            blob[2 : 9 + rater % 2, 2:9, 1:6] = 1
            save(folder / f"case{case:02}/r{rater}.nii.gz", blob ^ (noise(10 * case + rater, share=0.03)))


def is_shown_as(value, cell):
    """Numbers with three or more digits, what is empty as a dash."""
    text = cell.strip().replace("−", "-").replace("\u202f", "")
    if value == "" or text == value:
        return text == (value or "–")
    return abs(float(text) - float(value)) <= max(abs(float(value)) / 200, 5.1e-4)


def test_the_table_is_the_list_of_each_case(crema, tmp_path):
    noisy_cohort(tmp_path / "data")
    assert crema("cohort", "run", "data", "-o", "run", "--methods", "jaccard,staple").code == 0
    merged = read_table(tmp_path / "run/review.csv")
    for case in ("case00", "case01", "case02"):
        masks = [f"data/{case}/r{rater}.nii.gz" for rater in range(4)]
        words = ("agreement", *masks, "--methods", "jaccard", "--case", case, "--review", "one.csv", "--places", "25")
        assert crema(*words, "--force").code == 0
        alone = read_table(tmp_path / "one.csv")
        own = [row for row in merged if row["case"] == case]
        assert 0 < len(own) <= 25
        same = ["rank", "reason", "component", "voxels", "fall", "box", "first_voxel"]
        assert [[row[name] for name in same] for row in own] == [[row[name] for name in same] for row in alone]


def test_the_queue_is_in_one_order_over_all_cases(crema, tmp_path):
    noisy_cohort(tmp_path / "data", cases=4)
    assert crema("cohort", "run", "data", "-o", "run").code == 0
    rows = read_table(tmp_path / "run/review.csv")
    expected = sorted(
        rows,
        key=lambda r: (ORDER.index(r["reason"]), -float(r["fall"]), -int(r["voxels"]), r["case"], int(r["component"])),
    )
    queue = page_of(tmp_path / "run").tables["queue"][1:]
    assert [[row[2], row[4], row[5]] for row in queue] == [[r["case"], r["kind"], r["component"]] for r in expected]


def test_a_method_without_a_criterion_has_no_queue(crema, tmp_path):
    make_cohort(tmp_path / "data", cases=2)
    assert crema("cohort", "run", "data", "-o", "run", "-m", "majority").code == 0
    assert read_table(tmp_path / "run/review.csv") == []
    text = (tmp_path / "run/cohort.html").read_text(encoding="utf-8")
    assert "majority does not decide component by component" in text


def test_a_picture_shows_the_slice_that_raters_dispute_most_of_those_with_a_consensus(crema, tmp_path):
    image = pytest.importorskip("PIL.Image")
    small, large = numpy.zeros((40, 20, 6), numpy.uint8), numpy.zeros((40, 20, 6), numpy.uint8)
    small[10:20, 5:10, 1:5] = 1
    large[10:20, 5:10, 1:5] = 1
    large[4:36, 4:16, 3] = 1
    large[2:38, 2:18, 0] = 1  # more is disputed here, but nothing is agreed
    for rater, mask in zip(RATERS, (small, small, large), strict=True):
        save(tmp_path / f"data/case00/{rater}.nii.gz", mask)
        save(tmp_path / f"data/case01/{rater}.nii.gz", mask * 0)
    assert crema("cohort", "run", "data", "-o", "run").code == 0
    record = json.loads((tmp_path / "run/cases/case00/result.json").read_text())
    raw = base64.b64decode(record["thumbnail"])
    grey = numpy.asarray(image.open(io.BytesIO(raw)))
    assert max(grey.shape) == 96 and len(raw) < 2000
    # One vote, all votes, and the outline of the consensus on paper.
    assert set(numpy.unique(grey)) == {0, 110, 220, 255}
    assert (grey == 220).sum() > 5 * (grey == 110).sum()
    assert "thumbnail" not in json.loads((tmp_path / "run/cases/case01/result.json").read_text())


def test_what_statistics_show_are_the_numbers_of_the_study(crema, tmp_path):
    noisy_cohort(tmp_path / "data", cases=5)
    requested = ("--raters-persist", "--panel")
    assert crema("cohort", "run", "data", "-o", "run", *requested).code == 0
    first = (tmp_path / "run/cohort.html").read_bytes()
    assert crema("study", "run", "-o", "tables", "--raters", *requested).code == 0
    page = page_of(tmp_path / "run")
    for table, name in (("effects", "effects"), ("limits", "loam"), ("panel", "panel")):
        rows = read_table(tmp_path / f"tables/{name}.csv")
        assert len(page.tables[table]) == len(rows) + 1
        for shown, row in zip(page.tables[table][1:], rows, strict=True):
            for cell, value in zip(shown, row.values(), strict=True):
                assert is_shown_as(value, cell), (table, cell, value)
    assert crema("cohort", "merge", "run", *requested).code == 0
    assert (tmp_path / "run/cohort.html").read_bytes() == first
    assert crema("cohort", "merge", "run").code == 0
    assert b'id="statistics"' not in (tmp_path / "run/cohort.html").read_bytes()


def test_statistics_need_the_tables_and_no_shard(crema, tmp_path):
    make_cohort(tmp_path / "data", cases=2)
    assert crema("cohort", "plan", "data", "-o", "parts", "--shards", "2").code == 0
    reply = crema("cohort", "run", "--shard", "1", "-o", "parts", "--panel")
    assert reply.code == 2 and "crema cohort merge" in reply.err
    reply = crema("cohort", "run", "data", "-o", "run", "--tables", "none", "--panel")
    assert reply.code == 3 and "--tables full" in reply.err


def test_a_hostile_name_is_text_in_the_queue(crema, tmp_path):
    noisy_cohort(tmp_path / "data", cases=1)
    name = "</script><b>\u202ex"
    write_manifest(tmp_path / "all.tsv", [(name, f"r<{k}>", f"data/case00/r{k}.nii.gz") for k in range(4)])
    assert crema("cohort", "run", "all.tsv", "-o", "run").code == 0
    text = (tmp_path / "run/cohort.html").read_text(encoding="utf-8")
    page = Page(text)
    assert page.tables["queue"][1][2] == name.replace("\u202e", "\ufffd")
    assert "\u202e" not in text and "</script><b>" not in text and "r<1>" not in text
