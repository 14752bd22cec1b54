# SPDX-License-Identifier: Apache-2.0
"""The numbers of docs/study.md: intervals beside SciPy and statsmodels, and verdicts that follow from them."""

import csv
import sys
from pathlib import Path

import numpy
import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "bench/study"))
import claims
import cohorts
import intervals
import run
from subject import program  # noqa: F401

WHY = "is not installed; scripts/test makes its environment"
stats = pytest.importorskip("scipy.stats", reason=f"scipy {WHY}")


@pytest.mark.parametrize("seed", range(4))
def test_intervals_of_means_and_ratios_are_those_of_scipy(seed):
    random = numpy.random.default_rng(seed)
    top, bottom = random.lognormal(3, 1, 30), random.lognormal(4, 0.5, 30)
    for ours, data, statistic in (
        (intervals.mean(list(top)), (top,), numpy.mean),
        (intervals.ratio(list(top), list(bottom)), (top, bottom), lambda a, b, axis=-1: a.sum(axis) / b.sum(axis)),
    ):
        theirs = stats.bootstrap(
            data, statistic, paired=len(data) > 1, n_resamples=20000, method="percentile", rng=seed
        )  # fmt: skip
        low, high = theirs.confidence_interval
        assert ours.value == pytest.approx(statistic(*data))
        assert [ours.low, ours.high] == pytest.approx([low, high], abs=0.08 * (high - low))


def test_shares_have_wilsons_interval_and_ranks_are_correlated_as_by_scipy():
    proportion = pytest.importorskip("statsmodels.stats.proportion", reason=f"statsmodels {WHY}")
    for seen, cases in ((0, 8), (8, 8), (338, 347), (3, 40)):
        ours = intervals.share_of(seen, cases)
        low, high = proportion.proportion_confint(seen, cases, method="wilson")
        assert [ours.low / 100, ours.high / 100] == pytest.approx([low, high], abs=1e-6)
    random = numpy.random.default_rng(1)
    a = random.integers(0, 6, 25)
    b = a + random.integers(0, 9, 25)
    assert intervals.spearman(a, b) == pytest.approx(stats.spearmanr(a, b).statistic)


def test_what_rounding_leaves_is_nothing_and_both_ends_have_as_many_digits():
    assert intervals.percent(intervals.mean([5.8e-14, -2e-14, 1e-13])) == "0 % [0 to 0]"
    assert intervals.percent(intervals.Number(9.9, 9.33, 10.4)) == "+9.90 % [+9.33 to +10.4]"
    assert intervals.change(16.64) == "+16.6" and intervals.change(127.3) == "+127"


def test_verdicts_follow_from_intervals():
    up, down, both = (intervals.Number(1, *ends, 9) for ends in ((0.5, 2), (-2, -0.5), (-1, 1)))
    assert intervals.above_zero(up, up) == intervals.HOLDS == intervals.below_zero(down)
    assert intervals.above_zero(up, both) == intervals.OPEN
    assert intervals.above_zero(up, down, both) == intervals.OPPOSITE
    assert intervals.above_zero(intervals.Number(1, cases=1)) is None
    result = claims.claim("J & D (tab:5)", "tab:5.", "How.", ["n"], [["a", "1"], ["b", "2"]], {"a": intervals.OPEN})
    assert result.verdict == "Open" and "[J & D (tab:5)](#j--d-tab5) | Open" in claims.index([result])
    assert "| a | 1 | open |" in result.section and "| b | 2 |  |" in result.section


def test_the_page_has_every_claim_with_numbers_of_the_tables(program, tmp_path, monkeypatch, capsys):
    kept = {name: cohorts.PHANTOMS[name] for name in ("lesions", "cord")}
    monkeypatch.setattr(cohorts, "PHANTOMS", kept)
    run.main(program, str(tmp_path / "work"), str(tmp_path / "nowhere"), "--quick")
    page = capsys.readouterr().out
    headings = [line[4:] for line in page.splitlines() if line.startswith("### ")]
    listed = [line[3 : line.index("](#")] for line in page.splitlines() if line.startswith("| [")]
    assert len(listed) > 25 and listed == headings[: len(listed)]
    for table in ("tab:1", "tab:3", "tab:4_0", "tab:4", "tab:5", "tab:6", "tab:7", "tab:8", "tab:9", "tab:10", "icc"):
        assert any(name.startswith(f"{table}:") for name in headings), table
    assert "nan" not in page and "None" not in page
    for name in (path.name for path in (tmp_path / "work-quick/cord").iterdir() if path.name.startswith("run")):
        assert f"-o {name} " in page, name
    sizes = {}
    with open(tmp_path / "work-quick/cord/run/methods.csv", newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            sizes.setdefault(row["method"], []).append(float(row["voxels"]))
    change = numpy.mean(100 * (numpy.array(sizes["jaccard"]) / sizes["majority"] - 1))
    assert f"| cord | 4 | {intervals.change(change)} % [" in page
