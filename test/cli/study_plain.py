# SPDX-License-Identifier: Apache-2.0
"""The tables of a study once more, in plain Python, from the tables that runs left."""

import csv
import json
import statistics

BLOCKS = ["subcrown", "crown", "voxel", "group"]
VARIANT = ["method", "paper_name", "blocks", "empty_test", "connectivity", "slice_wise", "prior", "region"]


def read_table(path):
    with open(path, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def number(text):
    return None if text == "" else float(text)


def mean(values):
    known = [value for value in values if value is not None]
    return statistics.fmean(known) if known else None


class Run:
    """The tables of one run, with the variant of each row."""

    def __init__(self, folder):
        settings = json.loads((folder / "run.json").read_text())["run"]["settings"]
        self.cases = read_table(folder / "cases.csv")
        self.rows = {}
        for row in read_table(folder / "methods.csv"):
            row["prior"] = str(settings.get("prior", "mean")) if row["prior"] else ""
            if not row["blocks"]:
                row["connectivity"] = row["slice_wise"] = ""
            self.rows[row["case"], row["method"]] = row
        self.tables = {name: read_table(folder / f"{name}.csv") for name in ("raters", "component_raters", "times")}


class Cohort:
    """Several runs: each variant of a case from the first run that has it."""

    def __init__(self, folders):
        runs = [Run(folder) for folder in folders]
        self.complete = {row["case"] for row in runs[0].cases if not row["missing_raters"]}
        self.methods, self.raters, self.lesions, self.times = {}, {}, {}, {}
        for run in runs:
            fresh = {}
            for (case, method), row in run.rows.items():
                key = tuple(row[column] for column in VARIANT)
                if (case, key) not in self.methods:
                    self.methods[case, key] = row
                    fresh[case, method] = key
            into_of = {"raters": self.raters, "component_raters": self.lesions, "times": self.times}
            for name, into in into_of.items():
                for row in run.tables[name]:
                    if (row["case"], row["method"]) in fresh:
                        into.setdefault((row["case"], fresh[row["case"], row["method"]]), []).append(row)

    def of(self, key):
        """Rows of methods.csv of a variant, by case."""
        return {case: row for (case, variant), row in self.methods.items() if variant == key}

    def named(self, method):
        """Rows of a method that comes in one variant."""
        return {case: row for (case, variant), row in self.methods.items() if variant[0] == method}


def change(pairs):
    """Sizes against references."""
    percentages = [100 * (size - reference) / reference for size, reference in pairs if reference > 0]
    return {
        "cases": len(pairs),
        "mean_pct": mean(percentages),
        "mean_pct_cases": len(percentages),
        "pooled_pct": 100 * (sum(s for s, _ in pairs) / sum(r for _, r in pairs) - 1),
        "larger_pct": 100 * sum(s > r * (1 + 1e-9) for s, r in pairs) / len(pairs),
        "not_smaller_pct": 100 * sum(s >= r * (1 - 1e-9) for s, r in pairs) / len(pairs),
    }


def own_lmsd(row):
    return float(row["lmsd_" + row["distance"]])


def tab_1(cohort, key, _):
    rows = cohort.of(key)
    solving = [float(cohort.times[case, key][0]["solve_s"]) for case in rows]
    bounds = [number(row["lower_bound"]) for row in rows.values()]
    return {
        "cases": len(rows),
        "lmsd": mean(map(own_lmsd, rows.values())),
        "bound": mean(bounds),
        "bound_cases": sum(bound is not None for bound in bounds),
        "solve_s": mean(solving),
        "solve_s_cases": len(solving),
    }


def tab_3(cohort, key, row):
    others = [(*key[:2], blocks, *key[3:]) for blocks in BLOCKS]
    found = [cohort.of(other) for other in others]
    found = [rows for rows in found if rows]
    common = set.intersection(*(set(rows) for rows in found))
    least = {case: min(own_lmsd(rows[case]) for rows in found) for case in common}
    mine = {case: own_lmsd(cohort.of(key)[case]) for case in common}
    excess = [100 * (mine[case] - least[case]) / least[case] for case in common if least[case] > 0]
    return {
        "cases": len(common),
        "lmsd": mean(mine.values()),
        "excess_pct": mean(excess),
        "excess_pct_cases": len(excess),
        "least_pct": 100 * sum(mine[case] <= least[case] * (1 + 1e-9) for case in common) / len(common),
    }


def both(values, name, counted):
    known = [value for value in values if value is not None]
    return {
        name: mean([1 if value is None else value for value in values]),
        f"{name}_{counted}": len(values),
        f"{name}_left_out": mean(known),
        f"{name}_left_out_{counted}": len(known),
    }


def tab_4_0(cohort, key, _):
    cases = cohort.of(key)
    result = {"cases": sum((case, key) in cohort.lesions for case in cases)}
    for name in ("precision", "recall", "f1"):
        rows = [row for case in cases for row in cohort.lesions.get((case, key), [])]
        result.update(both([number(row[name]) for row in rows], name, "lesions"))
    return result


def tab_4(cohort, key, _):
    result = {}
    for name in ("precision", "recall", "f1"):
        per_case = [[number(row[f"det_{name}"]) for row in cohort.raters[case, key]] for case in cohort.of(key)]
        counted = [mean([1 if value is None else value for value in values]) for values in per_case]
        left_out = [found for found in map(mean, per_case) if found is not None]
        result.update(
            {
                name: mean(counted),
                f"{name}_cases": len(counted),
                f"{name}_left_out": mean(left_out),
                f"{name}_left_out_cases": len(left_out),
            }
        )
    return result


def tab_5(cohort, key, _):
    majority = cohort.named("majority")
    return change([(float(row["voxels"]), float(majority[case]["voxels"])) for case, row in cohort.of(key).items()])


def tab_6(cohort, key, row):
    average = cohort.named("average")
    column = "soft_volume" if row["measure"] == "soft volume" else "voxels"
    return change([(float(one[column]), float(average[case][column])) for case, one in cohort.of(key).items()])


def tab_7(cohort, key, _):
    rows = [cohort.times[case, key][0] for case in cohort.of(key)]
    sums = {name: sum(float(row[name]) for row in rows) for name in ("read_s", "count_s", "solve_s", "write_s")}
    return {"cases": len(rows), **sums, "all_s": sum(sums.values())}


def tab_8(cohort, key, _):
    values = [float(row["entropy"]) for row in cohort.of(key).values()]
    return {"cases": len(values), "entropy": mean(values), "entropy_sd": statistics.stdev(values)}


def tab_9(cohort, key, _):
    rows = cohort.of(key)
    return {"cases": len(rows)} | {
        name: mean([float(row[name]) for row in rows.values()]) for name in ("entropy", "soft_volume", "voxels")
    }


def tab_10(cohort, key, _):
    sliced = cohort.of(key)
    whole = {
        case: row
        for (case, variant), row in cohort.methods.items()
        if variant[0] == key[0] and variant[2:4] == key[2:4] and variant[5] == ""
    }
    majority = {case: float(row["voxels"]) for case, row in cohort.named("majority").items()}
    size = lambda rows, case: float(rows[case]["voxels"])  # noqa: E731
    against = lambda rows: [100 * (size(rows, c) - majority[c]) / majority[c] for c in sliced]  # noqa: E731
    return {
        "cases": len(sliced),
        "mean_pct_3d": mean(against(whole)),
        "mean_pct_slices": mean(against(sliced)),
        "larger_3d_pct": 100 * sum(size(whole, c) > size(sliced, c) for c in sliced) / len(sliced),
        "smaller_3d_pct": 100 * sum(size(whole, c) < size(sliced, c) for c in sliced) / len(sliced),
    }


def shape(cohort, key, _):
    rows = cohort.of(key).values()
    sums = {name: sum(int(row[name]) for row in rows) for name in ("kept", "parts", "isolated")}
    return {"cases": len(rows), **sums, "parts_per_kept": sums["parts"] / sums["kept"]}


PLAIN = {
    "tab_1": tab_1,
    "tab_3": tab_3,
    "tab_4_0": tab_4_0,
    "tab_4": tab_4,
    "tab_5": tab_5,
    "tab_6": tab_6,
    "tab_7": tab_7,
    "tab_8": tab_8,
    "tab_9": tab_9,
    "tab_10": tab_10,
    "shape": shape,
}


def icc(matrix):
    """ICC(2,1) from the analysis of variance, cases by raters."""
    n, k = len(matrix), len(matrix[0])
    grand = mean([value for row in matrix for value in row])
    of_cases = k * sum((mean(row) - grand) ** 2 for row in matrix)
    of_raters = n * sum((mean(column) - grand) ** 2 for column in zip(*matrix))
    rest = sum((value - grand) ** 2 for row in matrix for value in row) - of_cases - of_raters
    msr, msc, mse = of_cases / (n - 1), of_raters / (k - 1), rest / ((n - 1) * (k - 1))
    return (msr - mse) / (msr + (k - 1) * mse + k * (msc - mse) / n)
