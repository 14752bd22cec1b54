# SPDX-License-Identifier: Apache-2.0
"""Who may include whom. The longest row that a path starts with is its layer; within a layer all is allowed."""

import re

import tree

# What a caller of the library hands over and gets back: declarations, without which no stage can be written.
REQUEST = ["crema/fuse.h", "crema/options.h", "crema/reduction.h", "crema/solution.h", "crema/method.h"]
# What stages share besides.
STAGES = ["crema/gather.h", "crema/measure.h", "crema/stop.h", "crema/weights.h"]
BASE = ["crema/sentence.h", "crema/error.h", "crema/text.h", "crema/memory.h"]
FILE_BASE = ["crema/image/", *BASE, "files/files.h", "files/format.h"]
# What files/ shows to those above it.
FILES = ["files/*", "files/io/checksum.h"]
A_FORMAT = [*FILE_BASE, "files/affine.h", "files/io/", "files/values/"]

MAY_INCLUDE = {
    # crema/: from sentences and voxels up to the consensus.
    "crema/sentence": [],
    "crema/error.h": ["crema/sentence.h"],
    "crema/memory": BASE,
    "crema/text": [],
    "crema/parallel": BASE,
    "crema/version": [],
    "crema/image/": BASE,
    "crema/counts/": [*BASE, "crema/counts/proof/bound.h"],
    "crema/counts/macchiato/": [
        *BASE,
        "crema/counts/*",
        "crema/counts/proof/interval.h",
        "crema/counts/proof/budget.h",
    ],
    "crema/counts/proof/": [*BASE, "crema/counts/*", "crema/counts/macchiato/"],
    "crema/counts/staple/": [*BASE, "crema/counts/*"],
    "crema/voxels/": ["crema/image/", "crema/counts/tally.h", "crema/parallel.h", *BASE],
    "crema/spatial/": [
        "crema/spatial/",
        "crema/image/",
        "crema/counts/*",
        "crema/counts/staple/",
        "crema/voxels/",
        "crema/parallel.h",
        *REQUEST,
        *STAGES,
        *BASE,
    ],
    # The table of methods names it, so it must not know what stands above the table.
    "crema/spatial/methods.h": ["crema/image/", "crema/counts/*", "crema/counts/staple/", *BASE],
    "crema/method": ["crema/counts/*", "crema/counts/staple/", "crema/spatial/methods.h", *BASE],
    "crema/options.h": [
        "crema/image/",
        "crema/counts/*",
        "crema/counts/staple/",
        "crema/voxels/region.h",
        "crema/memory.h",
    ],
    "crema/reduction.h": ["crema/voxels/", "crema/counts/tally.h"],
    "crema/solution.h": ["crema/image/", "crema/counts/staple/", "crema/method.h", "crema/sentence.h"],
    "crema/labels/choice": BASE,
    "crema/setting": [
        "crema/labels/choice.h",
        "crema/options.h",
        "crema/method.h",
        "crema/preset.h",
        "crema/counts/*",
        "crema/counts/staple/",
        "crema/voxels/",
        *BASE,
    ],
    "crema/citation": ["crema/method.h", "crema/version.h", *BASE],
    "crema/preset": [*REQUEST, *BASE],
    "crema/stop": [*REQUEST, *BASE],
    "crema/gather": [*REQUEST, "crema/voxels/", "crema/counts/tally.h", *BASE],
    "crema/measure": [*REQUEST, "crema/counts/*", *BASE],
    "crema/weights": [*REQUEST, "crema/counts/*", *BASE],
    "crema/fuse": ["crema/image/", "crema/counts/*", "crema/voxels/", "crema/parallel.h", *REQUEST, *STAGES, *BASE],
    "crema/solve": [
        "crema/image/",
        "crema/counts/*",
        "crema/voxels/",
        "crema/spatial/methods.h",
        "crema/parallel.h",
        *REQUEST,
        *STAGES,
        *BASE,
    ],
    "crema/labels/": [
        "crema/labels/choice.h",
        "crema/image/",
        "crema/counts/*",
        "crema/counts/staple/",
        "crema/voxels/",
        "crema/spatial/",
        "crema/parallel.h",
        *REQUEST,
        *STAGES,
        *BASE,
    ],
    "crema/agreement/": [
        "crema/labels/",
        "crema/image/",
        "crema/phantom/hash.h",
        "crema/counts/*",
        "crema/counts/proof/",
        "crema/counts/staple/",
        "crema/voxels/",
        "crema/spatial/euclidean.h",
        "crema/spatial/nearby_rows.h",
        "crema/setting",
        "crema/preset.h",
        "crema/version.h",
        "crema/parallel.h",
        *REQUEST,
        *STAGES,
        *BASE,
    ],
    "crema/phantom/": ["crema/image/", "crema/counts/tally.h", "crema/parallel.h", *BASE],
    "crema/crema.h": ["crema/"],
    # files/: a format knows what all formats share, and no other format.
    "files/": [*FILE_BASE, "files/io/", "files/values/"],
    "files/format.cpp": ["files/"],
    "files/io/": FILE_BASE,
    "files/values/": [*FILE_BASE, "files/io/"],
    "files/nifti/": A_FORMAT,
    "files/nrrd/": A_FORMAT,
    "files/meta/": [*A_FORMAT, "files/nrrd/header.h"],
    "files/png/": A_FORMAT,
    "files/tiff/": [*A_FORMAT, "files/png/plane.h"],
    "files/numpy/": A_FORMAT,
    # What stands on both.
    "raters/": ["crema/", *FILES, "files/values/values.h"],
    # Lines and letters know nothing of raters.
    "plot/svg": ["plot/svg.h"],
    "plot/chart": ["plot/"],
    "plot/": [
        "plot/svg.h",
        "plot/chart.h",
        "crema/agreement/",
        "crema/counts/tally.h",
        "crema/counts/solvers.h",
        "crema/counts/macchiato/trace.h",
        "crema/image/",
        *REQUEST,
        *BASE,
    ],
    # From a counted case to its picture.
    "draw/": ["plot/", "raters/", "crema/", *FILES],
    # Many cases, each through raters/.
    "cohort/": ["raters/", "crema/", *FILES],
    # Tables over many cases, from those that runs left.
    "study/": ["cohort/", "raters/", "crema/", *FILES],
    # A page is made of all of these.
    "report/": ["draw/", "plot/", "raters/", "crema/", *FILES, "files/io/gzip.h"],
    # Stands in for libraries and the system, behind the same headers.
    "report/app/": [
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
    # Of a cohort it sees plain names and numbers.
    "report/cohort_": ["report/", "plot/", "crema/", "cohort/overview.h"],
    "cli/": ["cli/", "draw/", "report/", "plot/", "study/", "cohort/", "raters/", "crema/", *FILES],
    "cli/main.cpp": ["cli/commands/commands.h", "cli/commands/cohort_commands.h", "cli/shell/"],
    "cli/commands/": ["cli/", "draw/", "report/", "plot/", "study/", "cohort/", "raters/", "crema/", *FILES],
    "cli/shell/": ["crema/version.h", "crema/setting", *BASE, *FILES],
    "cli/text/": ["cli/shell/", "cohort/", "raters/", "crema/", *FILES],
    "python/": ["draw/", "plot/", "raters/", "crema/", "files/"],
    # What looks on from outside.
    "bench/": ["crema/", "files/"],
    "test/": ["crema/", "files/", "raters/", "plot/", "report/", "cohort/", "cli/"],
    "fuzz/": ["crema/", "files/", "raters/", "test/"],
}

# A library header, and the only places that may name it.
THIRD_PARTY = {
    r"libdeflate\.h$": ["files/", "bench/"],
    r"(isa-l/|igzip_lib\.h$|crc\.h$)": ["files/", "bench/"],
    r"(png|pngconf)\.h$": ["files/png/"],
    r"(tiff|tiffio|tiffvers)\.h": ["files/tiff/"],
    r"nettle/": ["files/io/"],
    r"CLI/": ["cli/shell/", "bench/"],
    r"(oneapi/)?tbb/": ["crema/parallel"],
    r"nlohmann/": [],
    r"fmt/": [
        f"{room}/"
        for room in ("crema", "files", "raters", "plot", "draw", "report", "cohort", "study", "cli", "bench", "python")
    ],
    r"(librsvg/|cairo)": ["plot/render.cpp"],
    r"nanobind/": ["python/"],
    r"Python\.h$": ["python/"],
    r"benchmark/": ["bench/"],
    r"itk\w+\.h$": ["bench/itk_reader/"],
    r"sanitizer/": ["crema/parallel"],
    # The system itself: the library asks it for memory, all else is for those who read, write or run.
    r"dlfcn\.h$": ["plot/render.cpp"],
    r"sys/mman\.h$": ["crema/image/", "files/", "raters/", "bench/"],
    # Pages that are all alike come from a nameless file.
    r"(unistd|sys/resource)\.h$": ["crema/image/", "files/", "raters/", "cohort/", "cli/", "bench/"],
    r"(fcntl|fnmatch|signal|termios|poll|dirent|pwd)\.h$": ["files/", "raters/", "cohort/", "cli/", "bench/"],
    r"(sys|linux)/": ["files/", "raters/", "cohort/", "cli/", "bench/", "report/app/source.cpp"],
}
# Counts and images are arithmetic alone.
BARRED = {r"fmt/": ["crema/counts/", "crema/image/"]}

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]', re.MULTILINE)
# A header of C++, or of C under its C++ name.
STANDARD = re.compile(r"[a-z_0-9]+$")


def layer_of(path):
    return max((p for p in MAY_INCLUDE if path.startswith(p)), key=len, default=None)


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
    problems = []
    for path in tree.cpp():
        problems += problems_in(path.as_posix(), (tree.ROOT / path).read_text(encoding="utf-8"))
    tree.finish(problems, "layers")


if __name__ == "__main__":
    main()
