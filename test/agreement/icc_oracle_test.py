# SPDX-License-Identifier: Apache-2.0
"""Intraclass correlations beside pingouin and the analysis of variance of statsmodels, on random volumes."""

import os
import shutil
import subprocess

import numpy
import pytest
from study_kit import WHY, folder, program, read_table, stats, study  # noqa: F401
from study_oracle_test import random_run


def found_in(path):
    return {(row["form"], row["scale"]): row for row in read_table(path)}


def frame_of(volume, log, complete):
    pandas = pytest.importorskip("pandas", reason=f"pandas {WHY}")
    per_case = {}
    for c, k in volume:
        per_case.setdefault(c, []).append(k)
    most = max(map(len, per_case.values()))
    rows = [
        (c, k, numpy.log(value) if log else value)
        for (c, k), value in volume.items()
        if not complete or len(per_case[c]) == most
    ]
    return pandas.DataFrame(rows, columns=["c", "k", "y"])


@pytest.mark.parametrize("log", [False, True])
def test_one_way_correlations_of_unbalanced_volumes_are_those_of_statsmodels(study, folder, log):
    formula = pytest.importorskip("statsmodels.formula.api", reason=f"statsmodels {WHY}")
    anova = pytest.importorskip("statsmodels.stats.anova", reason=f"statsmodels {WHY}")
    name = f"icc-{log}"
    volume, _ = random_run(folder, f"random-{name}", 21)
    study(name, runs=f"random-{name}")
    frame = frame_of(volume, log, complete=False)
    table = anova.anova_lm(formula.ols("y ~ C(c)", frame).fit())
    between, within = table["mean_sq"]["C(c)"], table["mean_sq"]["Residual"]
    sizes = frame.groupby("c").size().to_numpy()
    assert len(set(sizes)) > 1  # unbalanced
    raters = (sizes.sum() - (sizes**2).sum() / sizes.sum()) / (len(sizes) - 1)
    row = found_in(folder / f"{name}/icc.csv")["ICC(1,1)", "log volume" if log else "volume"]
    assert float(row["raters"]) == pytest.approx(raters) and int(row["cases"]) == len(sizes)
    assert float(row["icc"]) == pytest.approx((between - within) / (between + (raters - 1) * within))
    f, freedom = between / within, (len(sizes) - 1, sizes.sum() - len(sizes))
    ends = [f / stats.f.ppf(0.975, *freedom), f * stats.f.ppf(0.975, *freedom[::-1])]
    expected = [(end - 1) / (end + raters - 1) for end in ends]
    assert [float(row["low"]), float(row["high"])] == pytest.approx(expected)


def test_two_way_correlations_are_those_of_the_analysis_of_variance(study, folder):
    formula = pytest.importorskip("statsmodels.formula.api", reason=f"statsmodels {WHY}")
    anova = pytest.importorskip("statsmodels.stats.anova", reason=f"statsmodels {WHY}")
    volume, _ = random_run(folder, "random-icc3", 24)
    study("icc3", "--raters-persist", runs="random-icc3")
    frame = frame_of(volume, log=True, complete=True)
    mean_square = anova.anova_lm(formula.ols("y ~ C(c) + C(k)", frame).fit())["mean_sq"]
    cases, raters, rest = mean_square["C(c)"], mean_square["C(k)"], mean_square["Residual"]
    n, k = frame.c.nunique(), frame.k.nunique()
    found = found_in(folder / "icc3/icc.csv")
    value = lambda form: float(found[form, "log volume"]["icc"])  # noqa: E731
    assert value("ICC(C,1)") == pytest.approx((cases - rest) / (cases + (k - 1) * rest))
    assert value("ICC(C,k)") == pytest.approx((cases - rest) / cases)
    assert value("ICC(A,1)") == pytest.approx((cases - rest) / (cases + (k - 1) * rest + k * (raters - rest) / n))
    assert value("ICC(A,k)") == pytest.approx((cases - rest) / (cases + (raters - rest) / n))


@pytest.mark.parametrize("log", [False, True])
def test_two_way_correlations_of_complete_cases_are_those_of_pingouin(study, folder, log):
    pingouin = pytest.importorskip("pingouin", reason=f"pingouin {WHY}")
    name = f"icc2-{log}"
    volume, _ = random_run(folder, f"random-{name}", 22)
    study(name, "--raters-persist", runs=f"random-{name}")
    frame = frame_of(volume, log, complete=True)
    theirs = pingouin.intraclass_corr(frame, targets="c", raters="k", ratings="y").set_index("Type")
    found = found_in(folder / f"{name}/icc.csv")
    names = {"ICC(A,1)": ("ICC2", "ICC(A,1)"), "ICC(C,1)": ("ICC3", "ICC(C,1)"), "ICC(A,k)": ("ICC2k", "ICC(A,k)"),
             "ICC(C,k)": ("ICC3k", "ICC(C,k)")}  # fmt: skip
    interval = "CI95%" if "CI95%" in theirs else "CI95"
    for form, others in names.items():
        row = found[form, "log volume" if log else "volume"]
        (other,) = [theirs.loc[label] for label in others if label in theirs.index]
        assert int(row["cases"]) == frame.c.nunique()
        assert float(row["icc"]) == pytest.approx(other["ICC"], rel=1e-9)
        # Its interval is rounded to two places.
        assert [float(row["low"]), float(row["high"])] == pytest.approx(list(other[interval]), abs=0.0051)


def test_variances_are_those_of_lme4(study, folder, tmp_path):
    if shutil.which("Rscript") is None:
        pytest.skip("R is not installed")
    if subprocess.run(["Rscript", "-e", "library(lme4)"], capture_output=True).returncode != 0:
        pytest.skip("lme4 is not installed")
    volume, _ = random_run(folder, "random-lme4", 23)
    study("lme4", "--raters", "--raters-persist", runs="random-lme4")
    frame_of(volume, log=True, complete=False).to_csv(tmp_path / "volumes.csv", index=False)
    script = (
        "d <- read.csv(commandArgs(TRUE)[1]); v <- as.data.frame(lme4::VarCorr(lme4::lmer(y ~ 1 + (1|c) + (1|k), d)));"
        "cat(v$vcov[match(c('c', 'k', 'Residual'), v$grp)])"
    )
    words = ["Rscript", "-e", script, os.fspath(tmp_path / "volumes.csv")]
    theirs = subprocess.run(words, capture_output=True, text=True, check=True)
    (row,) = [r for r in read_table(folder / "lme4/variance.csv") if r["outcome"] == "log volume"]
    found = [float(row[name]) for name in ("var_case", "var_rater", "var_error")]
    assert found == pytest.approx(list(map(float, theirs.stdout.split())), rel=1e-3)
