// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "crema/counts/problem.h"
#include "crema/counts/solvers.h"
#include "test/random_tally.h"

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

/// The least criterion over all choices of blocks.
double least_by_trying(const Tally& tally, const Problem& blocks, const std::vector<double>& weights) {
  double least = INFINITY;
  for (unsigned chosen = 0; chosen < 1U << blocks.blocks(); ++chosen) {
    Levels levels;
    for (const std::uint32_t block : blocks.block_of_row) levels.push_back(chosen >> block & 1);
    least = std::min(least, criterion(tally, levels, Distance::hamming, weights));
  }
  return least;
}

TEST(Hamming, IsTheMajorityVoteWhateverTheWeightsAndTies) {
  random_case::Dice dice{1};
  for (int i = 0; i < 500; ++i) {
    const Tally tally = random_tally::make(dice, {.max_raters = 6});
    for (const Tie tie : {Tie::background, Tie::foreground})
      for (const Blocks blocks : {Blocks::subcrown, Blocks::voxel, Blocks::group}) {
        const SolveOptions options{
            .tie = tie, .blocks = blocks, .weights = random_tally::random_weights(dice, tally.raters)};
        const Levels expected = solve_majority(tally, options).levels;
        EXPECT_EQ(solve_for<Distance::hamming>(tally, options).levels, expected);
        EXPECT_EQ(solve_for<Distance::hamming1>(tally, options).levels, expected);
      }
  }
}

TEST(Hamming, IsTheMinimumOfItsBlocksAndProvesIt) {
  random_case::Dice dice{2};
  for (int i = 0; i < 200; ++i) {
    const Tally tally = random_tally::make(dice, {.max_raters = 5, .max_rows = 9});
    const auto weights = random_tally::random_weights(dice, tally.raters);
    for (const Blocks blocks : {Blocks::subcrown, Blocks::crown, Blocks::group}) {
      const SolveOptions options{.blocks = blocks, .weights = weights};
      const Answer answer = solve_for<Distance::hamming>(tally, options);
      const double value = criterion(tally, answer.levels, Distance::hamming, weights);
      const double least =
          least_by_trying(tally, make_problem(tally, Distance::hamming, weights, blocks), weights);
      EXPECT_NEAR(value, least, 1e-9);
      const Certificate certificate = certify(tally, Distance::hamming1, answer.levels, options);
      EXPECT_TRUE(certificate.proven);
      EXPECT_LE(certificate.lower_bound, value + 1e-9);
      if (blocks != Blocks::crown) {
        EXPECT_NEAR(certificate.lower_bound, value, 1e-9);
      }
    }
  }
}

}  // namespace
}  // namespace crema
