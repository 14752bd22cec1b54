# SPDX-License-Identifier: Apache-2.0
"""The checks find what they are there for."""

import itertools
import json
import pathlib
import re

import alone
import chains
import hygiene
import includes
import layers
import links
import pytest
import schema
import spelling
import tidy
import tree
import version

ALLOWED = [
    ("crema/counts/macchiato/greedy.cpp", '#include <vector>\n#include "crema/counts/tally.h"\n'),
    ("crema/counts/proof/bound.cpp", '#include "crema/counts/macchiato/descent.h"\n#include "crema/counts/tally.h"\n'),
    ("crema/voxels/votes/votes.cpp", '#include "crema/voxels/votes/votes.h"\n#include "crema/image/grid.h"\n'),
    ("crema/base/parallel.cpp", "#include <tbb/parallel_for.h>\n#include <sanitizer/tsan_interface.h>\n"),
    ("crema/image/image.cpp", "#include <sys/mman.h>\n#include <cstdint>\n"),
    ("files/png/png.cpp", '#include <png.h>\n#include "crema/image/grid.h"\n#include "files/io/stream.h"\n'),
    ("files/tiff/tiff.cpp", '#include <tiffio.h>\n#include "files/values/values.h"\n'),
    ("files/format.cpp", '#include "files/nifti/nifti.h"\n#include "files/png/png.h"\n'),
    ("raters/read/votes.cpp", '#include "crema/voxels/votes/votes.h"\n#include "files/files.h"\n'),
    ("cli/options/options.cpp", '#include "cli/options/parser.h"\n#include <unistd.h>\n'),
    ("cli/commands/fuse.cpp", '#include "raters/run/run.h"\n#include "plot/svg.h"\n#include "cli/text/summary.h"\n'),
    ("python/bind_fuse.cpp", '#include <nanobind/nanobind.h>\n#include "raters/run/run.h"\n'),
    ("crema/counts/macchiato/greedy_test.cpp",
     '#include <gtest/gtest.h>\n#include "crema/fuse.h"\n#include "test/slow.h"\n'),
]  # fmt: skip


@pytest.mark.parametrize("path, text", ALLOWED)
def test_what_the_layers_allow(path, text):
    assert not layers.problems_in(path, text)


@pytest.mark.parametrize(
    "path, included",
    [
        ("crema/base/error.h", "crema/fuse.h"),
        ("crema/base/parallel.h", "crema/fuse.h"),
        ("crema/image/image.h", "crema/voxels/votes/votes.h"),
        ("crema/counts/tally.h", "crema/counts/macchiato/greedy.h"),
        ("crema/counts/macchiato/greedy.cpp", "crema/voxels/votes/votes.h"),
        ("crema/counts/macchiato/greedy.cpp", "crema/counts/staple/rates.h"),
        ("crema/counts/staple/rates.cpp", "crema/counts/proof/bound.h"),
        ("crema/counts/proof/bound.cpp", "crema/counts/staple/rates.h"),
        ("crema/voxels/votes/votes.h", "crema/fuse.h"),
        ("crema/spatial/shape.cpp", "crema/records/record.h"),
        ("crema/spatial/methods.h", "crema/fuse.h"),
        ("crema/base/sentence.h", "crema/tables/method.h"),
        ("crema/tables/method.h", "crema/gather.h"),
        ("crema/tables/settings.cpp", "crema/agreement/overlap.h"),
        ("crema/options.h", "crema/labels/structures.h"),
        ("crema/fuse.cpp", "crema/records/record.h"),
        ("crema/solve.cpp", "crema/spatial/shape.h"),
        ("crema/phantom/phantom.cpp", "crema/fuse.h"),
        ("crema/records/record.cpp", "files/files.h"),
        ("crema/records/record.cpp", "crema/phantom/phantom.h"),
        ("files/io/stream.h", "files/values/values.h"),
        ("files/values/values.cpp", "files/nifti/nifti.h"),
        ("files/png/png.cpp", "crema/tables/method.h"),
        ("files/png/png.cpp", "files/tiff/tiff.h"),
        ("files/nifti/nifti.cpp", "files/nrrd/nrrd.h"),
        ("files/output.cpp", "files/nifti/nifti.h"),
        ("files/io/stream.cpp", "files/output.h"),
        ("raters/run/run.cpp", "cli/shell/command.h"),
        ("raters/run/run.cpp", "files/nifti/nifti.h"),
        ("plot/svg.cpp", "figure/slice.h"),
        ("cli/options/options.cpp", "cli/commands/commands.h"),
        ("cli/options/options.cpp", "cli/text/summary.h"),
        ("cli/options/options.cpp", "crema/fuse.h"),
        ("cli/text/summary.cpp", "cli/commands/commands.h"),
        ("cli/main.cpp", "crema/fuse.h"),
        ("cli/commands/fuse.cpp", "files/png/png.h"),
        ("python/bind_fuse.cpp", "cli/options/options.h"),
        ("bench/programs/case.cpp", "cli/commands/request.h"),
        ("fuzz/png.cpp", "cli/options/options.h"),
        ("crema/counts/macchiato/greedy_test.cpp", "cli/shell/command.h"),
        ("files/png/png_test.cpp", "raters/run/run.h"),
    ],
)
def test_what_the_layers_forbid(path, included):
    assert layers.problems_in(path, f'#include "{included}"\n')


@pytest.mark.parametrize(
    "path, included",
    [
        ("files/tiff/tiff.cpp", "png.h"),
        ("cli/commands/fuse.cpp", "png.h"),
        ("files/png/png.cpp", "tiffio.h"),
        ("raters/run/run.cpp", "tiffio.h"),
        ("raters/run/run.cpp", "libdeflate.h"),
        ("crema/fuse.cpp", "isa-l/igzip_lib.h"),
        ("crema/counts/vote.cpp", "fmt/format.h"),
        ("crema/image/image.cpp", "fmt/format.h"),
        ("crema/voxels/crowns.cpp", "oneapi/tbb/parallel_for.h"),
        ("raters/run/run.cpp", "tbb/parallel_for.h"),
        ("crema/fuse.cpp", "nlohmann/json.hpp"),
        ("crema/records/records.cpp", "nlohmann/json.hpp"),
        ("cli/main.cpp", "nanobind/nanobind.h"),
        ("cli/main.cpp", "Python.h"),
        ("crema/fuse.cpp", "gtest/gtest.h"),
        ("crema/fuse.cpp", "rapidcheck.h"),
        ("crema/fuse.cpp", "benchmark/benchmark.h"),
        ("crema/fuse.cpp", "nlopt.h"),
        ("cli/main.cpp", "itkImage.h"),
        ("files/files.cpp", "sanitizer/tsan_interface.h"),
        ("crema/fuse.cpp", "unistd.h"),
        ("crema/voxels/votes/votes.cpp", "sys/mman.h"),
        ("plot/svg.cpp", "sys/stat.h"),
        ("crema/fuse.cpp", "boost/any.hpp"),
        ("files/files.cpp", "zlib.h"),
        ("files/files.cpp", "stdint.h"),
    ],
)
def test_a_library_stays_in_its_place(path, included):
    assert layers.problems_in(path, f"#include <{included}>\n")


@pytest.mark.parametrize("path", ["elsewhere/x.cpp", "elsewhere/x_test.cpp", "crema/new/x.cpp"])
def test_a_file_outside_the_layers_is_noticed(path):
    assert layers.problems_in(path, "")


def including(names):
    return "".join(f'#include "{name}"\n' for name in names)


def test_a_long_chain_of_includes_is_noticed():
    names = [f"crema/{n}.h" for n in range(chains.DEEPEST)]
    texts = {name: including([below]) for name, below in itertools.pairwise(names)} | {names[-1]: ""}
    assert not chains.problems_in(texts)
    assert "crema/top.cpp" in chains.problems_in(texts | {"crema/top.cpp": including(names[:1])})[0]


def test_too_many_public_headers_are_noticed():
    few = {f"crema/{n}.h": "" for n in range(chains.MOST_PUBLIC - 1)}
    assert not chains.problems_in(few | {chains.PUBLIC: including(few)})
    many = few | {"crema/one_more.h": ""}
    assert "headers are public" in chains.problems_in(many | {chains.PUBLIC: including(many)})[0]


def test_every_row_of_the_layers_is_one_of_the_tree():
    """A row for what has gone would be a door left open."""
    paths = [path.as_posix() for path in tree.cpp()]
    stale = {row for row in layers.MAY_INCLUDE if not any(layers.matches(path, row) for path in paths)}
    assert not stale


SPDX = "// SPDX-License-Identifier: Apache-2.0\n"


def test_a_missing_licence_line_is_noticed():
    assert hygiene.problems_in(pathlib.Path("crema/x.h"), "#pragma once\n")
    assert not hygiene.problems_in(pathlib.Path("crema/x.h"), SPDX)


def test_a_long_file_is_noticed():
    assert hygiene.problems_in(pathlib.Path("crema/x.cpp"), SPDX + "\n" * 350)
    assert not hygiene.problems_in(pathlib.Path("crema/x.cpp"), SPDX + "\n" * 349)


def test_unfinished_work_and_paths_of_a_machine_are_noticed():
    assert hygiene.problems_in(pathlib.Path("crema/x.cpp"), SPDX + "// TO" + "DO later\n")
    assert hygiene.problems_in(pathlib.Path("crema/x.cpp"), SPDX + 'if (outcome.method().name == "staple") {}\n')
    assert not hygiene.problems_in(pathlib.Path("crema/x.cpp"), SPDX + 'if (setting.name == "weights") {}\n')
    assert hygiene.problems_in(pathlib.Path("crema/x.cpp"), SPDX + "Judged judge_image();\n")
    assert not hygiene.problems_in(pathlib.Path("crema/x.cpp"), SPDX + 'say("judge");  // what a criterion can judge\n')
    assert hygiene.problems_in(pathlib.Path("README.md"), "see /ho" + "me/somebody/crema\n")
    assert not hygiene.problems_in(pathlib.Path("README.md"), "see https://example.org/home/page\n")


def test_words_that_nobody_would_say_are_noticed_in_messages_and_pages():
    page, source = pathlib.Path("docs/x.md"), pathlib.Path("cli/x.cpp")
    assert hygiene.problems_in(page, "The gap is to" + "ld in the record.\n")
    assert hygiene.problems_in(page, "Parts are made ag" + "ain by who" + "ever merges.\n")
    assert hygiene.problems_in(source, SPDX + 'throw UsageError("{} is no pri' + 'or; write a number.");\n')
    assert hygiene.problems_in(pathlib.Path("python/crema/x.py"), SPDX + "raise ValueError('it makes no sen" + "se')\n")
    text = '"""First.\n\nIt makes no sen' + 'se.\n"""\nmakes_no_sense = 1  # or anew\n'
    assert len(hygiene.problems_in(pathlib.Path("python/crema/x.py"), SPDX.replace("//", "#") + text)) == 1
    assert not hygiene.problems_in(source, SPDX + 'bool told = fmt::format("{told} voxels");  // as it was asked\n')
    assert not hygiene.problems_in(pathlib.Path("test/cli/x.py"), SPDX + 'assert "told" in result.err\n')


def test_american_spelling_is_noticed_in_prose_only():
    assert spelling.problems_in(pathlib.Path("docs/x.md"), "The neighbor is optimized.\n")
    assert not spelling.problems_in(pathlib.Path("docs/x.md"), "Set `color` to a colour.\n")
    assert spelling.problems_in(pathlib.Path("x.cpp"), "  // the center\n")
    assert not spelling.problems_in(pathlib.Path("x.cpp"), "  png_set_gray_to_rgb(p);\n")


def test_a_dead_link_is_noticed(tmp_path):
    (tmp_path / "there.md").write_text("# A title, with marks\n")
    page = pathlib.Path("page.md")
    assert links.problems_in(page, "[x](gone.md)", tmp_path)
    assert links.problems_in(page, "[x](there.md#nowhere)", tmp_path)
    assert not links.problems_in(page, "[x](there.md#a-title-with-marks) [y](https://example.org)", tmp_path)


def test_a_field_missing_on_either_side_is_noticed():
    text = "## The record\n\n| field | type | meaning |\n|---|---|---|\n| `a` | x | y |\n| `b` | x | y |\n\nmore\n"
    documented = schema.fields_after(text, "## The record")
    assert documented == ["a", "b"]
    assert schema.compare("x", documented, {"a": 1}) and schema.compare("x", documented, {"a": 1, "b": 2, "c": 3})
    assert not schema.compare("x", documented, {"b": 2, "a": 1})


PROJECT, CITATION = 'version = "1.2.3"\n', "version: 1.2.3\n"


def test_a_version_that_differs_or_has_no_date_is_noticed():
    assert not version.problems_in(PROJECT, "# Changelog\n\n## [1.2.3] — 2026-11-15\n## [1.2.2]\n", CITATION)
    assert version.problems_in(PROJECT, "## [1.2.2] — 2026-11-15\n", CITATION)
    assert version.problems_in(PROJECT, "## [Unreleased]\n", CITATION)
    assert version.problems_in(PROJECT, "## [1.2.3]\n", CITATION)
    assert version.problems_in(PROJECT, "## [1.2.3] — soon\n", CITATION)
    assert version.problems_in(PROJECT, "## [1.2.3] — 2026-11-15\n", "version: 1.2.2\n")
    pages = {"page.md": '{"crema": "1.2.3", "decisions": 1}', "other.md": '  "crema": "1.3.0",'}
    (problem,) = version.problems_in(PROJECT, "## [1.2.3] — 2026-11-15\n", CITATION, pages)
    assert problem.startswith("other.md: a record of version 1.3.0")


def test_tidy_looks_at_what_a_changed_header_reaches(monkeypatch):
    commands = [{"paths": [pathlib.Path("files/png/png.cpp")]}, {"paths": [pathlib.Path("crema/counts/tally.cpp")]}]
    for changed, looked_at in [("files/format.h", 1), ("README.md", 0), (".clang-tidy", 2)]:
        monkeypatch.setattr(tidy, "changed_files", lambda changed=changed: {pathlib.Path(changed)})
        assert len(tidy.chosen(commands, "--changed")) == looked_at
    assert len(tidy.chosen(commands, "--all")) == 2


def test_tidy_looks_at_every_room_and_at_no_test():
    assert "python" in tree.PRODUCT
    command = "c++ -Winvalid-pch --param ggc-min-heapsize=9 -include /x/cmake_pch.hxx -O1 -o x.o"
    assert tidy.PRECOMPILED.sub("", command) == "c++ -O1 -o x.o"
    assert re.search(tidy.HEADERS, "python/bind.h") and not re.search(tidy.HEADERS, "/usr/include/png.h")


def batch(tmp_path, *sources):
    together = tmp_path / "together" / "crema_0.cpp"
    together.parent.mkdir(parents=True)
    together.write_text("".join(f'#include "{source}"\n' for source in sources))
    return {"file": str(together), "directory": str(tmp_path), "command": f"c++ -std=c++20 -I{tree.ROOT} -c {together}"}


def test_tidy_reads_the_sources_that_are_compiled_together_as_one(tmp_path):
    (entry,) = tidy.batches([batch(tmp_path, "crema/base/text.cpp", "crema/stop.cpp")])
    assert [str(path) for path in entry["paths"]] == ["crema/base/text.cpp", "crema/stop.cpp"]
    assert not tidy.batches([batch(tmp_path / "tests", "crema/base/text_test.cpp")])


@pytest.mark.skipif(
    not pathlib.Path(tidy.TIDY).exists(), reason="clang-tidy is in the environment of scripts/test alone"
)
def test_tidy_analyses_what_a_batch_includes(tmp_path):
    (tmp_path / "crema").mkdir()
    (tmp_path / "crema" / "a.cpp").write_text("int f(int n) { int* p = nullptr; return n > 3 ? *p : n; }\n")
    entry = batch(tmp_path, "crema/a.cpp") | {"paths": []}
    entry["command"] += f" -I{tmp_path}"
    entry = tidy.for_clang_tidy(entry, tmp_path)
    (tmp_path / "compile_commands.json").write_text(json.dumps([entry]))
    assert "NullDereference" in "".join(tidy.findings(tmp_path, entry["file"]))


@pytest.mark.parametrize(
    "text, lacks",
    [
        ("std::sort(a.begin(), a.end());\n", "algorithm"),
        ("namespace fs = std::filesystem;\nfs::path p;\n", "filesystem"),
        ('#include <fmt/core.h>\nauto s = fmt::format("");\n', "fmt/format.h"),
        ("#include <rapidcheck/gtest.h>\n*rc::gen::inRange(1, 2);\n", None),
        ('// std::sort(a)\nauto s = "std::sort(a)";\n', None),
    ],
)
def test_what_a_test_uses_and_does_not_include(text, lacks):
    told = includes.problems_in("a_test.cpp", text, set(includes.SYSTEM.findall(text)))
    assert [f"<{lacks}>" in line for line in told] == ([True] if lacks else [])


def test_a_header_is_compiled_alone_unless_a_source_begins_with_it(tmp_path):
    files = alone.to_compile([batch(tmp_path, "crema/base/text.cpp")])
    assert pathlib.Path("crema/base/text.cpp") in files
    assert pathlib.Path("crema/base/text.h") not in files
    assert pathlib.Path("crema/crema.h") in files


def test_a_source_that_needs_its_neighbour_does_not_compile_alone(tmp_path):
    (tmp_path / "a.cpp").write_text("int f() { return g(); }\n")
    compiler = alone.Compiler(tmp_path)
    assert "does not compile alone" in compiler.errors(pathlib.Path("a.cpp"), [f"-I{tmp_path}"])
    assert not compiler.errors(pathlib.Path("crema/base/text.cpp"), [])
