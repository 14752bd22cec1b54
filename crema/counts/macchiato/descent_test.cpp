// SPDX-License-Identifier: Apache-2.0
#include "crema/counts/macchiato/descent.h"

#include <bit>
#include <cmath>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "crema/counts/solvers.h"
#include "test/random_tally.h"

namespace crema {
namespace {

struct Soft {
  Distance distance;
  Solver solver;
};
constexpr std::array kSoftMethods{Soft{Distance::soergel, solve_for<Distance::soergel>},
                                  Soft{Distance::tanimoto, solve_for<Distance::tanimoto>},
                                  Soft{Distance::dice1, solve_for<Distance::dice1>},
                                  Soft{Distance::dice2, solve_for<Distance::dice2>}};

/// The share of the raters present who drew each row.
Levels present_average(const Tally& tally) {
  Raters present = 0;
  for (const Subcrown& row : tally.rows) present |= row.raters;
  Levels levels;
  for (const Subcrown& row : tally.rows)
    levels.push_back(static_cast<double>(std::popcount(row.raters)) / std::popcount(present));
  return levels;
}

/// Alg. 2 written plainly: every row's level from a grid that is refined around its best point, all sums
/// afresh, in the order of the rows.
Levels plain_descent(const Tally& tally, Distance distance) {
  Levels levels = present_average(tally);
  double last = 10;
  for (int sweep = 0; sweep < 300; ++sweep) {
    for (std::size_t r = 0; r < levels.size(); ++r) {
      auto value = [&](double y) {
        levels[r] = y;
        const Sums sums = sum_up(tally, levels);
        double sum = 0;
        for (int k = 0; k < tally.raters; ++k) {
          const double d = sums.size[static_cast<std::size_t>(k)] == 0 ? 1 : distance_to(sums, k, distance);
          sum += d * d;
        }
        return sum;
      };
      double low = 0, high = 1, best = 0;
      for (int zoom = 0; zoom < 12; ++zoom) {
        double least = 1e9;
        for (int i = 0; i <= 40; ++i) {
          const double y = low + (high - low) * i / 40;
          if (value(y) < least) {
            least = value(y);
            best = y;
          }
        }
        const double width = (high - low) / 20;
        low = std::max(0.0, best - width);
        high = std::min(1.0, best + width);
      }
      levels[r] = best;
    }
    const double now = criterion(tally, levels, distance);
    if (last - now < 1e-12 * now) break;
    last = now;
  }
  return levels;
}

RC_GTEST_PROP(Descent, ReachesWhatAPlainVersionReaches, (std::uint64_t seed)) {
  random_case::Dice dice{seed};
  const Tally tally = random_tally::make(dice, {.max_raters = 4, .max_rows = 5, .max_voxels = 20});
  for (const Soft& soft : kSoftMethods) {
    const Levels own = soft.solver(tally, {.empty_test = EmptyTest::skip}).levels;
    const double mine = criterion(tally, own, soft.distance);
    const double plain = criterion(tally, plain_descent(tally, soft.distance), soft.distance);
    RC_LOG() << to_string(soft.distance) << " " << mine << " " << plain;
    RC_ASSERT(mine <= plain + 1e-6);
  }
}

RC_GTEST_PROP(Descent, IsNotAboveTheMaskAverageItStartsFrom, (std::uint64_t seed)) {
  random_case::Dice dice{seed};
  for (int i = 0; i < 10; ++i) {
    const Tally tally = random_tally::make(dice, {});
    const auto weights = random_tally::random_weights(dice, tally.raters);
    for (const Soft& soft : kSoftMethods) {
      const SolveOptions options{.weights = weights};
      const Levels levels = soft.solver(tally, options).levels;
      const double own = criterion(tally, levels, soft.distance, weights);
      RC_ASSERT(own <=
                criterion(tally, solve_average(tally, options).levels, soft.distance, weights) + 1e-12);
      RC_ASSERT(own <= criterion(tally, Levels(levels.size(), 0), soft.distance, weights) + 1e-12);
      for (const double level : levels) {
        RC_ASSERT(level >= 0);
        RC_ASSERT(level <= 1);
      }
    }
  }
}

RC_GTEST_PROP(Descent, AWeightOfZeroIsTheSameAsLeavingTheRaterOut, (std::uint64_t seed)) {
  random_case::Dice dice{seed};
  const Tally tally = random_tally::make(dice, {.max_raters = 4});
  Tally with = tally;
  with.raters += 1;  // a rater who draws the first row too, but does not count
  with.rows[0].raters |= Raters{1} << tally.raters;
  std::vector<double> weights(static_cast<std::size_t>(with.raters), 1);
  weights.back() = 0;
  for (const Soft& soft : kSoftMethods) {
    const Levels a = soft.solver(tally, {}).levels, b = soft.solver(with, {.weights = weights}).levels;
    for (std::size_t r = 0; r < a.size(); ++r) RC_ASSERT(std::abs(a[r] - b[r]) < 1e-9);
  }
}

TEST(Soft, ATieWithTheEmptySetFollowsThePolicyAndTheTestCanBeLeftOut) {
  const Tally tally{.raters = 2, .rows = {{0, 0b01, 10}}};
  for (const Soft& soft : kSoftMethods) {
    EXPECT_EQ(soft.solver(tally, {}).levels, Levels{0}) << to_string(soft.distance);
    EXPECT_EQ(soft.solver(tally, {.tie = Tie::foreground}).levels, Levels{1});
    EXPECT_EQ(soft.solver(tally, {.empty_test = EmptyTest::skip}).levels, Levels{1});
  }
}

TEST(Soft, CrownBlocksGiveEveryRowOfACrownTheSameLevel) {
  const Tally tally{.raters = 3,
                    .rows = {{0, 0b111, 9}, {1, 0b011, 4}, {1, 0b110, 5}, {2, 0b001, 6}, {2, 0b100, 3}}};
  for (const Soft& soft : kSoftMethods) {
    const Levels levels = soft.solver(tally, {.blocks = Blocks::crown}).levels;
    EXPECT_EQ(levels[1], levels[2]);
    EXPECT_EQ(levels[3], levels[4]);
    EXPECT_GE(criterion(tally, levels, soft.distance),
              criterion(tally, soft.solver(tally, {.blocks = Blocks::group}).levels, soft.distance) - 1e-12);
  }
}

}  // namespace
}  // namespace crema
