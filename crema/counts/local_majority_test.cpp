// SPDX-License-Identifier: Apache-2.0
#include <bit>

#include <gtest/gtest.h>

#include "crema/counts/solvers.h"
#include "test/random_tally.h"

namespace crema {
namespace {

/// "The component is kept if 2P > K, a voxel is in if 2|g| > P, ties by the tie policy."
Levels plain_local_vote(const Tally& tally, Tie tie) {
  Raters anybody = 0;
  for (const Subcrown& row : tally.rows) anybody |= row.raters;
  const int present = std::popcount(anybody), all = tally.raters;
  const auto wins = [&](int votes, int of) {
    return 2 * votes > of || (2 * votes == of && tie == Tie::foreground);
  };
  Levels levels;
  for (const Subcrown& row : tally.rows)
    levels.push_back(wins(present, all) && wins(std::popcount(row.raters), present) ? 1 : 0);
  return levels;
}

TEST(LocalMajority, IsAVoteOfThoseWhoDrewSomethingInTheComponent) {
  for (std::uint64_t seed = 1; seed <= 2000; ++seed) {
    SCOPED_TRACE(seed);
    random_case::Dice dice{seed};
    const Tally tally = random_tally::make(dice, {.max_raters = 7});
    for (const Tie tie : {Tie::background, Tie::foreground})
      EXPECT_EQ(solve_local_majority(tally, {.tie = tie}).levels, plain_local_vote(tally, tie));
  }
}

TEST(LocalMajority, IsTheMajorityWhereEverybodyIsPresent) {
  for (std::uint64_t seed = 1; seed <= 500; ++seed) {
    SCOPED_TRACE(seed);
    random_case::Dice dice{seed};
    Tally tally = random_tally::make(dice, {.max_raters = 6});
    tally.rows.push_back({0, (Raters{1} << tally.raters) - 1, 3});
    for (const Tie tie : {Tie::background, Tie::foreground}) {
      const SolveOptions options{.tie = tie, .weights = random_tally::random_weights(dice, tally.raters)};
      EXPECT_EQ(solve_local_majority(tally, options).levels, solve_majority(tally, options).levels);
    }
  }
}

TEST(LocalMajority, WeightsCountAmongThosePresentAndAWeightOfZeroLeavesTheRaterOut) {
  const Tally tally{.raters = 4, .rows = {{0, 0b0011, 1}, {0, 0b0001, 1}, {0, 0b0100, 1}}};
  EXPECT_EQ(solve_local_majority(tally, {}).levels, (Levels{1, 0, 0}));
  EXPECT_EQ(solve_local_majority(tally, {.weights = {3, 1, 1, 1}}).levels, (Levels{1, 1, 0}));
  EXPECT_EQ(solve_local_majority(tally, {.weights = {0, 1, 1, 1}}).levels, (Levels{0, 0, 0}));
  const Tally nobody{.raters = 2, .rows = {{0, 0b01, 1}}};
  EXPECT_EQ(solve_local_majority(nobody, {.weights = {0, 1}}).levels, (Levels{0}));
}

TEST(LocalMajority, HalfOfTheRatersKeepAComponentOnlyWhereTiesAreIn) {
  const Tally tally{.raters = 4, .rows = {{0, 0b0011, 5}, {0, 0b0001, 2}}};
  EXPECT_EQ(solve_local_majority(tally, {}).levels, (Levels{0, 0}));
  EXPECT_EQ(solve_local_majority(tally, {.tie = Tie::foreground}).levels, (Levels{1, 1}));
}

}  // namespace
}  // namespace crema
