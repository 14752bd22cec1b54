// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "crema/counts/solvers.h"

namespace crema {
namespace {

const Tally kFour{.raters = 4, .rows = {{0, 0b1111, 1}, {0, 0b0111, 1}, {0, 0b0011, 1}, {0, 0b0001, 1}}};

TEST(Majority, NeedsMoreThanHalfAndLeavesHalfToTheTiePolicy) {
  EXPECT_EQ(solve_majority(kFour, {}).levels, (Levels{1, 1, 0, 0}));
  EXPECT_EQ(solve_majority(kFour, {.tie = Tie::foreground}).levels, (Levels{1, 1, 1, 0}));
}

TEST(Average, IsTheShareOfRaters) {
  EXPECT_EQ(solve_average(kFour, {}).levels, (Levels{1, 0.75, 0.5, 0.25}));
}

TEST(Vote, WeightsShiftTheVoteAndAWeightOfZeroLeavesTheRaterOut) {
  const SolveOptions heavy{.weights = {5, 1, 1, 1}};
  EXPECT_EQ(solve_majority(kFour, heavy).levels, (Levels{1, 1, 1, 1}));
  EXPECT_EQ(solve_average(kFour, heavy).levels, (Levels{1, 0.875, 0.75, 0.625}));
  const SolveOptions without{.weights = {0, 1, 1, 1}};
  EXPECT_EQ(solve_majority(kFour, without).levels, (Levels{1, 1, 0, 0}));
}

TEST(Vote, ATieOfWeightsThatAreNoBinaryFractionsIsATie) {
  const Tally tally{.raters = 3, .rows = {{0, 0b011, 1}, {0, 0b100, 1}}};
  const SolveOptions tied{.tie = Tie::foreground, .weights = {0.1, 0.2, 0.3}};
  EXPECT_EQ(solve_majority(tally, tied).levels, (Levels{1, 1}));
}

}  // namespace
}  // namespace crema
