# SPDX-License-Identifier: Apache-2.0
"""The checks find what they are there for."""
import pathlib

import hygiene
import layers
import links
import schema
import spelling


def test_counts_may_not_look_at_voxels():
    assert layers.problems_in("crema/counts/macchiato/greedy.cpp", '#include "crema/voxels/votes.h"\n')
    assert not layers.problems_in("crema/counts/macchiato/greedy.cpp", '#include <vector>\n#include "crema/counts/tally.h"\n')


def test_files_may_not_look_at_methods():
    assert layers.problems_in("files/png/png.cpp", '#include "crema/method.h"\n')
    assert not layers.problems_in("files/png/png.cpp", '#include <png.h>\n#include "crema/image/grid.h"\n')


def test_a_library_stays_in_its_place():
    assert layers.problems_in("cli/commands/fuse.cpp", "#include <png.h>\n")
    assert layers.problems_in("crema/fuse.cpp", "#include <CLI/CLI.hpp>\n")
    assert layers.problems_in("crema/counts/vote.cpp", "#include <fmt/format.h>\n")
    assert layers.problems_in("crema/voxels/crowns.cpp", "#include <oneapi/tbb/parallel_for.h>\n")
    assert layers.problems_in("crema/fuse.cpp", "#include <boost/any.hpp>\n")


def test_a_file_outside_the_layers_is_noticed():
    assert layers.problems_in("elsewhere/x.cpp", "")


def test_tests_may_use_their_own_folder_and_its_helpers():
    text = '#include <gtest/gtest.h>\n#include "crema/fuse.h"\n#include "test/slow.h"\n'
    assert not layers.problems_in("crema/counts/macchiato/greedy_test.cpp", text)
    assert layers.problems_in("crema/counts/macchiato/greedy_test.cpp", '#include "cli/shell/command.h"\n')


SPDX = "// SPDX-License-Identifier: Apache-2.0\n"


def test_a_missing_licence_line_is_noticed():
    assert hygiene.problems_in(pathlib.Path("crema/x.h"), "#pragma once\n")
    assert not hygiene.problems_in(pathlib.Path("crema/x.h"), SPDX)


def test_a_long_file_is_noticed():
    assert hygiene.problems_in(pathlib.Path("crema/x.cpp"), SPDX + "\n" * 350)
    assert not hygiene.problems_in(pathlib.Path("crema/x.cpp"), SPDX + "\n" * 349)


def test_unfinished_work_and_paths_of_a_machine_are_noticed():
    assert hygiene.problems_in(pathlib.Path("crema/x.cpp"), SPDX + "// TO" + "DO later\n")
    assert hygiene.problems_in(pathlib.Path("README.md"), "see /ho" + "me/somebody/crema\n")
    assert not hygiene.problems_in(pathlib.Path("README.md"), "see https://example.org/home/page\n")


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
