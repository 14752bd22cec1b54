# SPDX-License-Identifier: Apache-2.0
"""Tests include what they use, though a precompiled header would give it to them unasked.

Only what GoogleTest and RapidCheck do not bring along is looked for; the rest compiles anyhow."""

import re

import tidy
import tree

USES = {
    "algorithm": r"std::(?:ranges::)?(?:sort|stable_sort|find_if|all_of|any_of|none_of|count_if|reverse|shuffle"
    r"|transform|max_element|min_element|lower_bound|upper_bound|clamp|fill|unique|rotate|next_permutation)\b",
    "cmath": r"std::(?:sqrt|isinf|isnan|isfinite|exp|log|log2|pow|lround|llround|floor|ceil|nextafter|cos|sin|hypot)\b",
    "filesystem": r"\bfilesystem::|\bfs::",
    "fstream": r"std::[io]?fstream\b",
    "numeric": r"std::(?:accumulate|iota|inner_product|partial_sum|gcd)\b",
    "random": r"std::(?:mt19937(?:_64)?|uniform_\w+_distribution|bernoulli_distribution|normal_distribution)\b",
    "fmt/format.h": r"\bfmt::(?:format|join|print)\b",
    "rapidcheck.h": r"\brc::",
}
# One that includes another.
ALSO = {"rapidcheck.h": {"rapidcheck/gtest.h"}, "fmt/format.h": {"fmt/ranges.h"}}
SYSTEM = re.compile(r"^#include <([^>]+)>", re.MULTILINE)
REMARK = re.compile(r"//.*|\"(?:\\.|[^\"\\\n])*\"")


def problems_in(path, text, included):
    """What a file uses and neither it nor a header of the tree that it includes has asked for."""
    code = REMARK.sub("", text)
    return [
        f"{path}: uses {found[0]} without #include <{header}>"
        for header, use in USES.items()
        if (found := re.search(use, code)) and not included & {header, *ALSO.get(header, ())}
    ]


def main():
    tests = [p for p in tree.cpp() if p.stem.endswith("_test") or p.parts[0] == "test"]
    problems = []
    for path in tests:
        texts = [text.decode() for text in tidy.closure(path).values()]
        included = {header for text in texts for header in SYSTEM.findall(text)}
        problems += problems_in(path, texts[0], included)
    tree.finish(problems, f"includes of {len(tests)} test files")


if __name__ == "__main__":
    main()
