// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <map>

#include <gtest/gtest.h>

#include "crema/counts/groups.h"
#include "crema/counts/staple/performance.h"
#include "test/random_case.h"

namespace crema {
namespace {

/// METHOD's worked example: raters 1, 2, 3 are bits 0, 1, 2.
Groups example() {
  return {3,
          {{0b000, 660},
           {0b001, 15},
           {0b010, 40},
           {0b011, 30},
           {0b100, 10},
           {0b101, 20},
           {0b110, 25},
           {0b111, 200}}};
}

double level_of(const Groups& groups, const GroupAnswer& answer, Raters raters) {
  for (std::size_t r = 0; r < groups.rows.size(); ++r)
    if (groups.rows[r].raters == raters) return answer.levels[r];
  ADD_FAILURE() << "no such group";
  return -1;
}

void expect_numbers(const GroupAnswer& answer) {
  for (const double level : answer.levels) EXPECT_TRUE(level >= 0 && level <= 1) << level;
  for (const double p : answer.performance.sensitivity) EXPECT_TRUE(p >= 0 && p <= 1) << p;
  for (const double q : answer.performance.specificity) EXPECT_TRUE(q >= 0 && q <= 1) << q;
  EXPECT_TRUE(std::isfinite(answer.performance.log_likelihood)) << answer.performance.log_likelihood;
}

const std::map<std::string, GroupSolver> kSoftForms{
    {"staple", solve_staple}, {"accuracy", solve_accuracy}, {"shared", solve_shared}};
const std::map<std::string, GroupSolver> kAll{{"staple", solve_staple},
                                              {"accuracy", solve_accuracy},
                                              {"shared", solve_shared},
                                              {"ml-staple", solve_ml_staple},
                                              {"simple", solve_simple}};

TEST(Staple, GivesTheNumbersOfTheWorkedExample) {
  const Groups groups = example();
  const GroupAnswer answer = solve_staple(groups, {});
  EXPECT_TRUE(answer.performance.converged);
  EXPECT_NEAR(*answer.performance.prior, 0.2716667, 5e-8);
  EXPECT_NEAR(level_of(groups, answer, 0b011), 0.9754254020, 5e-7);
  EXPECT_NEAR(level_of(groups, answer, 0b001), 0.1773840797, 5e-7);
  EXPECT_NEAR(level_of(groups, answer, 0b000), 0.0004889150, 5e-7);
}

TEST(Staple, RaisesTheLikelihoodWithEveryStep) {
  for (const auto& [name, solve] : kSoftForms) {
    GroupOptions options;
    double before = -1e300;
    for (options.max_iterations = 1; options.max_iterations < 30; ++options.max_iterations) {
      const double now = solve(example(), options).performance.log_likelihood;
      EXPECT_GE(now, before - 1e-9) << name << ", step " << options.max_iterations;
      before = now;
    }
  }
}

TEST(Staple, SaysWhenItDidNotConverge) {
  GroupOptions options;
  options.max_iterations = 3;
  const Performance found = solve_staple(example(), options).performance;
  EXPECT_FALSE(found.converged);
  EXPECT_EQ(found.iterations, 3);
  EXPECT_GT(found.change, options.tolerance);
}

/// Of 1e8 voxels hardly any is drawn, so that accuracies stand still to 1e-7 from the first step on.
TEST(Accuracy, GoesOnUntilLevelsStandStillToo) {
  const Groups groups{3, {{0, 100'000'000}, {1, 3}, {2, 20}, {4, 50}, {5, 200}, {6, 20}, {7, 40}}};
  const GroupAnswer answer = solve_accuracy(groups, {});
  EXPECT_TRUE(answer.performance.converged);
  EXPECT_NEAR(level_of(groups, answer, 6), 0.07258, 5e-6);
  const GroupAnswer early = solve_accuracy(groups, {.settling = Settling::rates});
  EXPECT_TRUE(early.performance.converged);
  EXPECT_NEAR(level_of(groups, early, 6), 0.17416, 5e-6);
}

TEST(Staple, EndsWhenNeitherRatesNorLevelsMove) {
  for (const auto& [name, solve] : kSoftForms)
    for (const double background : {660.0, 1e6, 1e8, 1e10}) {
      Groups groups = example();
      groups.rows[0].voxels = static_cast<std::int64_t>(background);
      GroupOptions options;
      const GroupAnswer answer = solve(groups, options);
      ASSERT_TRUE(answer.performance.converged) << name << ", " << background;
      options.max_iterations = answer.performance.iterations - 1;
      const GroupAnswer before = solve(groups, options);
      for (std::size_t r = 0; r < answer.levels.size(); ++r)
        EXPECT_NEAR(answer.levels[r], before.levels[r], options.tolerance) << name << ", " << background;
    }
}

TEST(Staple, GivesExactlyOneHalfToWhatOnlyTheLargerOfANestedPairDrew) {
  for (const std::int64_t background : {1, 57, 1000, 123456789})
    for (const std::int64_t larger : {1, 3, 70, 999}) {
      const Groups groups{2, {{0b00, background}, {0b10, larger}, {0b11, 41}}};
      const GroupAnswer answer = solve_staple(groups, {});
      EXPECT_EQ(level_of(groups, answer, 0b10), 0.5) << background << ", " << larger;
    }
}

TEST(MlStaple, LeavesANestedPairToTheTiePolicy) {
  const Groups groups{2, {{0b00, 500}, {0b10, 60}, {0b11, 41}}};
  EXPECT_EQ(level_of(groups, solve_ml_staple(groups, {.tie = Tie::background}), 0b10), 0);
  EXPECT_EQ(level_of(groups, solve_ml_staple(groups, {.tie = Tie::foreground}), 0b10), 1);
}

TEST(Staple, GivesNumbersForTwoEqualDisjointMasks) {
  const Groups groups{2, {{0b00, 500}, {0b01, 60}, {0b10, 60}}};
  for (const auto& [name, solve] : kAll) {
    SCOPED_TRACE(name);
    const GroupAnswer answer = solve(groups, {});
    expect_numbers(answer);
    EXPECT_EQ(level_of(groups, answer, 0b01), level_of(groups, answer, 0b10));
  }
}

TEST(Staple, GivesNumbersWhenNobodyDrewAnythingOrEverybodyEverything) {
  for (const int raters : {1, 2, 7, 64}) {
    const Raters everybody = raters == 64 ? ~Raters{0} : (Raters{1} << raters) - 1;
    for (const auto& [name, solve] : kAll) {
      SCOPED_TRACE(name);
      const GroupAnswer nothing = solve({raters, {{0, 100}}}, {});
      const GroupAnswer everything = solve({raters, {{everybody, 100}}}, {});
      expect_numbers(nothing);
      expect_numbers(everything);
      EXPECT_EQ(nothing.levels, Levels{0});
      EXPECT_EQ(everything.levels, Levels{1});
      EXPECT_TRUE(nothing.performance.converged && everything.performance.converged);
    }
  }
}

/// Appendix A of the paper: what is left when the background grows without bound.
TEST(Staple, TendsToTheUnionWithAPriorOfOneHalfAndToTwoRatersWithTheMean) {
  random_case::Dice dice{2023};
  for (int round = 0; round < 200; ++round) {
    const int raters = dice.roll(3, 6);
    std::map<Raters, std::int64_t> rows;
    for (Raters g = 1; g < Raters{1} << raters; ++g)
      if (std::popcount(g) >= raters - 1 || dice.roll(0, 2) == 0)
        rows[g] = std::popcount(g) == raters ? 4000 : dice.roll(1, 60);
    for (int k = 0; k < raters; ++k) rows[Raters{1} << k] = dice.roll(5, 60);  // everybody slips somewhere
    Groups groups{raters, {{0, std::int64_t{1} << 50}}};
    for (const auto& [g, n] : rows) groups.rows.push_back({g, n});
    const GroupAnswer half = solve_staple(groups, {.prior = {Prior::Kind::number, 0.5}});
    const GroupAnswer mean = solve_staple(groups, {});
    for (std::size_t r = 0; r < groups.rows.size(); ++r) {
      const int drew = std::popcount(groups.rows[r].raters);
      EXPECT_EQ(half.levels[r] > 0.5, drew >= 1) << "round " << round << ", row " << r;
      if (drew == 1) continue;  // tends to a constant, not to 0 or 1
      EXPECT_EQ(mean.levels[r] > 0.5, drew >= 2) << "round " << round << ", row " << r;
    }
  }
}

TEST(Staple, CountsMoreThanTwoToThe24VoxelsExactly) {
  // In single precision the odd voxel would be lost, and with it the rater's only slip.
  const std::int64_t many = (std::int64_t{1} << 40) + 1;
  const Groups groups{2, {{0b00, many}, {0b01, 1}, {0b11, many}}};
  const GroupAnswer answer = solve_ml_staple(groups, {});
  EXPECT_EQ(answer.performance.specificity[0], static_cast<double>(many) / static_cast<double>(many + 1));
  EXPECT_EQ(answer.performance.specificity[1], 1);
}

TEST(Staple, DoesNotUnderflowWith64Raters) {
  random_case::Dice dice{64};
  std::map<Raters, std::int64_t> rows;
  for (int i = 0; i < 500; ++i) {
    Raters g = 0;
    for (int k = 0; k < 64; ++k) g |= Raters{dice.roll(0, 9) < (i % 2 == 0 ? 1 : 9)} << k;
    rows[g] += dice.roll(1, 1000);
  }
  rows[0] += 1000000;
  Groups groups{64, {}};
  for (const auto& [g, n] : rows) groups.rows.push_back({g, n});
  for (const auto& [name, solve] : kAll) {
    SCOPED_TRACE(name);
    const GroupAnswer answer = solve(groups, {});
    expect_numbers(answer);
    for (std::size_t r = 0; r < groups.rows.size(); ++r)
      EXPECT_EQ(answer.levels[r] > 0.5, std::popcount(groups.rows[r].raters) > 32);
  }
}

TEST(Staple, DoesNotCareInWhichOrderTheRatersCome) {
  random_case::Dice dice{7};
  for (int round = 0; round < 200; ++round) {
    Groups groups{4, {}}, turned{4, {}};
    std::map<Raters, std::int64_t> other;
    for (Raters g = 0; g < 16; ++g) {
      const std::int64_t n = dice.roll(1, 500);
      groups.rows.push_back({g, n});
      other[((g << 1) | (g >> 3)) & 15] = n;
    }
    for (const auto& [g, n] : other) turned.rows.push_back({g, n});
    for (const auto& [name, solve] : kAll) {
      const GroupAnswer a = solve(groups, {}), b = solve(turned, {});
      for (Raters g = 0; g < 16; ++g)
        EXPECT_NEAR(level_of(groups, a, g), level_of(turned, b, ((g << 1) | (g >> 3)) & 15), 1e-5) << name;
    }
  }
}

TEST(Accuracy, IsTheMajorityWithAPriorOfOneHalfWhenRatersAreAlike) {
  for (const std::int64_t background : {10, 1000, 1000000}) {
    const Groups groups{3, {{0, background}, {1, 9}, {2, 9}, {3, 7}, {4, 9}, {5, 7}, {6, 7}, {7, 300}}};
    const GroupAnswer answer = solve_accuracy(groups, {.prior = {Prior::Kind::number, 0.5}});
    for (std::size_t r = 0; r < groups.rows.size(); ++r)
      EXPECT_EQ(answer.levels[r] > 0.5, std::popcount(groups.rows[r].raters) >= 2) << background;
    EXPECT_EQ(answer.performance.sensitivity, answer.performance.specificity);
  }
}

TEST(Shared, GivesAllRatersTheSameRates) {
  const Performance found = solve_shared(example(), {}).performance;
  EXPECT_EQ(found.sensitivity[0], found.sensitivity[1]);
  EXPECT_EQ(found.sensitivity[0], found.sensitivity[2]);
  EXPECT_EQ(found.specificity[0], found.specificity[1]);
}

TEST(Prior, IsTheMeanANumberOrAPowerOfTheSize) {
  const Groups groups = example();
  EXPECT_NEAR(prior_value({}, groups), (265 + 295 + 255) / 3000.0, 1e-15);
  EXPECT_NEAR(prior_value({Prior::Kind::mean, 0.5}, groups), (265 + 295 + 255) / 6000.0, 1e-15);
  EXPECT_EQ(prior_value({Prior::Kind::number, 0.3}, groups), 0.3);
  EXPECT_EQ(prior_value({Prior::Kind::power, 100, 2}, groups), 1e-4);
}

TEST(Simple, DropsTheRaterWhoIsFarBelowTheOthersAndVotesWithoutThem) {
  // Four raters agree up to a few voxels, the fifth drew something else.
  const Groups groups{
      5, {{0, 1000}, {0b00011, 10}, {0b01100, 10}, {0b01111, 200}, {0b10000, 180}, {0b11111, 20}}};
  const GroupAnswer answer = solve_simple(groups, {});
  EXPECT_EQ(answer.performance.dropped, 0b10000U);
  EXPECT_TRUE(answer.performance.converged);
  EXPECT_EQ(level_of(groups, answer, 0b01111), 1);
  EXPECT_EQ(level_of(groups, answer, 0b10000), 0);
  EXPECT_GT(answer.performance.score[0], 0.9);
  EXPECT_LT(answer.performance.score[4], 0.3);
}

TEST(Simple, DropsNobodyWhenAllAreAlike) {
  EXPECT_EQ(solve_simple({3, {{0, 9}, {7, 100}}}, {}).performance.dropped, 0U);
  EXPECT_EQ(solve_simple({2, {{0, 9}, {1, 5}, {2, 5}, {3, 100}}}, {}).performance.dropped, 0U);
}

}  // namespace
}  // namespace crema
