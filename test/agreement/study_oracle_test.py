# SPDX-License-Identifier: Apache-2.0
"""Statistics over cases beside SciPy, statsmodels and plain NumPy, on random tables from which raters are missing."""

import itertools
import os
import subprocess

import numpy
import pytest
from study_kit import (  # noqa: F401
    WHY,
    close_to_bootstrap,
    dice,
    folder,
    masks_of,
    nibabel,
    program,
    read_table,
    stats,
    study,
    write_table,
)


def test_the_paper_table_has_what_scipy_finds(study, folder):
    study("paper", "--paper-table", "--raters-persist")
    raters = read_table(folder / "run/raters.csv")
    checked = 0
    for row in read_table(folder / "paper/paper_table.csv"):
        column = {"Dice": "dice", "HD95": "hd95_mm", "volume difference": "volume_difference_mm3"}.get(row["measure"])
        if column is None:
            continue
        per_case = {}
        for one in raters:
            if one["method"] == row["method"] and row["rater"] in ("", one["rater"]) and one[column]:
                per_case.setdefault(one["case"], []).append(float(one[column]))
        values = [numpy.mean(several) for several in per_case.values()]
        quartiles = numpy.percentile(values, [25, 50, 75])
        found = [float(row[n]) for n in ("cases", "mean", "sd", "low_quartile", "median", "high_quartile")]
        expected = [len(values), numpy.mean(values), numpy.std(values, ddof=1), *quartiles]
        numpy.testing.assert_allclose(found, expected, rtol=1e-9, atol=1e-9)
        assert close_to_bootstrap(values, float(row["low"]), float(row["high"])), row
        checked += 1
    assert checked == 3 * 3 * 5  # measures, methods, raters and their mean
    markdown, latex = ((folder / f"paper/paper_table.{end}").read_text() for end in ("md", "tex"))
    for text in (markdown, latex):
        assert "GRRAS item 6" in text and "GRRAS item 14" in text and "14 cases" in text and "2 to 4 raters" in text
    assert latex.count("\\\\\n") == 1 + 3 * 5 and markdown.count("±") > 60
    study("paper-2", "--paper-table")
    rows = read_table(folder / "paper-2/paper_table.csv")
    assert {row["rater"] for row in rows} == {""} and "not declared" in (folder / "paper-2/paper_table.md").read_text()


def random_run(folder, name, seed):
    """The run with random volumes and overlaps, some raters missing."""
    random = numpy.random.default_rng(seed)
    (folder / name).mkdir()
    for path in (folder / "run").iterdir():
        if path.is_file():
            (folder / name / path.name).write_bytes(path.read_bytes())
    case, rater = random.normal(0, 0.8, 14), random.normal(0, 0.4, 4)
    volume, rows = {}, read_table(folder / "run/raters.csv")
    for row in rows:
        c, k = int(row["case"][4:]), int(row["rater"][6:])
        if (c, k) not in volume:
            volume[c, k] = numpy.exp(5 + case[c] + rater[k] + random.normal(0, 0.3))
        row["volume_mm3"] = repr(float(volume[c, k]))
        row["dice"] = repr(float(random.uniform(0.5, 1)))
    write_table(folder / name / "raters.csv", rows)
    return volume, rows


@pytest.mark.parametrize("seed", [1, 2])
def test_effects_and_variances_are_those_of_statsmodels(study, folder, seed):
    pandas = pytest.importorskip("pandas", reason=f"pandas {WHY}")
    formula = pytest.importorskip("statsmodels.formula.api", reason=f"statsmodels {WHY}")
    anova = pytest.importorskip("statsmodels.stats.anova", reason=f"statsmodels {WHY}")
    volume, _ = random_run(folder, f"random-{seed}", seed)
    study(f"effects-{seed}", "--raters", "--raters-persist", runs=f"random-{seed}")
    frame = pandas.DataFrame([(c, k, numpy.log(v), 1) for (c, k), v in volume.items()], columns=["c", "k", "y", "g"])
    fixed = formula.ols("y ~ C(c) + C(k, Sum)", frame).fit()
    test = anova.anova_lm(formula.ols("y ~ C(c) + C(k)", frame).fit(), typ=2).loc["C(k)"]
    mixed = formula.mixedlm("y ~ 1", frame, groups="g", vc_formula={"c": "0 + C(c)", "k": "0 + C(k)"})
    mixed = mixed.fit(reml=True, method=["lbfgs", "nm"])
    (row,) = [r for r in read_table(folder / f"effects-{seed}/variance.csv") if r["outcome"] == "log volume"]
    assert (int(row["cases"]), int(row["raters"]), int(row["observations"])) == (14, 4, len(frame))
    assert float(row["f"]) == pytest.approx(test["F"]) and float(row["p"]) == pytest.approx(test["PR(>F)"])
    parts = dict(zip(mixed.model.exog_vc.names, mixed.vcomp))
    assert float(row["var_case"]) == pytest.approx(parts["c"], rel=1e-3)
    assert float(row["var_rater"]) == pytest.approx(parts["k"], rel=1e-3)
    assert float(row["var_error"]) == pytest.approx(mixed.scale, rel=1e-3)
    effects = [r for r in read_table(folder / f"effects-{seed}/effects.csv") if r["outcome"] == "log volume"]
    for k, one in enumerate(effects[:-1]):
        name = f"C(k, Sum)[S.{k}]"
        assert one["rater"] == f"rater-{k}" and int(one["cases"]) == (frame.k == k).sum()
        assert float(one["effect"]) == pytest.approx(fixed.params[name])
        assert [float(one["low"]), float(one["high"])] == pytest.approx(list(fixed.conf_int().loc[name]))
    (limit,) = [r for r in read_table(folder / f"effects-{seed}/loam.csv") if r["scale"] == "log volume"]
    spread = float(row["var_rater"]) + float(row["var_error"])
    assert float(limit["limit"]) == pytest.approx(1.96 * (3 / 4 * spread) ** 0.5)
    assert "<svg" in (folder / f"effects-{seed}/bland_altman.svg").read_text()


def test_raters_are_compared_over_cases_only_where_they_are_declared_to_persist(study, folder):
    assert "--raters-persist" in study("undeclared", "--raters", code=2).err
    assert not (folder / "undeclared").exists()


def test_methods_are_compared_as_scipy_does(study, folder):
    _, rows = random_run(folder, "random-paired", 9)
    study("paired", runs="random-paired")
    mean = {}
    for row in rows:
        mean.setdefault(row["method"], {}).setdefault(row["case"], []).append(float(row["dice"]))
    found = [row for row in read_table(folder / "paired/paired.csv") if row["measure"] == "Dice to raters"]
    assert len(found) == 3
    chances = []
    for row in found:
        a, b = (numpy.array([numpy.mean(v) for v in mean[row[f"method_{x}"]].values()]) for x in "ab")
        test = stats.wilcoxon(a - b, method="exact")
        assert float(row["difference"]) == pytest.approx((a - b).mean())
        assert float(row["statistic"]) == pytest.approx(test.statistic) and float(row["p"]) == pytest.approx(
            test.pvalue
        )
        assert close_to_bootstrap(a - b, float(row["low"]), float(row["high"]))
        chances.append(float(row["p"]))
    order, highest = numpy.argsort(chances), 0
    for place, at in enumerate(order):
        highest = max(highest, min(1, (3 - place) * chances[at]))
        assert float(found[at]["p_holm"]) == pytest.approx(highest)


def test_panels_are_those_of_the_program_on_fewer_raters(program, study, folder):
    study("panel", "--panel")
    rows = {(int(r["raters"]), int(r["panel"])): r for r in read_table(folder / "panel/panel.csv")}
    cases = [f"case{c:02}" for c in range(14)]
    three = [case for case in cases if len(masks_of(folder, case)) == 3]
    rest, whole = {1: [], 2: []}, {1: [], 2: []}
    for case in three:
        paths = sorted((folder / "data" / case).iterdir())
        fused = {}
        for size in (1, 2, 3):
            for some in itertools.combinations(range(3), size):
                words = ["fuse", *(os.fspath(paths[k]) for k in some), "-o", "fused.nii.gz", "-q", "--force"]
                subprocess.run([program, *words], cwd=folder, check=True)
                fused[some] = numpy.asarray(nibabel.load(folder / "fused.nii.gz").dataobj) > 0
        for some in fused:
            if len(some) < 3:
                other = tuple(k for k in range(3) if k not in some)
                rest[len(some)].append(dice(fused[some], fused[other]))
                whole[len(some)].append(dice(fused[some], fused[0, 1, 2]))
    for size in (1, 2):
        row = rows[3, size]
        assert int(row["cases"]) == len(three) and int(row["panels"]) == 3 * len(three)
        for name, values in (("rest", rest[size]), ("all", whole[size])):
            found = [float(row[f"{name}_{part}"]) for part in ("low_quartile", "median", "high_quartile")]
            numpy.testing.assert_allclose(found, numpy.percentile(values, [25, 50, 75]), rtol=1e-9)
