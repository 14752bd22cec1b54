# SPDX-License-Identifier: Apache-2.0
"""The tables of the studied cohorts, case by case."""

import csv
import json

import intervals as over

HEURISTIC, MINIMISER = "run", "run-group"


def number(text):
    return None if text in ("", None) else float(text)


def read(path):
    with open(path, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


class Cohort:
    """A variant of a method is its name and the run it comes from."""

    def __init__(self, folder, dataset, source=None):
        self.name, self.dataset, self.source, self.folder = folder.name, dataset, source, folder
        self.facts = json.loads((folder / "facts.json").read_text())
        self.cases = [row for row in read(folder / "run/cases.csv") if row["status"] == "done"]
        self.known = {}
        self.tables = {path.stem: read(path) for path in (folder / "tables").glob("*.csv")}

    def once(self, name, run, make):
        """Each table is read once."""
        if (name, run) not in self.known:
            self.known[name, run] = make(run)
        return self.known[name, run]

    def methods(self, run):
        return self.once("methods", run, self.read_methods)

    def read_methods(self, run):
        """Rows of methods.csv by method and case."""
        path = self.folder / run / "methods.csv"
        found = {}
        for row in read(path) if path.exists() else []:
            found.setdefault(row["method"], {})[row["case"]] = row
        return found

    def has(self, method, run=HEURISTIC):
        return method in self.methods(run)

    def column(self, name, method, run=HEURISTIC):
        """One value per case, in the order of cases."""
        rows = self.methods(run).get(method, {})
        return [number(rows[case["case"]].get(name)) if case["case"] in rows else None for case in self.cases]

    def lmsd(self, method, run=HEURISTIC):
        rows = self.methods(run).get(method)
        return self.column("lmsd_" + next(iter(rows.values()))["distance"], method, run) if rows else None

    def changes(self, method, run=HEURISTIC, column="voxels", reference="majority", of=None):
        """In percent of the reference (its column `of`, or the same one), where that is not 0."""
        theirs = self.column(of or column, reference)
        mine = self.column(column, method, run)
        return [100 * (m / t - 1) if t and m is not None else None for m, t in zip(mine, theirs)]

    def parities(self):
        """The parts with an odd (1) and an even (0) number of raters, each with its name and these numbers."""
        found = {parity: [int(row["raters"]) for row in self.cases if int(row["raters"]) % 2 == parity]
                 for parity in (1, 0)}  # fmt: skip
        for parity, raters in found.items():
            if raters:
                name = f"{self.name} ({'odd' if parity else 'even'} K)" if all(found.values()) else self.name
                yield name, parity, "/".join(map(str, sorted(set(raters))))

    def of_parity(self, values, parity):
        """Values of the cases with an odd (1) or an even (0) number of raters."""
        return [value for value, row in zip(values, self.cases) if int(row["raters"]) % 2 == parity]

    def seconds(self, method, *columns, run=HEURISTIC):
        """One value per case, of the sum of these columns of times.csv."""
        times = self.once("times", run, lambda run: read(self.folder / run / "times.csv"))
        return [sum(float(row[column]) for column in columns) for row in times if row["method"] == method]

    def by_image(self, method, column, image="100 × background"):
        """One value per case in an image of this size, of `crema study --background`. Where raters fill the image,
        it is the box."""
        rows = self.once("background", None, lambda _: self.read_background()).get(method, {})
        return [number(row[column]) if (row := found.get(image, found.get("image"))) else None
                for found in (rows.get(case["case"], {}) for case in self.cases)]  # fmt: skip

    def read_background(self):
        found = {}
        for row in self.tables["background"]:
            found.setdefault(row["method"], {}).setdefault(row["case"], {})[row["image"]] = row
        return found

    def images(self):
        """Their names, of all cases."""
        return {row["image"] for row in self.tables["background"]}

    def moves(self, method, column, image="100 × background"):
        """By how many percent a result is larger there than in the raters' box."""
        pairs = zip(self.by_image(method, column, "box"), self.by_image(method, column, image))
        return [100 * (last / first - 1) if first and last is not None else None for first, last in pairs]

    def pooled(self, method, run=HEURISTIC, column="voxels", reference="majority"):
        mine, theirs = self.column(column, method, run), self.column(column, reference)
        return over.ratio(mine, theirs, lambda value: 100 * (value - 1))

    def detection(self, run):
        """Sums and numbers over the raters of a case, with 0/0 as 1 and without, by method, measure and case."""
        return self.once("detection", run, lambda run: self.of_raters(run, "raters", "det_"))

    def lesions(self, run):
        """The same over components and raters of a case."""
        return self.once("lesions", run, lambda run: self.of_raters(run, "component_raters", ""))

    def of_raters(self, run, name, prefix):
        found = {}
        path = self.folder / run / f"{name}.csv"
        for row in read(path) if path.exists() else []:
            for measure in ("precision", "recall", "f1"):
                value = number(row[prefix + measure])
                cell = found.setdefault((row["method"], measure), {}).setdefault(row["case"], [0.0, 0, 0.0, 0])
                cell[0] += 1 if value is None else value
                cell[1] += 1
                cell[2] += value or 0
                cell[3] += value is not None
        return found

    def score(self, name, method, measure, run=HEURISTIC, less=None, left_out=False):
        """tab:4_0 pools all components and raters, tab:4 takes means of cases; less another method's."""
        found = self.lesions(run) if name == "tab_4_0" else self.detection(run)
        others = self.lesions(HEURISTIC) if name == "tab_4_0" else self.detection(HEURISTIC)
        top, count = (2, 3) if left_out else (0, 1)
        mine = found.get((method, measure))
        if mine is None:
            return over.Number(None)
        cases = [case["case"] for case in self.cases if case["case"] in mine]
        base = others[less, measure] if less else {case: [0, 1, 0, 1] for case in cases}
        if name == "tab_4_0":
            columns = [[cell[case][at] for case in cases] for cell in (mine, base) for at in (top, count)]
            return over.of_sums(lambda a, n, b, m: a / n - b / m if n and m else None, *columns)
        return over.mean(
            [
                mine[c][top] / mine[c][count] - base[c][top] / base[c][count]
                for c in cases
                if mine[c][count] and base[c][count]
            ]
        )

    def pairs(self, run=HEURISTIC):
        return read(self.folder / run / "method_pairs.csv")

    def disagreement(self):
        """One less the positive agreement."""
        agreement = [number(row["positive_agreement"]) for row in self.cases]
        return [None if value is None else 1 - value for value in agreement]

    def several(self):
        """Whether cases have more than one component as a rule."""
        return sum(int(row["components"]) for row in self.cases) > 1.5 * len(self.cases)

    def flat(self):
        return all(row["size_z"] == "1" for row in self.cases)
