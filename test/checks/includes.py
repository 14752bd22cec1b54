# SPDX-License-Identifier: Apache-2.0
"""Sources include what they use of the standard library and fmt, though a precompiled header provides it anyway."""

import re

import tidy
import tree

USES = {
    "algorithm": r"std::(?:ranges::)?(?:sort|stable_sort|find_if|all_of|any_of|none_of|count_if|reverse|shuffle"
    r"|transform|max_element|min_element|lower_bound|upper_bound|clamp|fill|unique|rotate|next_permutation)\b",
    "array": r"std::(?:array|to_array)\b",
    "cmath": r"std::(?:sqrt|isinf|isnan|isfinite|exp|log|log2|pow|lround|llround|floor|ceil|nextafter|cos|sin|hypot)\b",
    "cstdint": r"\bu?int(?:8|16|32|64)_t\b",
    "filesystem": r"\bfilesystem::|\bfs::",
    "fstream": r"std::[io]?fstream\b",
    "functional": r"std::(?:function|greater|less|hash|ref|cref|plus|minus|invoke)\b",
    "map": r"std::(?:multi)?map\b",
    "memory": r"std::(?:unique_ptr|shared_ptr|weak_ptr|make_unique|make_shared)\b",
    "numeric": r"std::(?:accumulate|iota|inner_product|partial_sum|gcd)\b",
    "random": r"std::(?:mt19937(?:_64)?|uniform_\w+_distribution|bernoulli_distribution|normal_distribution)\b",
    "optional": r"std::(?:optional|nullopt)\b",
    "set": r"std::(?:multi)?set\b",
    "span": r"std::(?:span|as_bytes)\b",
    "string": r"std::(?:string|to_string|stoi|stod|getline)\b",
    "string_view": r"std::string_view\b",
    "vector": r"std::vector\b",
    "fmt/format.h": r"\bfmt::(?:format|join|print)\b",
    "rapidcheck.h": r"\brc::",
}
# Those that include another.
ALSO = {"rapidcheck.h": {"rapidcheck/gtest.h"}, "fmt/format.h": {"fmt/chrono.h", "fmt/ranges.h"}}
SYSTEM = re.compile(r"^#include <([^>]+)>", re.MULTILINE)
REMARK = re.compile(r"//.*|\"(?:\\.|[^\"\\\n])*\"")


def problems_in(path, text, included):
    """What a file uses that neither it nor a header of the tree below it includes."""
    code = REMARK.sub("", text)
    return [
        f"{path}: uses {found[0]} without #include <{header}>"
        for header, use in USES.items()
        if (found := re.search(use, code)) and not included & {header, *ALSO.get(header, ())}
    ]


def main():
    problems = []
    for path in (sources := tree.cpp()):
        texts = [text.decode() for text in tidy.closure(path).values()]
        included = {header for text in texts for header in SYSTEM.findall(text)}
        problems += problems_in(path, texts[0], included)
    tree.finish(problems, f"includes of {len(sources)} files")


if __name__ == "__main__":
    main()
