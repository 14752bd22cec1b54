// SPDX-License-Identifier: Apache-2.0
#include "crema/counts/distance.h"

#include <cmath>

#include <gtest/gtest.h>

#include "crema/counts/discrepancy.h"
#include "crema/counts/macchiato/draft.h"
#include "crema/counts/solvers.h"
#include "test/random_tally.h"

namespace crema {
namespace {

constexpr Tversky kJaccard{1, 1}, kDice{0.5, 0.5}, kOther{0.3, 1.7};

std::vector<Distance> all_distances() {
  std::vector<Distance> all;
  for (const DistanceRow& row : kDistances) all.push_back(row.distance.with(kOther));
  return all;
}

Levels random_levels(random_case::Dice& dice, const Tally& tally, int steps) {
  Levels levels;
  for (std::size_t r = 0; r < tally.rows.size(); ++r)
    levels.push_back(dice.roll(0, steps) / static_cast<double>(steps));
  return levels;
}

TEST(Distances, HasItsRowAtItsPlaceUnderAName) {
  for (std::size_t i = 0; i < kDistances.size(); ++i) {
    EXPECT_EQ(static_cast<std::size_t>(kDistances[i].distance.id), i);
    EXPECT_FALSE(kDistances[i].name.empty());
    EXPECT_TRUE(is_hard(kDistances[i].twin));
  }
}

TEST(Distances, FollowsItsFormula) {
  const Tally tally{.raters = 2, .rows = {{0, 0b11, 4}, {1, 0b01, 2}, {1, 0b10, 3}}};
  const Sums sums = sum_up(tally, {1, 0.5, 0});  // t = 5, a = (5, 4), s = (6, 7)
  EXPECT_DOUBLE_EQ(distance_to(sums, 0, Distance::hamming1), std::sqrt(5 + 6 - 2 * 5));
  EXPECT_DOUBLE_EQ(distance_to(sums, 1, Distance::hamming1), std::sqrt(5 + 7 - 2 * 4));
  EXPECT_DOUBLE_EQ(distance_to(sums, 1, Distance::tversky1.with(kOther)),
                   1 - 4 / (4 + 0.3 * (5 - 4) + 1.7 * (7 - 4)));
}

TEST(Distances, OfMasksHaveASoftTwinThatEqualsThemOnMasks) {
  EXPECT_EQ(soft_twin_of(Distance::jaccard), Distance::soergel);
  EXPECT_EQ(soft_twin_of(Distance::dice), Distance::dice1);
  random_case::Dice dice{6};
  for (int i = 0; i < 50; ++i) {
    const Tally tally = random_tally::make(dice, {});
    const Levels levels = random_levels(dice, tally, 1);
    for (const Distance& distance : all_distances()) {
      const Distance twin = soft_twin_of(distance);
      EXPECT_FALSE(is_hard(twin));
      EXPECT_EQ(twin == distance, !is_hard(distance));
      EXPECT_DOUBLE_EQ(criterion(tally, levels, twin), criterion(tally, levels, distance));
    }
  }
}

TEST(Distances, SquaresFallAsTheirDerivativesSay) {
  random_case::Dice dice{3};
  constexpr double kStep = 1e-5;
  for (int i = 0; i < 200; ++i) {
    const Tally tally = random_tally::make(dice, {});
    const Sums sums = sum_up(tally, random_levels(dice, tally, 7));
    if (sums.total == 0) continue;
    for (const Distance& distance : all_distances())
      for (int k = 0; k < tally.raters; ++k) {
        const auto slope = [&](auto move) {
          Sums up = sums, down = sums;
          move(up, kStep);
          move(down, -kStep);
          return (squared_distance_to(up, k, distance) - squared_distance_to(down, k, distance)) /
                 (2 * kStep);
        };
        const auto at = static_cast<std::size_t>(k);
        if (sums.overlap[at] == 0) continue;  // it cannot be less
        if (sums.overlap[at] == sums.size[at] || sums.overlap[at] == sums.total) continue;  // nor more
        const Fall fall = fall_to(sums, k, distance, 2, 4);
        EXPECT_NEAR(-2 * fall.overlap, slope([&](Sums& s, double h) { s.overlap[at] += h; }), 1e-6);
        EXPECT_NEAR(2 * fall.extent, slope([&](Sums& s, double h) {
                      s.total += h;
                      s.squares += h;
                    }),
                    1e-6);
      }
  }
}

TEST(Distances, OfWholeNumbersIsThatOfTheirSums) {
  random_case::Dice dice{4};
  for (int i = 0; i < 300; ++i) {
    const Tally tally = random_tally::make(dice, {});
    const Levels levels = random_levels(dice, tally, 1);
    for (const Distance& distance : all_distances()) {
      if (!is_hard(distance)) continue;
      Draft draft(tally, distance);
      for (std::size_t r = 0; r < levels.size(); ++r)
        if (levels[r] == 1) draft.add(tally.rows[r]);
      const double expected = criterion(tally, levels, distance) * tally.raters;
      EXPECT_NEAR(draft.value(), expected, 1e-12 * (1 + expected));
      EXPECT_NEAR(static_cast<double>(draft.precise_value()), expected, 1e-12 * (1 + expected));
    }
  }
}

TEST(Tversky, HoldsJaccardAndDice) {
  struct Pair {
    Distance general, special;
  };
  random_case::Dice dice{5};
  for (int i = 0; i < 300; ++i) {
    const Tally tally = random_tally::make(dice, {});
    const Levels levels = random_levels(dice, tally, 5);
    for (const auto& [general, special] : {Pair{Distance::tversky1.with(kJaccard), Distance::soergel},
                                           Pair{Distance::tversky1.with(kDice), Distance::dice1},
                                           Pair{Distance::tversky.with(kJaccard), Distance::jaccard},
                                           Pair{Distance::tversky.with(kDice), Distance::dice}}) {
      EXPECT_NEAR(criterion(tally, levels, general), criterion(tally, levels, special), 1e-12);
      for (const Blocks blocks : {Blocks::subcrown, Blocks::crown, Blocks::group}) {
        const SolveOptions options{.blocks = blocks, .budget = {.nodes = 300}};
        const Answer one = solve_distance(tally, general, options),
                     other = solve_distance(tally, special, options);
        ASSERT_EQ(one.levels.size(), other.levels.size());
        for (std::size_t r = 0; r < one.levels.size(); ++r)
          EXPECT_NEAR(one.levels[r], other.levels[r], 1e-12) << to_string(special) << ", tally " << i;
      }
    }
  }
}

TEST(Tversky, WeighsWhatIsTooMuchAgainstWhatIsMissing) {
  // Rater 1 drew 4 voxels, rater 2 these and 3 more.
  const Tally tally{.raters = 2, .rows = {{0, 0b11, 4}, {1, 0b10, 3}}};
  const auto levels = [&](const Tversky& settings) {
    return solve_for<Distance::tversky>(tally, {.tversky = settings}).levels;
  };
  EXPECT_EQ(levels({0.1, 1}), (Levels{1, 1}));  // what is missing costs more
  EXPECT_EQ(levels({1, 0.1}), (Levels{1, 0}));
}

}  // namespace
}  // namespace crema
