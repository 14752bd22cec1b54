# SPDX-License-Identifier: Apache-2.0
"""The section "Against which vote" of docs/study.md: what of a larger consensus is ties and absent raters."""

from intervals import percent, ratio, table
from tables import read

TITLE = "## Against which vote"
TEXT = """
"MACCHIatO is larger than the majority vote" is, on the cases at hand, mostly a statement about the vote: with an even
number of raters a vote leaves out every voxel that exactly half of them drew, and a rater who missed a whole component
votes against each of its voxels. `local-majority` asks only those who drew something in a component; `--tie foreground`
takes ties in. The size of `jaccard` and `dice` (ties out, as everywhere else) and of their minimisers against four
votes, all cases together, with 95 % intervals over cases. Where K is odd and everybody present, the four agree.

"""
REFERENCES = [("majority", "run-votes"), ("majority", "run-ties"), ("local-majority", "run-votes"),
              ("local-majority", "run-ties")]  # fmt: skip
METHODS = [("jaccard", "run-votes"), ("jaccard", "run-group"), ("dice", "run-votes"), ("dice", "run-group")]
HEAD = ["cohort", "raters", "method", "majority, ties out", "majority, ties in", "local-majority, ties out",
        "local-majority, ties in", "cases"]  # fmt: skip


class Votes:
    """The sizes of one cohort's results by run, method and case."""

    def __init__(self, folder):
        self.name = folder.name
        self.raters = {row["case"]: int(row["raters"]) for row in read(folder / "run-votes/cases.csv")}
        self.sizes = {
            (run, row["method"], row["case"]): float(row["voxels"])
            for run in ("run-votes", "run-ties", "run-group")
            for row in read(folder / run / "methods.csv")
        }

    def change(self, method, reference, cases):
        """In percent, of the sizes of all these cases together."""
        mine = [self.sizes[method[1], method[0], case] for case in cases]
        theirs = [self.sizes[reference[1], reference[0], case] for case in cases]
        return ratio(mine, theirs, lambda value: 100 * (value - 1))

    def changes(self, cases, reference):
        """Of `jaccard`, case by case in percent, where the reference is not 0."""
        sizes = [(self.sizes["run-votes", "jaccard", row["case"]], self.sizes[(*reversed(reference), row["case"])])
                 for row in cases]  # fmt: skip
        return [100 * (mine / theirs - 1) if theirs else None for mine, theirs in sizes]

    def groups(self):
        """Cases with an odd and with an even number of raters."""
        for parity, name in ((1, "odd"), (0, "even")):
            cases = sorted(case for case, raters in self.raters.items() if raters % 2 == parity)
            if cases:
                counts = sorted({self.raters[case] for case in cases})
                yield f"{name}: {', '.join(map(str, counts))}", cases


def section(found):
    rows = []
    for one in found:
        votes = Votes(one.folder)
        for raters, cases in votes.groups():
            for method, run in METHODS:
                cells = [percent(votes.change((method, run), reference, cases)) for reference in REFERENCES]
                name = f"{method}, minimiser" if run == "run-group" else method
                rows.append([one.name, raters, name, *cells, len(cases)])
    return f"{TITLE}\n{TEXT}{table(HEAD, rows)}"
