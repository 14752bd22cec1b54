// SPDX-License-Identifier: Apache-2.0
#include "crema/counts/proof/bound.h"

#include <cmath>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "crema/counts/macchiato/descent.h"
#include "crema/counts/proof/relaxation.h"
#include "crema/counts/solvers.h"
#include "test/random_tally.h"

namespace crema {
namespace {

constexpr std::array kHard{Distance::jaccard, Distance::dice, Distance::tversky.with({0.3, 1.4}),
                           Distance::tversky.with({0.4, 0.2})};
constexpr double kNoCeiling = 1e300;

/// The least criterion over all numbers of voxels per group, the empty set left out.
double exhaustive(const Tally& groups, Distance distance, const std::vector<double>& weights) {
  const Problem problem = make_problem(groups, distance, weights, Blocks::group);
  std::vector<std::int64_t> count(groups.rows.size(), 0);
  double best = INFINITY;
  for (;;) {
    std::size_t g = 0;
    while (g < count.size() && count[g] == groups.rows[g].voxels) count[g++] = 0;
    if (g == count.size()) return best;
    ++count[g];
    std::vector<double> levels;
    for (std::size_t i = 0; i < count.size(); ++i)
      levels.push_back(static_cast<double>(count[i]) / static_cast<double>(groups.rows[i].voxels));
    best = std::min(best, criterion(problem, sum_up(problem, levels)));
  }
}

double combinations(const Tally& groups) {
  double product = 1;
  for (const Subcrown& row : groups.rows) product *= static_cast<double>(row.voxels + 1);
  return product;
}

TEST(Bound, TheCertifiedOptimumEqualsExhaustiveSearch) {
  int cases = 0;
  for (std::uint64_t seed = 1; seed <= 600; ++seed) {
    random_case::Dice dice{seed};
    const Tally groups =
        merge_rows(random_tally::make(dice, {.max_raters = 4, .max_rows = 6, .max_voxels = 9})).groups;
    if (combinations(groups) > 20000) continue;
    const auto weights = random_tally::random_weights(dice, groups.raters);
    for (const Distance distance : kHard) {
      const double best = exhaustive(groups, distance, weights);
      const Proof proof = prove_groups(groups, distance, weights, {}, kNoCeiling, {});
      ASSERT_TRUE(proof.proven) << "case " << seed << " " << to_string(distance);
      ASSERT_NEAR(proof.criterion, best, 1e-12) << "case " << seed << " " << to_string(distance);
      ASSERT_LE(proof.lower_bound, best) << "case " << seed;
      ++cases;
    }
  }
  EXPECT_GT(cases, 500);
}

/// The lowest criterion that many random starts of the descent reach.
double many_starts(const Tally& groups, Distance distance, const std::vector<double>& weights,
                   random_case::Dice& dice) {
  const Problem problem = make_problem(groups, distance, weights, Blocks::group);
  double best = INFINITY;
  for (int i = 0; i < 12; ++i) {
    Levels start;
    for (std::size_t g = 0; g < groups.rows.size(); ++g) start.push_back(dice.roll(0, 100) / 100.0);
    best = std::min(best, descend(problem, groups, start).criterion);
  }
  return best;
}

RC_GTEST_PROP(Bound, IsBelowTheOptimumWhichIsBelowEveryMethod, (std::uint64_t seed)) {
  random_case::Dice dice{seed};
  for (int i = 0; i < 3; ++i) {
    const Tally tally = random_tally::make(dice, {.max_raters = 5, .max_rows = 12, .max_voxels = 400});
    const Tally groups = merge_rows(tally).groups;
    const auto weights = random_tally::random_weights(dice, tally.raters);
    for (const Distance distance : random_tally::kSoftDistances) {
      const Proof proof = prove_groups(groups, distance, weights, {}, kNoCeiling, {.nodes = 3000});
      RC_LOG() << to_string(distance) << " nodes " << proof.nodes << "\n";
      RC_ASSERT(proof.lower_bound <= proof.criterion);
      const double found = many_starts(groups, distance, weights, dice);
      RC_ASSERT(proof.lower_bound <= found);
      if (proof.proven) RC_ASSERT(proof.criterion <= found * (1 + 2e-7) + 1e-10);
      RC_CLASSIFY(proof.proven, "proven");
    }
  }
}

RC_GTEST_PROP(Bound, HoldsForAnyPricesWhatever, (std::uint64_t seed)) {
  random_case::Dice dice{seed};
  const Tally groups = merge_rows(random_tally::make(dice, {.max_raters = 4, .max_rows = 6})).groups;
  for (const Distance distance : random_tally::kSoftDistances) {
    const Problem problem = make_problem(groups, distance, {}, Blocks::group);
    const Relaxation relaxation = relax(problem);
    for (int i = 0; i < 20; ++i) {
      Prices prices{.extent = dice.roll(0, 300) / 100.0};
      for (std::size_t k = 0; k < relaxation.raters(); ++k)
        prices.rater.push_back(dice.roll(-100, 400) / 100.0);
      std::vector<double> levels;
      for (std::size_t g = 0; g < groups.rows.size(); ++g) levels.push_back(dice.roll(1, 100) / 100.0);
      const State state = sum_up(problem, levels);
      Domain region = whole(relaxation);
      region.low = state.extent / relaxation.unit * dice.roll(0, 100) / 100.0;
      region.high = std::min(1.0, state.extent / relaxation.unit * (1 + dice.roll(0, 100) / 100.0));
      tighten(relaxation, region);
      RC_ASSERT(bound(relaxation, region, prices) <= criterion(problem, state));
    }
  }
}

RC_GTEST_PROP(Group, IsNeverAboveTheHeuristicsAndSoftIsNeverAboveHard, (std::uint64_t seed)) {
  random_case::Dice dice{seed};
  const Tally tally = random_tally::make(dice, {.max_raters = 5, .max_rows = 10, .max_voxels = 60});
  const SolveOptions group{.blocks = Blocks::group, .budget = {.nodes = 2000}};
  auto value = [&](Solver solver, Distance distance, const SolveOptions& options) {
    return criterion(tally, solver(tally, options).levels, distance);
  };
  const double jaccard = value(solve_for<Distance::jaccard>, Distance::jaccard, group),
               dice_best = value(solve_for<Distance::dice>, Distance::dice, group);
  const double soergel = value(solve_for<Distance::soergel>, Distance::soergel, group),
               dice1 = value(solve_for<Distance::dice1>, Distance::dice1, group);
  for (const Blocks blocks : {Blocks::subcrown, Blocks::crown}) {
    RC_ASSERT(jaccard <= value(solve_for<Distance::jaccard>, Distance::jaccard, {.blocks = blocks}) + 1e-12);
    RC_ASSERT(dice_best <= value(solve_for<Distance::dice>, Distance::dice, {.blocks = blocks}) + 1e-12);
    RC_ASSERT(soergel <= value(solve_for<Distance::soergel>, Distance::soergel, {.blocks = blocks}) + 1e-12);
    RC_ASSERT(dice1 <= value(solve_for<Distance::dice1>, Distance::dice1, {.blocks = blocks}) + 1e-12);
  }
  const SolveOptions weighed{.blocks = Blocks::group, .budget = {.nodes = 2000}, .tversky = {1.3, 0.4}};
  const Distance tversky = Distance::tversky.with(weighed.tversky);
  RC_ASSERT(value(solve_for<Distance::tversky1>, Distance::tversky1.with(weighed.tversky), weighed) <=
            value(solve_for<Distance::tversky>, tversky, weighed) * (1 + 1e-6) + 1e-9);
  RC_ASSERT(soergel <= jaccard * (1 + 1e-6) + 1e-9);
  RC_ASSERT(dice1 <= dice_best * (1 + 1e-6) + 1e-9);
}

TEST(Group, TakesTheVoxelsOfAPartlyTakenGroupByIncreasingDistance) {
  // Found by search: a tally whose best Jaccard mask takes a group in part.
  for (std::uint64_t seed = 1; seed < 400; ++seed) {
    random_case::Dice dice{seed};
    const Tally tally = random_tally::make(dice, {.max_raters = 4, .max_rows = 8, .max_voxels = 20});
    const Levels levels = solve_for<Distance::jaccard>(tally, {.blocks = Blocks::group}).levels;
    for (std::size_t r = 0; r < levels.size(); ++r)
      for (std::size_t q = 0; q < r; ++q)
        if (tally.rows[q].raters == tally.rows[r].raters) {
          ASSERT_TRUE(levels[q] == 1 || levels[r] == 0) << seed;
        }
  }
}

TEST(Bound, SaysSoWhenItsBudgetIsTooSmall) {
  int unproven = 0;
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    random_case::Dice dice{seed};
    const Tally groups =
        merge_rows(random_tally::make(dice, {.max_raters = 5, .max_rows = 12, .max_voxels = 400})).groups;
    const Proof proof = prove_groups(groups, Distance::soergel, {}, {}, kNoCeiling, {.nodes = 1});
    EXPECT_LE(proof.lower_bound, proof.criterion);
    unproven += proof.proven ? 0 : 1;
  }
  EXPECT_GT(unproven, 5);
}

TEST(Bound, AComponentOfRatersWithoutWeightIsBestLeftEmpty) {
  const Tally tally{.raters = 2, .rows = {{0, 0b01, 7}}};
  const SolveOptions options{.blocks = Blocks::group, .weights = {0, 1}};
  for (const Solver solver : {solve_for<Distance::jaccard>, solve_for<Distance::tanimoto>}) {
    const Answer answer = solver(tally, options);
    EXPECT_EQ(answer.levels, Levels{0});
    EXPECT_EQ(answer.certificate->lower_bound, 0);
  }
}

TEST(Bound, ManyRatersFinish) {
  random_case::Dice dice{5};
  Tally groups{.raters = 40, .rows = {}};
  for (int i = 0; i < 150; ++i) groups.rows.push_back({0, dice.next() >> 24, dice.roll(1, 50)});
  for (const Distance distance : {Distance::jaccard, Distance::tanimoto}) {
    const Proof proof = prove_groups(groups, distance, {}, {}, kNoCeiling, {.nodes = 50});
    EXPECT_LE(proof.lower_bound, proof.criterion);
    EXPECT_GT(proof.lower_bound, 0);
  }
}

}  // namespace
}  // namespace crema
