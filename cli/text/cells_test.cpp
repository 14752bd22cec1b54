// SPDX-License-Identifier: Apache-2.0
#include "cli/text/cells.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "cli/text/columns.h"

namespace crema::cli {
namespace {

using Names = std::vector<std::string>;

TEST(NarrowNames, LoseTheirEndingsWhereTheyStayApart) {
  EXPECT_EQ(narrow_names({"ann.nii.gz", "bob.png"}, 10), (Names{"ann", "bob"}));
  EXPECT_EQ(narrow_names({"ann.nii.gz", "ann.png"}, 12), (Names{"ann.nii.gz", "ann.png"}));
}

TEST(NarrowNames, ThatWouldLookAlikeGetTheirNumber) {
  EXPECT_EQ(narrow_names({"patient-0001-left", "patient-0002-left"}, 9), (Names{"1 pat…eft", "2 pat…eft"}));
}

TEST(Shortened, KeepsBothEndsAndCountsLettersNotBytes) {
  EXPECT_EQ(shortened("abcdef", 6), "abcdef");
  EXPECT_EQ(shortened("abcdefgh", 5), "ab…gh");
  EXPECT_EQ(shortened("äöüßäöüß", 5), "äö…üß");
}

TEST(Decimals, AreADashWhereThereIsNoNumber) {
  EXPECT_EQ(decimals(0.12345, 3), "0.123");
  EXPECT_EQ(decimals(Undefined::both_empty, 3), "–");
}

struct Sizes {
  double voxels, millilitres;
};

/// Millilitres are undefined where files state no size.
Columns<Sizes> size_columns() {
  return {{"ml",
           "",
           [](const Sizes& row) -> Cell {
             return row.millilitres < 0 ? Cell(Undefined::no_voxel_size) : Cell(row.millilitres);
           },
           {"ml", 1}},
          {"voxels", "", [](const Sizes& row) -> Cell { return row.voxels; }, {"voxels", 0}}};
}

TEST(AddColumns, TakesTheFirstAlternativeInATrueUnit) {
  const std::vector<Sizes> sized{{10, 2.5}}, unsized{{10, -1}};
  std::vector<Cells> in_millilitres{{}, {}}, in_voxels{{}, {}};
  add_columns(in_millilitres, size_columns(), sized, {"ml|voxels"});
  add_columns(in_voxels, size_columns(), unsized, {"ml|voxels"});
  EXPECT_EQ(in_millilitres, (std::vector<Cells>{{"ml"}, {"2.5"}}));
  EXPECT_EQ(in_voxels, (std::vector<Cells>{{"voxels"}, {"10"}}));
}

TEST(AddColumns, ANameThatNoColumnHasIsAMistakeOfOurs) {
  std::vector<Cells> cells{{}, {}};
  EXPECT_THROW(add_columns(cells, size_columns(), {{1, 1}}, {"litres"}), std::logic_error);
}

}  // namespace
}  // namespace crema::cli
