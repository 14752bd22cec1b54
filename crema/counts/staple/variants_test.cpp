// SPDX-License-Identifier: Apache-2.0
#include "crema/counts/staple/variants.h"

#include <bit>
#include <cmath>
#include <map>

#include <gtest/gtest.h>

#include "crema/counts/groups.h"
#include "test/random_case.h"

namespace crema {
namespace {

using random_case::Dice;

Groups random_groups(Dice& dice) {
  Groups groups{.raters = dice.roll(1, 6), .rows = {{0, dice.roll(1, 3000)}}};
  for (Raters set = 1; set < Raters{1} << groups.raters; ++set)
    if (dice.roll(0, 2) > 0) groups.rows.push_back({set, dice.roll(1, 200)});
  return groups;
}

Levels majority(const Groups& groups, Tie tie) {
  Levels levels;
  for (const Group& row : groups.rows) {
    const int over = 2 * std::popcount(row.raters) - groups.raters;
    levels.push_back(over > 0 || (over == 0 && tie == Tie::foreground) ? 1 : 0);
  }
  return levels;
}

const std::map<std::string, GroupSolver> kMasks{
    {"ml-accuracy", solve_ml_accuracy}, {"ml-shared", solve_ml_shared}, {"ml-common", solve_ml_common}};

TEST(Variants, OneCommonAccuracyIsTheMajorityVoteWhateverTheBackground) {
  Dice dice{1};
  for (int i = 0; i < 500; ++i) {
    Groups groups = random_groups(dice);
    for (const std::int64_t background : {1, 1000, 100'000'000})
      for (const Tie tie : {Tie::background, Tie::foreground}) {
        groups.rows[0].voxels = background;
        const GroupAnswer answer = solve_ml_common(groups, {.tie = tie});
        EXPECT_EQ(answer.levels, majority(groups, tie)) << "case " << i;
        EXPECT_TRUE(answer.performance.converged) << "case " << i;
      }
  }
}

TEST(Variants, OneCommonAccuracyWithEvenPriorIsAboveOneHalfWhereTheMajorityIs) {
  Dice dice{2};
  for (int i = 0; i < 300; ++i) {
    const Groups groups = random_groups(dice);
    const GroupAnswer answer = solve_common(groups, {.prior = {Prior::Kind::number, 0.5}});
    const double accuracy = answer.performance.sensitivity[0];
    EXPECT_EQ(accuracy, answer.performance.specificity[0]);
    ASSERT_GT(accuracy, 0.5);
    for (std::size_t r = 0; r < groups.rows.size(); ++r) {
      const int over = 2 * std::popcount(groups.rows[r].raters) - groups.raters;
      EXPECT_EQ(answer.levels[r] > 0.5, over > 0) << "case " << i;
    }
  }
}

/// METHOD 7.1: only one common accuracy is free of the background.
TEST(Variants, OneAccuracyPerRaterMovesWithTheBackground) {
  Groups groups{3, {{0, 10}, {0b001, 150}, {0b010, 40}, {0b011, 30}, {0b100, 10}, {0b110, 25}, {0b111, 60}}};
  bool moved = false;
  const Levels small = solve_accuracy(groups, {}).levels;
  groups.rows[0].voxels = 1'000'000;
  const Levels large = solve_accuracy(groups, {}).levels;
  for (std::size_t r = 1; r < small.size(); ++r) moved = moved || std::abs(small[r] - large[r]) > 0.01;
  EXPECT_TRUE(moved);
}

/// Each mask is the likeliest under its own rates: none of the simplifications beats the free estimate.
TEST(Variants, AreFixedPointsThatTieWhatTheySayTheyTie) {
  Dice dice{3};
  for (int i = 0; i < 300; ++i) {
    const Groups groups = random_groups(dice);
    for (const auto& [name, solve] : kMasks) {
      const GroupAnswer answer = solve(groups, {});
      const Performance& found = answer.performance;
      for (const double level : answer.levels) EXPECT_TRUE(level == 0 || level == 1) << name;
      for (std::size_t k = 0; k < found.sensitivity.size(); ++k) {
        const double p = found.sensitivity[k], q = found.specificity[k];
        EXPECT_TRUE(name == "ml-shared" || p == q) << name;
        EXPECT_TRUE(name == "ml-accuracy" || (p == found.sensitivity[0] && q == found.specificity[0]))
            << name;
      }
    }
  }
}

TEST(Variants, GiveTheMaskBackWhenNobodyDisagrees) {
  const Groups groups{4, {{0, 700}, {0b1111, 300}}};
  for (const auto& [name, solve] : kMasks) EXPECT_EQ(solve(groups, {}).levels, (Levels{0, 1})) << name;
  EXPECT_NEAR(solve_common(groups, {}).levels[1], 1, 1e-9);
}

/// With shared rates only the number of raters counts, and more of them never less.
TEST(Variants, SharedRatesMakeAVoteByNumber) {
  Dice dice{4};
  for (int i = 0; i < 300; ++i) {
    const Groups groups = random_groups(dice);
    const GroupAnswer answer = solve_ml_shared(groups, {});
    std::map<int, double> level;
    for (std::size_t r = 0; r < groups.rows.size(); ++r) {
      const auto [at, fresh] = level.emplace(std::popcount(groups.rows[r].raters), answer.levels[r]);
      EXPECT_EQ(at->second, answer.levels[r]) << "case " << i;
    }
    double before = 0;
    for (const auto& [count, here] : level) {
      EXPECT_GE(here, before) << "case " << i;
      before = here;
    }
  }
}

}  // namespace
}  // namespace crema
