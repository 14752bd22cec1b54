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
import findings_scores
import findings_sizes
import intervals
import run
import tables
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
    assert intervals.above_zero(up, intervals.Number(1, 0.5, 2, 4)) is None  # too few cases
    result = claims.claim("J & D (tab:5)", "tab:5.", "How.", ["n"], [["a", "1"], ["b", "2"]], {"a": intervals.OPEN},
                          files=["run/cases"])  # fmt: skip
    assert claims.verdict({"a (odd K)": intervals.OPEN, "a (even K)": intervals.HOLDS, "b": None}, "groups") == (
        "Holds in 1 of 2 groups; open in a (odd K)"
    )
    assert result.verdict == "Open" and "[J & D (tab:5)](#j--d-tab5) | Open" in claims.index([result])
    assert "| a | 1 | open |" in result.section and "| b | 2 |  |" in result.section


RUNS = ("run", "run-group", "run-votes", "run-ties")


@pytest.fixture
def mixed(tmp_path):
    """Six cases of three raters, `jaccard` smaller than the vote in half of them; six of four, where ties hide it."""
    sizes = {"majority": [100] * 12, "jaccard": [90, 90, 90, 110, 110, 110] + [104] * 6, "dice": [100] * 12,
             "local-majority": [100] * 12, "average": [100] * 12, "tanimoto": [98] * 12, "soergel": [99] * 12,
             "dice2": [101] * 12, "dice1": [102] * 12}  # fmt: skip
    for run_name in RUNS:
        (tmp_path / run_name).mkdir()
        rows = ["case,method,voxels,soft_volume"]
        for method, values in sizes.items():
            for c, value in enumerate(values):
                tied = 10 * (run_name == "run-ties" and c >= 6)  # what four raters tie on
                more = tied if "majority" in method else 0
                rows.append(f"{c},{method},{value + more},{value}")
        (tmp_path / run_name / "methods.csv").write_text("\n".join(rows) + "\n")
        cases = ["case,status,raters", *(f"{c},done,{3 if c < 6 else 4}" for c in range(12))]
        (tmp_path / run_name / "cases.csv").write_text("\n".join(cases) + "\n")
    (tmp_path / "facts.json").write_text("{}")
    return [tables.Cohort(tmp_path, None)]


def test_votes_with_ties_do_not_hide_what_is_smaller(mixed):
    name = mixed[0].name
    never = findings_sizes.never_smaller(mixed)
    assert never.verdict == (
        "Holds in none of 2 groups of cases; does not hold in all cases (odd K); open in all cases (even K)"
    )
    assert f"| {name} (odd K) | 3 | 50 % [" in never.section and f"| {name} (even K) | 4 | 100 % [" in never.section
    # The control takes ties in: all six of four raters are smaller than that.
    whole = "100 % [61 to 100]"
    assert f"| all cases (even K) |  | {whole} | {whole} | 0 % [0 to 39] | 6 | open |" in never.section
    soft = findings_sizes.soft_less(mixed)
    assert {f"{name} (odd K)", f"{name} (even K)"} <= {line.split(" | ")[0][2:] for line in soft.section.splitlines()}


class Scores:
    """A cohort in which the best method depends on what 0/0 counts."""

    name = "made"

    def several(self):
        return True

    def score(self, table, method, measure, less=None, left_out=False):
        return intervals.Number(1, *((0.5, 2) if left_out else (-2, -0.5)), 9)


def test_a_verdict_on_scores_is_given_for_both_conventions_of_nothing_by_nothing():
    result = findings_scores.highest_f1([Scores()], "tab_4_0", "tab:4_0")
    assert result.verdict == "Holds in 1 of 2 rows; the opposite in made"
    assert "| made (0/0 left out) |" in result.section


def test_differences_of_ratios_have_the_interval_of_scipy():
    random = numpy.random.default_rng(3)
    columns = [random.integers(5, 90, 25) for _ in range(4)]
    ours = intervals.of_sums(lambda a, n, b, m: a / n - b / m, *map(list, columns))
    theirs = stats.bootstrap(
        columns, lambda a, n, b, m, axis=-1: a.sum(axis) / n.sum(axis) - b.sum(axis) / m.sum(axis), paired=True,
        n_resamples=20000, method="percentile", rng=1,
    )  # fmt: skip
    low, high = theirs.confidence_interval
    assert [ours.low, ours.high] == pytest.approx([low, high], abs=0.08 * (high - low))


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
    assert page.count(". From `") == len(listed)  # each claim says which tables its numbers are from
    assert "| cord | jaccard | " in page[page.index("### minimiser:") :]
    for name in (path.name for path in (tmp_path / "work-quick/cord").iterdir() if path.name.startswith("run")):
        assert f"-o {name} " in page, name
    sizes = {}
    with open(tmp_path / "work-quick/cord/run/methods.csv", newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            sizes.setdefault(row["method"], []).append(float(row["voxels"]))
    change = numpy.mean(100 * (numpy.array(sizes["jaccard"]) / sizes["majority"] - 1))
    assert f"| cord | 4 | {intervals.change(change)} % [" in page
