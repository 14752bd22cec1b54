// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "crema/counts/solvers.h"

namespace crema {
namespace {

const Tally kFour{.raters = 4, .rows = {{0, 0b1111, 1}, {0, 0b0111, 1}, {0, 0b0011, 1}, {0, 0b0001, 1}}};

TEST(Majority, NeedsMoreThanHalfAndLeavesHalfToTheTiePolicy) {
  EXPECT_EQ(solve_majority(kFour, {}), (Levels{1, 1, 0, 0}));
  EXPECT_EQ(solve_majority(kFour, {.tie = Tie::foreground}), (Levels{1, 1, 1, 0}));
}

TEST(Average, IsTheShareOfRaters) { EXPECT_EQ(solve_average(kFour, {}), (Levels{1, 0.75, 0.5, 0.25})); }

}  // namespace
}  // namespace crema
