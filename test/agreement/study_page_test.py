# SPDX-License-Identifier: Apache-2.0
"""The numbers of docs/study.md: intervals beside SciPy and statsmodels, and verdicts that follow from them."""

import csv
import shlex
import subprocess
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
import findings_soft
import findings_staple
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
    assert intervals.above_zero(up, down, both) == intervals.FAILS  # one on the other side is not the opposite
    assert intervals.above_zero(down, down) == intervals.OPPOSITE == intervals.below_zero(up)
    assert intervals.within(0, 3, up) == intervals.HOLDS and intervals.within(0, 3, up, down) == intervals.FAILS
    assert intervals.within(0, 3, up, both) == intervals.OPEN
    assert intervals.above_zero(intervals.Number(1, cases=1)) is None
    assert intervals.above_zero(up, intervals.Number(1, 0.5, 2, 4)) is None  # too few cases
    result = claims.claim("J & D (tab:5)", "tab:5.", "How.", ["n"], [["a", "1"], ["b", "2"]], {"a": intervals.OPEN},
                          files=["run/cases"])  # fmt: skip
    assert claims.verdict({"a (odd K)": intervals.OPEN, "a (even K)": intervals.HOLDS, "b": None}, "groups") == (
        "Holds in 1 of 2 groups; open in a (odd K)"
    )
    assert result.verdict == "Open" and "[J & D (tab:5)](#j--d-tab5) | Open" in claims.index([result])
    assert "| a | 1 | open |" in result.section and "| b | 2 |  |" in result.section


def test_a_verdict_does_not_hang_on_what_was_drawn(monkeypatch):
    """With this mean the low end is above 0 for about half of the seeds."""
    random = numpy.random.default_rng(0)
    values = random.normal(0, 1, 170)
    ends = stats.bootstrap((values,), numpy.mean, n_resamples=20000, method="percentile", rng=1).confidence_interval
    verdicts, lows = set(), []
    for seed in range(12):
        draw = intervals.random.Random(seed)
        drawn = [draw.choices(range(170), k=170) for _ in range(intervals.REPLICATES)]
        monkeypatch.setattr(intervals, "draws", lambda cases, drawn=drawn: drawn)
        number = intervals.mean(list(values - ends.low))
        lows.append(number.low)
        verdicts.add(intervals.above_zero(number))
    assert min(lows) < 0 < max(lows) and verdicts == {intervals.OPEN}
    assert intervals.above_zero(intervals.mean(list(values - ends.low + 0.1))) == intervals.HOLDS


def test_correlations_have_the_interval_of_scipy():
    random = numpy.random.default_rng(5)
    a = random.normal(size=40)
    b = a + random.normal(size=40)
    ours = intervals.correlated(list(zip(a, b)))
    theirs = stats.bootstrap((a, b), lambda x, y: stats.spearmanr(x, y).statistic, paired=True, vectorized=False,
                             n_resamples=4000, method="percentile", rng=1).confidence_interval  # fmt: skip
    assert ours.value == pytest.approx(stats.spearmanr(a, b).statistic)
    assert [ours.low, ours.high] == pytest.approx(list(theirs), abs=0.05)


RUNS = ("run", "run-group", "run-votes", "run-ties")


@pytest.fixture
def mixed(tmp_path):
    """Six cases of three raters, `jaccard` smaller than the vote in half of them; six of four, where ties hide it."""
    sizes = {"majority": [100] * 12, "jaccard": [90, 90, 90, 110, 110, 110] + [104] * 6, "dice": [100] * 12,
             "local-majority": [100] * 12, "average": [100] * 12, "tanimoto": [98] * 12, "soergel": [99] * 12,
             "dice2": [101] * 12, "dice1": [102] * 12, "ml-staple": [120] * 6 + [103] + [105] * 5,
             "staple": [95] * 6 + [110] * 6}  # fmt: skip
    entropy = {"average": [100] * 12, "tanimoto": [98] * 6 + [60] * 6, "dice2": [99] * 6 + [60] * 6}
    for run_name in RUNS:
        (tmp_path / run_name).mkdir()
        rows = ["case,method,voxels,soft_volume,entropy,entropy_low,entropy_high"]
        for method, values in sizes.items():
            for c, value in enumerate(values):
                tied = 10 * (run_name == "run-ties" and c >= 6)  # what four raters tie on
                more = tied if "majority" in method else 0
                rows.append(f"{c},{method},{value + more},{value},{entropy.get(method, [10] * 12)[c]},1,20")
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
    soft = findings_soft.soft_less(mixed)
    assert {f"{name} (odd K)", f"{name} (even K)"} <= {line.split(" | ")[0][2:] for line in soft.section.splitlines()}


def statuses(claim):
    """Of the rows of its table, by the first cell without the cohort's name."""
    rows = [line.strip("| ").split(" | ") for line in claim.section.splitlines() if line.startswith("| ")]
    return {"odd" if "odd" in row[0] else "even": row[-1] for row in rows[1:]}


def test_soft_volumes_and_entropy_are_judged_by_parity(mixed):
    # Over both parities STAPLE lies above the average and above the four others.
    assert statuses(findings_soft.soft_order(mixed)) == {"odd": "the opposite", "even": "holds"}
    assert statuses(findings_soft.average_smallest(mixed)) == {"odd": "does not hold", "even": "holds"}
    assert statuses(findings_soft.entropy(mixed)) == {"odd": "holds", "even": "holds"}
    assert statuses(findings_soft.similar_spread(mixed)) == {"odd": "holds", "even": "does not hold"}


def test_always_and_usually_are_counted_in_cases(mixed):
    # The mean of ML STAPLE is above all others with four raters, too; one case is not.
    always = findings_sizes.staple_largest(mixed)
    assert statuses(always) == {"odd": "holds", "even": "does not hold"}
    assert "83.3 % [43.6 to 97]; 16.7 % [3 to 56.4]" in always.section
    middle = findings_sizes.intermediate(mixed)
    # `dice` is the majority vote in all cases, `jaccard` larger in most of those with four raters.
    assert statuses(middle) == {"odd": "does not hold", "even": "does not hold"}
    assert "| 83.3 % [43.6 to 97] |" in middle.section
    seen = {6: intervals.OPEN, 12: intervals.HOLDS, 0: intervals.FAILS}
    assert {n: findings_sizes.usually(intervals.share_of(n, 12)) for n in seen} == seen


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


def test_the_order_of_an_error_is_found(mixed, monkeypatch):
    for order in (1, 2):
        volumes = {"image": 50 - 10**0.0, "10 × background": 50 - 10.0**-order, "100 × background": 50 - 100.0**-order}
        monkeypatch.setattr(tables.Cohort, "by_image", lambda self, m, c, image, v=volumes: [v[image]] * 12)
        claim = findings_staple.errors(mixed)
        assert claim.verdict == ("Does not hold" if order == 1 else "Holds") and f"| {order}.00" in claim.section


def test_real_cases_are_read_by_the_commands_of_the_page(program, tmp_path, monkeypatch, capsys):
    """Folders hold masks that are not raters' as well."""
    (tmp_path / "shared").mkdir()
    words = [program, "demo", "-o", tmp_path / "shared/real", "--kind", "cord", "--cases", "3", "--size", "32,32,3"]
    subprocess.run(words, check=True, capture_output=True)
    for case in (tmp_path / "shared/real").iterdir():
        (case / "reference-est_GT.nii.gz").write_bytes((case / "rater-1.nii.gz").read_bytes())
        (case / "meta.json").write_text("{}")
    monkeypatch.setattr(cohorts, "PHANTOMS", {})
    monkeypatch.setattr(cohorts, "REAL", {"cells": ("real", "Somebody 2020; CC0", ["run", "run-group", "run-half",
                                                                                 "run-box", "run-crown"])})  # fmt: skip
    run.main(program, str(tmp_path / "work"), str(tmp_path / "shared"), "--quick")
    page = capsys.readouterr().out
    assert "| cells |  | Somebody 2020; CC0 | 3 | 4 |" in page
    (words,) = [line.split("`")[1] for line in page.splitlines() if line.startswith("| run-half |")]
    again = [program, *shlex.split(words)[1:], *cohorts.RATERS]
    subprocess.run(again, cwd=tmp_path / "work-quick/cells", check=True)
    (words,) = [line.split("`")[1] for line in page.splitlines() if line.startswith("| cells | `crema study")]
    subprocess.run([program, *shlex.split(words)[1:], "--force"], cwd=tmp_path / "work-quick/cells", check=True)


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
