// SPDX-License-Identifier: Apache-2.0
#include "cli/text/table.h"

#include <gtest/gtest.h>

namespace crema::cli {
namespace {

const std::vector<Cells> kRows{{"", "a", "bb"}, {"heading"}, {"× one", "1", "22"}};

TEST(Table, NumbersEndBelowEachOther) {
  EXPECT_EQ(table(kRows, {.width = 80}), "       a  bb\nheading\n× one  1  22\n");
}

TEST(Table, ColumnsThatDoNotFitStandBelowTheOthersWithTheNames) {
  EXPECT_EQ(table(kRows, {.width = 9}), "       a\nheading\n× one  1\n\n       bb\nheading\n× one  22\n");
}

TEST(Table, AColumnThatFitsNowhereIsShownAllTheSame) {
  EXPECT_EQ(table({{"name", "a long cell"}}, {.width = 5}), "name  a long cell\n");
}

}  // namespace
}  // namespace crema::cli
