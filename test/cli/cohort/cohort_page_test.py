# SPDX-License-Identifier: Apache-2.0
"""cohort.html: what it holds and where it leads. test/report/ opens it in a browser."""

import re
import urllib.parse

import pytest
from cohort_kit import RATERS, bytes_of, make_cohort, mask, place, read_table, save, write_manifest
from report_test import Page

NAMES = ["plain", "<script>alert(1)</script>", "a&b \"c\" 'd'", "\u202egnp.exe", "x" * 300, "%41..#?"]


def page_of(run):
    text = (run / "cohort.html").read_text(encoding="utf-8")
    return text, Page(text)


@pytest.fixture
def odd_names(crema, tmp_path):
    """Cases of all sorts of names, one of which cannot be fused."""
    make_cohort(tmp_path / "data", cases=len(NAMES))
    (tmp_path / "odd.nii.gz").write_bytes(b"no mask at all")
    rows = [(n, RATERS[r], f"data/{place('cases', c, r)}") for c, n in enumerate(NAMES) for r in range(3)]
    rows += [("bad <b>", "anna", "data/case00/anna.nii.gz"), ("bad <b>", "ben", "odd.nii.gz")]
    write_manifest(tmp_path / "all.tsv", rows)
    assert crema("cohort", "run", "all.tsv", "-o", "run", "--report").code == 5
    return tmp_path / "run"


def test_every_case_and_every_reason_is_on_the_page(odd_names):
    text, page = page_of(odd_names)
    listed = [row[0] for row in page.tables["cases"][1:]]
    assert sorted(listed) == sorted([*(name.replace("\u202e", "\ufffd") for name in NAMES), "bad <b>"])
    failure = read_table(odd_names / "failures.csv")[0]
    reply = [cell.strip() for cell in page.tables["failures"][1]]
    assert reply == ["bad <b>", failure["class"], "no", failure["message"]] and len(page.tables["failures"]) == 2
    assert "alert(1)" in text and "<script>alert" not in text and "\u202e" not in text


def test_a_name_leads_to_the_case_s_report(odd_names):
    text, _ = page_of(odd_names)
    links = re.findall(r'<tr id="case-\d+"[^>]*><th scope="row"><a href="([^"]*)"', text)
    assert len(links) == len(NAMES)
    for link in links:
        assert (odd_names / urllib.parse.unquote(link)).is_file(), link


def test_its_numbers_are_those_of_the_tables(crema, tmp_path):
    make_cohort(tmp_path / "data")
    assert crema("cohort", "run", "data", "-o", "run", "-m", "dice,staple").code == 0
    _, page = page_of(tmp_path / "run")
    raters = [row for row in read_table(tmp_path / "run/raters.csv") if row["method"] == "dice"]
    cases = {row["case"]: row for row in read_table(tmp_path / "run/cases.csv")}
    for row in page.tables["cases"][1:]:
        own = [float(other["dice"]) for other in raters if other["case"] == row[0]]
        assert row[8] == f"{min(own):.3f}" and row[7] == f"{sum(own) / len(own):.3f}"
        assert row[6] == f"{float(cases[row[0]]['positive_agreement']):.3f}"
        assert row[9] == cases[row[0]]["outlier"]
    assert [row[0] for row in page.tables["means"][1:]] == ["dice", "staple"]
    assert [row[:2] for row in page.tables["raters"][1:]] == [[name, "5"] for name in RATERS]


def test_nothing_is_fetched_and_no_other_script_runs(crema, tmp_path):
    make_cohort(tmp_path / "data", cases=2)
    assert crema("cohort", "run", "data", "-o", "run").code == 0
    text, page = page_of(tmp_path / "run")
    assert page.policy.startswith("default-src 'none'; script-src 'sha256-")
    assert "'unsafe-inline'" not in page.policy.split("style-src")[0]
    assert re.findall('<script type="([^"]*)"', text) == ["application/json", "module"] and text.count("<script") == 2
    assert not re.search(r'(src|href)="(https?:)?//', text)


def test_shards_and_one_machine_make_the_same_pages(crema, tmp_path):
    make_cohort(tmp_path / "data", cases=4)
    assert crema("cohort", "run", "data", "-o", "whole", "--report").code == 0
    assert crema("cohort", "plan", "data", "-o", "parts", "--shards", "2", "--report").code == 0
    for shard in "12":
        assert crema("cohort", "run", "--shard", shard, "-o", "parts").code == 0
    assert crema("cohort", "merge", "parts").code == 0
    parts = {path: reply for path, reply in bytes_of(tmp_path / "parts").items() if not path.startswith("plan")}
    assert parts == bytes_of(tmp_path / "whole")
    assert "cohort.html" in parts and "cases/case03/report.html" in parts


def test_a_report_is_part_of_its_case(crema, tmp_path):
    make_cohort(tmp_path / "data", cases=2)
    assert crema("cohort", "run", "data", "-o", "run", "--report").code == 0
    page = tmp_path / "run/cases/case01/report.html"
    result = page.read_bytes()
    assert b"crema report case01/anna.nii.gz case01/ben.nii.gz" in result
    page.write_bytes(result[:100])
    again = crema("cohort", "run", "data", "-o", "run", "--report")
    assert "1 made, 1 already there" in again.out and page.read_bytes() == result
    refused = crema("cohort", "run", "data", "-o", "run")
    assert refused.code == 2 and "other settings" in refused.err
    assert crema("cohort", "run", "data", "-o", "run", "--force").code == 0
    assert not page.exists() and 'href="cases/' not in page_of(tmp_path / "run")[0]


def test_a_case_that_nobody_drew_has_no_report_and_does_not_fail(crema, tmp_path):
    for rater in RATERS:
        save(tmp_path / f"data/case00/{rater}.nii.gz", mask(0, 0) * 0)
        save(tmp_path / f"data/case01/{rater}.nii.gz", mask(1, 0))
    assert crema("cohort", "run", "data", "-o", "run", "--report").code == 0
    _, page = page_of(tmp_path / "run")
    assert [row[1] for row in page.tables["cases"][1:]] == ["done", "done"]
    assert not (tmp_path / "run/cases/case00/report.html").exists()


def test_a_cohort_of_which_nothing_could_be_done_has_a_page(crema, tmp_path):
    write_manifest(tmp_path / "all.tsv", [("one", "anna", "nowhere.nii.gz")])
    assert crema("cohort", "run", "all.tsv", "-o", "run").code == 5
    _, page = page_of(tmp_path / "run")
    assert "nowhere.nii.gz" in page.tables["failures"][1][3] and page.tables["cases"][1][0] == "one"
