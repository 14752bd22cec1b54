# SPDX-License-Identifier: Apache-2.0
"""Who may include whom. The longest matching prefix decides; a layer may always include itself."""
import re

import tree

MAY_INCLUDE = {
    "crema/error.h": [],
    "crema/parallel": ["crema/error.h"],
    "crema/image/": ["crema/error.h"],
    "crema/counts/": [],
    "crema/voxels/": ["crema/image/", "crema/counts/tally.h", "crema/error.h", "crema/parallel.h"],
    "crema/spatial/": ["crema/"],
    "crema/method": ["crema/counts/", "crema/error.h", "crema/spatial/methods.h"],
    "crema/phantom/": ["crema/image/", "crema/counts/tally.h", "crema/error.h", "crema/parallel.h"],
    "crema/agreement/": ["crema/"],
    "crema/": ["crema/"],
    "files/": ["crema/image/", "crema/error.h"],
    "cli/": ["crema/", "files/"],
    "python/": ["crema/", "files/"],
    "bench/": ["crema/", "files/"],
    "test/": ["crema/", "files/", "cli/"],
    "fuzz/": ["crema/", "files/", "test/"],
}

# A library header, and the only places that may name it.
THIRD_PARTY = {
    r"libdeflate\.h": ["files/"],
    r"isa-l": ["files/"],
    r"igzip_lib\.h": ["files/"],
    r"png\.h": ["files/"],
    r"CLI/": ["cli/", "bench/"],
    r"(oneapi/)?tbb/": ["crema/parallel"],
    r"nlohmann/": ["crema/agreement/", "cli/"],
    r"fmt/": ["crema/", "files/", "cli/", "bench/", "python/"],
    r"nanobind/": ["python/"],
    r"(gtest|gmock|rapidcheck)": [],
    r"benchmark/": ["bench/"],
}
NOT_EVEN_FMT = ["crema/counts/", "crema/image/"]

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]', re.MULTILINE)


def layer_of(path):
    return max((p for p in MAY_INCLUDE if path.startswith(p)), key=len, default=None)


def is_test(path):
    return path.startswith(("test/", "fuzz/")) or path.endswith(("_test.cpp", "_bench.cpp")) or path.endswith("testing.h")


def allowed_own(path, included):
    """Tests may look at everything in their own top folder, and at test/ for its helpers."""
    layer = layer_of(path)
    allowed = [layer, *MAY_INCLUDE[layer]]
    if is_test(path):
        allowed += [path.split("/")[0] + "/", "test/"]
    return any(included.startswith(p) for p in allowed)


def allowed_library(path, included):
    if is_test(path):
        return True
    for pattern, places in THIRD_PARTY.items():
        if re.match(pattern, included):
            barred = pattern == "fmt/" and path.startswith(tuple(NOT_EVEN_FMT))
            return not barred and path.startswith(tuple(places))
    # What is left must be the standard library or the system: no folder, or sys/, linux/, sanitizer/.
    return "/" not in included or included.startswith(("sys/", "linux/", "sanitizer/"))


def problems_in(path, text):
    if layer_of(path) is None:
        return [f"{path}: belongs to no layer; give it a row in test/checks/layers.py"]
    found = []
    for mark, included in INCLUDE.findall(text):
        fine = allowed_own(path, included) if mark == '"' else allowed_library(path, included)
        if not fine:
            found.append(f"{path}: may not include {included} (docs/design.md says who may)")
    return found


def main():
    problems = []
    for path in tree.cpp():
        problems += problems_in(path.as_posix(), (tree.ROOT / path).read_text(encoding="utf-8"))
    tree.finish(problems, "layers")


if __name__ == "__main__":
    main()
