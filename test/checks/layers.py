# SPDX-License-Identifier: Apache-2.0
"""Who may include whom. The longest row that a path matches is its layer; within a layer all is allowed."""

import re

import chains
import tree

# What a caller of the library hands over and gets back: declarations, without which no stage can be written.
REQUEST = [
    *("crema/fuse.h", "crema/measure_options.h", "crema/options.h", "crema/reduction.h", "crema/solution.h"),
    "crema/tables/method.h",
]
# What stages share besides.
STAGES = ["crema/gather.h", "crema/measure.h", "crema/stop.h", "crema/weights.h"]
BASE = ["crema/base/"]
FILE_BASE = ["crema/image/", *BASE, "files/files.h", "files/format.h"]
# What files/ shows to those above it.
FILES = [
    "files/*",
    "files/io/checksum.h",
    "files/io/system/held.h",
    "files/io/system/machine.h",
    "files/io/system/regular.h",
    "files/numpy/zip_text.h",
]
A_FORMAT = [*FILE_BASE, "files/affine.h", "files/io/", "files/values/"]

MAY_INCLUDE = {
    # crema/: from sentences and voxels up to the consensus.
    "crema/base/": [],
    "crema/image/": BASE,
    "crema/counts/": BASE,
    "crema/counts/macchiato/": [*BASE, "crema/counts/*"],
    "crema/counts/proof/": [*BASE, "crema/counts/*", "crema/counts/macchiato/"],
    "crema/counts/staple/": [*BASE, "crema/counts/*"],
    "crema/voxels/": ["crema/image/", "crema/counts/tally.h", *BASE],
    "crema/spatial/": [
        "crema/spatial/",
        "crema/image/",
        "crema/counts/*",
        "crema/counts/staple/",
        "crema/voxels/",
        *REQUEST,
        *STAGES,
        *BASE,
    ],
    # The table of methods names it, so it must not know what stands above the table.
    "crema/spatial/methods.h": ["crema/image/", "crema/counts/*", "crema/counts/staple/", *BASE],
    # Raters who give levels; what the table of methods names must not know what stands above it.
    "crema/levels/": [
        "crema/levels/",
        "crema/image/",
        "crema/counts/*",
        "crema/voxels/",
        "crema/spatial/adjacency.h",
        *REQUEST,
        *STAGES,
        *BASE,
    ],
    "crema/levels/methods.h": ["crema/levels/level_maps.h", "crema/counts/*", "crema/voxels/", *BASE],
    "crema/levels/level_maps.h": ["crema/image/canvas.h", "crema/counts/tally.h", "crema/voxels/", *BASE],
    "crema/tables/": [
        "crema/levels/methods.h",
        "crema/spatial/methods.h",
        "crema/counts/*",
        "crema/counts/staple/",
        "crema/voxels/",
        *REQUEST,
        *BASE,
    ],
    # The spine, and what goes in and comes out.
    "crema/*": [
        "crema/image/",
        "crema/levels/",
        "crema/counts/*",
        "crema/counts/staple/",
        "crema/voxels/",
        "crema/spatial/methods.h",
        *REQUEST,
        *BASE,
    ],
    "crema/labels/": [
        "crema/tables/label_choice.h",
        "crema/image/",
        "crema/counts/*",
        "crema/counts/staple/",
        "crema/voxels/",
        "crema/spatial/",
        "crema/levels/",
        *REQUEST,
        *STAGES,
        *BASE,
    ],
    "crema/agreement/": [
        "crema/levels/",
        "crema/labels/",
        "crema/image/",
        "crema/phantom/hash.h",
        "crema/counts/*",
        "crema/counts/proof/",
        "crema/counts/staple/",
        "crema/voxels/",
        "crema/spatial/euclidean.h",
        "crema/tables/",
        *REQUEST,
        *STAGES,
        *BASE,
    ],
    # What is measured, as data.
    "crema/records/": [
        "crema/levels/",
        "crema/agreement/",
        "crema/labels/",
        "crema/image/",
        "crema/counts/*",
        "crema/counts/proof/",
        "crema/counts/staple/",
        "crema/voxels/",
        "crema/tables/",
        *REQUEST,
        *STAGES,
        *BASE,
    ],
    # What people decided about it.
    "crema/adjudicate/": [
        "crema/agreement/",
        "crema/labels/",
        "crema/image/",
        "crema/counts/*",
        "crema/voxels/",
        *REQUEST,
        *BASE,
    ],
    "crema/phantom/": ["crema/image/", "crema/counts/tally.h", *BASE],
    "crema/crema.h": ["crema/"],
    # files/: a format knows what all formats share, and no other format.
    "files/": [*FILE_BASE, "files/io/", "files/values/"],
    "files/format.cpp": ["files/"],
    "files/io/": FILE_BASE,
    "files/values/": [*FILE_BASE, "files/io/"],
    "files/nifti/": A_FORMAT,
    "files/nrrd/": A_FORMAT,
    "files/meta/": [*A_FORMAT, "files/nrrd/header.h"],
    "files/dicom/": A_FORMAT,
    "files/png/": A_FORMAT,
    "files/tiff/": [*A_FORMAT, "files/png/plane.h"],
    "files/numpy/": A_FORMAT,
    # What stands on both.
    "raters/": ["crema/", *FILES, "files/values/map.h", "files/values/values.h"],
    # Lines, letters and charts know nothing of raters.
    "plot/": [
        "crema/agreement/",
        "crema/records/",
        "crema/counts/tally.h",
        "crema/counts/solvers.h",
        "crema/counts/macchiato/trace.h",
        "crema/image/",
        *REQUEST,
        *BASE,
    ],
    # From a counted case to its picture.
    "figure/": ["plot/", "raters/", "crema/", *FILES],
    # Many cases, each through raters/.
    "cohort/": ["raters/", "crema/", *FILES],
    # From annotation tools to a cohort, and from what its run left back to them.
    "annotations/": ["cohort/", "raters/", "crema/", *FILES],
    # Tables over many cases, from those that runs left.
    "study/": ["cohort/", "raters/", "crema/", *FILES],
    # A page is made of all of these.
    "report/": ["figure/", "plot/", "raters/", "crema/", *FILES, "files/io/gzip/gzip.h"],
    # Of a cohort it sees plain names and numbers.
    "report/cohort/": ["report/", "plot/", "crema/", "cohort/merge/overview.h"],
    # Stands in for libraries and the system, behind the same headers.
    "web/": [
        "report/",
        "plot/",
        "raters/",
        "crema/",
        *FILES,
        "files/io/",
        "files/png/",
        "files/tiff/",
        "files/values/",
    ],
    "cli/": ["cli/", "annotations/", "figure/", "report/", "plot/", "study/", "cohort/", "raters/", "crema/", *FILES],
    "cli/main.cpp": ["cli/commands/commands.h", "cli/commands/cohort/commands.h", "cli/shell/"],
    "cli/commands/": [
        "cli/",
        "annotations/",
        "figure/",
        "report/",
        "plot/",
        "study/",
        "cohort/",
        "raters/",
        "crema/",
        *FILES,
    ],
    "cli/shell/": ["cli/options/", "cli/help/", "crema/tables/", *BASE, *FILES],
    "cli/options/": ["cli/shell/", "crema/tables/", *BASE, *FILES],
    "cli/help/": ["cli/shell/", "cli/options/", "crema/tables/", "plot/svg.h", *BASE, *FILES],
    "cli/text/": ["cli/shell/", "cli/help/", "cohort/", "raters/", "crema/", *FILES],
    "python/": ["figure/", "plot/", "raters/", "crema/", "files/"],
    # What looks on from outside.
    "bench/": ["crema/", "files/", "cli/shell/", "cli/options/"],
    "test/": ["crema/", "files/", "raters/", "plot/", "report/", "cohort/", "annotations/", "cli/"],
    "fuzz/": ["crema/", "files/", "raters/", "cohort/", "annotations/", "test/"],
}

# A library header, and the only places that may name it.
THIRD_PARTY = {
    r"libdeflate\.h$": ["files/", "bench/"],
    r"(isa-l/|igzip_lib\.h$|crc\.h$)": ["files/", "bench/"],
    r"(png|pngconf)\.h$": ["files/png/"],
    r"(tiff|tiffio|tiffvers)\.h": ["files/tiff/"],
    r"nettle/": ["files/io/"],
    r"(oneapi/)?tbb/": ["crema/base/parallel"],
    r"nlohmann/": [],
    r"fmt/": [
        f"{room}/"
        for room in (
            "crema",
            "files",
            "raters",
            "plot",
            "figure",
            "report",
            "web",
            "cohort",
            "annotations",
            "study",
            "cli",
            "bench",
            "python",
        )
    ],
    r"nanobind/": ["python/"],
    r"Python\.h$": ["python/"],
    r"benchmark/": ["bench/"],
    r"itk\w+\.h$": ["bench/itk_reader/"],
    r"sanitizer/": ["crema/base/parallel"],
    # The system itself: the library asks it for memory, all else is for those who read, write or run.
    r"dlfcn\.h$": ["plot/render.cpp"],
    r"sys/mman\.h$": ["crema/image/", "files/", "raters/", "bench/"],
    # Threads have to fit into a limited address space; rendering has a process of its own.
    r"(unistd|sys/resource)\.h$": [
        "crema/image/",
        "crema/base/parallel",
        "plot/child.cpp",
        "files/",
        "raters/",
        "cohort/",
        "cli/",
        "bench/",
    ],
    # How much freed memory glibc keeps from one case to the next.
    r"malloc\.h$": ["cli/"],
    # What a thread needs before it may throw.
    r"(cxxabi|pthread)\.h$": ["crema/base/parallel"],
    r"(fcntl\.h|sys/wait\.h)$": ["files/", "raters/", "cohort/", "cli/", "bench/", "plot/child.cpp"],
    r"(fnmatch|signal|termios|poll|dirent|pwd)\.h$": ["files/", "raters/", "cohort/", "cli/", "bench/"],
    r"(sys|linux)/": ["files/", "raters/", "cohort/", "cli/", "bench/", "plot/child.cpp", "web/app/source.cpp"],
}
# Counts and images are arithmetic alone.
BARRED = {r"fmt/": ["crema/counts/", "crema/image/"]}

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]', re.MULTILINE)
# A header of C++, or of C under its C++ name.
STANDARD = re.compile(r"[a-z_0-9]+$")


def layer_of(path):
    return max((row for row in MAY_INCLUDE if matches(path, row)), key=len, default=None)


def is_test(path):
    return path.startswith(("test/", "fuzz/")) or path.endswith(("_test.cpp", "_bench.cpp", "testing.h"))


def matches(included, entry):
    """An entry is a file, the start of a file's name, a folder with all below it, or folder/* without what is below."""
    if entry.endswith("/*"):
        return included.rsplit("/", 1)[0] == entry[:-2]
    return included.startswith(entry)


def allowed_own(path, included):
    """Tests may look at everything in their own top folder, and at test/ for its helpers."""
    layer = layer_of(path)
    allowed = list(MAY_INCLUDE.get(layer, []))
    if is_test(path):
        allowed += [path.split("/")[0] + "/", "test/"]
    return layer_of(included) == layer or any(matches(included, entry) for entry in allowed)


def allowed_library(path, included):
    if is_test(path):
        return True
    for pattern, places in THIRD_PARTY.items():
        if re.match(pattern, included):
            return path.startswith(tuple(places)) and not path.startswith(tuple(BARRED.get(pattern, ["\n"])))
    return STANDARD.match(included) is not None


def problems_in(path, text):
    of_a_room = is_test(path) and path.split("/")[0] in tree.ROOMS
    if layer_of(path) is None and not of_a_room:
        return [f"{path}: belongs to no layer; give it a row in test/checks/layers.py"]
    found = []
    for mark, included in INCLUDE.findall(text):
        fine = allowed_own(path, included) if mark == '"' else allowed_library(path, included)
        if not fine:
            found.append(f"{path}: may not include {included} (docs/design.md says who may)")
    return found


def main():
    texts = {path.as_posix(): (tree.ROOT / path).read_text(encoding="utf-8") for path in tree.cpp()}
    problems = [problem for path, text in texts.items() for problem in problems_in(path, text)]
    product = {path: text for path, text in texts.items() if not is_test(path)}
    tree.finish(problems + chains.problems_in(product), "layers")


if __name__ == "__main__":
    main()
