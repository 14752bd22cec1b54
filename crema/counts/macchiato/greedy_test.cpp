// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>
#include <tuple>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "crema/counts/macchiato/draft.h"
#include "crema/counts/macchiato/trace.h"
#include "crema/counts/solvers.h"
#include "crema/voxels/votes/votes.h"
#include "test/random_case.h"

namespace crema {
namespace {

/// A random tally of a few rows; not every tally comes from an image, but the solver must not care.
Tally random_tally(random_case::Dice& dice, int max_rows) {
  Tally tally{.raters = dice.roll(1, 5), .rows = {}};
  std::map<std::pair<int, Raters>, std::int64_t> rows;
  for (int i = dice.roll(1, max_rows); i > 0; --i)
    rows[{dice.roll(0, 4), static_cast<Raters>(dice.roll(1, (1 << tally.raters) - 1))}] = dice.roll(1, 30);
  for (const auto& [key, n] : rows) tally.rows.push_back({key.first, key.second, n});
  return tally;
}

/// The least criterion over all unions of rows.
double best_union(const Tally& tally, Distance distance) {
  double best = 2;
  for (unsigned chosen = 0; chosen < 1U << tally.rows.size(); ++chosen) {
    Levels levels;
    for (std::size_t r = 0; r < tally.rows.size(); ++r) levels.push_back(chosen >> r & 1U);
    best = std::min(best, criterion(tally, levels, distance));
  }
  return best;
}

RC_GTEST_PROP(Greedy, IsNeverBelowTheBestUnionOfSubcrowns, (std::uint64_t seed)) {
  random_case::Dice dice{seed};
  for (int i = 0; i < 10; ++i) {
    const Tally tally = random_tally(dice, 8);
    for (const auto& [distance, solver] : {std::pair{Distance::jaccard, &solve_for<Distance::jaccard>},
                                           std::pair{Distance::dice, &solve_for<Distance::dice>}}) {
      const double found = criterion(tally, solver(tally, {}).levels, distance);
      RC_ASSERT(found >= best_union(tally, distance) - 1e-12);
    }
  }
}

std::int64_t voxels_of(const Tally& tally, const Levels& levels) {
  std::int64_t sum = 0;
  for (std::size_t r = 0; r < tally.rows.size(); ++r)
    if (levels[r] > 0) sum += tally.rows[r].voxels;
  return sum;
}

RC_GTEST_PROP(Greedy, ItsTraceEndsWithItsAnswer, (std::uint64_t seed)) {
  random_case::Dice dice{seed};
  for (int i = 0; i < 10; ++i) {
    const Tally tally = random_tally(dice, 10);
    for (const Distance distance : {Distance::jaccard, Distance::dice}) {
      SolveOptions options{.empty_test = EmptyTest::skip};
      if (dice.roll(0, 1) == 1)
        for (int k = 0; k < tally.raters; ++k) options.weights.push_back(dice.roll(1, 4));
      const Trace trace = trace_greedily(tally, distance, options);
      const Step shrunk = end_of(trace.shrinking), grown = end_of(trace.growing);
      const Levels levels = solve_greedily(tally, distance, options);
      const double found = criterion(tally, levels, distance, options.weights);
      RC_ASSERT(std::abs(std::min(shrunk.criterion, grown.criterion) - found) <= 1e-12);
      const std::int64_t voxels = voxels_of(tally, levels);
      RC_ASSERT(voxels == (grown.criterion < shrunk.criterion - 1e-12 ? grown : shrunk).voxels ||
                std::abs(grown.criterion - shrunk.criterion) <= 1e-12);
      const Levels nothing(tally.rows.size(), 0), all(tally.rows.size(), 1);
      RC_ASSERT(std::abs(trace.empty - criterion(tally, nothing, distance, options.weights)) <= 1e-12);
      RC_ASSERT(trace.shrinking.voxels == voxels_of(tally, all));
      RC_ASSERT(std::abs(trace.shrinking.criterion - criterion(tally, all, distance, options.weights)) <=
                1e-12);
    }
  }
}

RC_GTEST_PROP(Greedy, ItsTraceFallsWithEachStepThatIsAccepted, (std::uint64_t seed)) {
  random_case::Dice dice{seed};
  const Tally tally = random_tally(dice, 12);
  const Trace trace = trace_greedily(tally, Distance::jaccard, {});
  for (const auto* pass : {&trace.shrinking, &trace.growing}) {
    double now = pass->criterion;
    std::int64_t voxels = pass->voxels;
    for (const Step& step : pass->steps) {
      RC_ASSERT(step.accepted == (step.criterion < now) || std::abs(step.criterion - now) <= 1e-12);
      RC_ASSERT((step.voxels < voxels) == (pass == &trace.shrinking));
      if (step.accepted) now = step.criterion, voxels = step.voxels;
    }
  }
}

TEST(Greedy, ReportsItsGapToExhaustiveSearchOnImages) {
  int cases = 0, optimal = 0;
  double worst = 0;
  for (std::uint64_t seed = 1; seed <= 2000; ++seed) {
    const auto c = random_case::make(seed, 5, 5);
    const auto reduction =
        reduce(c.grid, take_votes(c.grid.voxels(), c.views()), Needs::distances, c.options());
    for (const Crowns& crowns : reduction.crowns) {
      if (crowns.tally.rows.size() > 12) continue;
      const auto solver =
          c.setting.distance == Distance::jaccard ? solve_for<Distance::jaccard> : solve_for<Distance::dice>;
      const double found = criterion(crowns.tally, solver(crowns.tally, {}).levels, c.setting.distance);
      const double best = best_union(crowns.tally, c.setting.distance);
      ASSERT_GE(found, best - 1e-12) << "case " << seed;
      ++cases;
      if (found <= best + 1e-12) ++optimal;
      worst = std::max(worst, found - best);
    }
  }
  ASSERT_GT(cases, 1000);
  RecordProperty("cases", cases);
  std::printf("greedy equals the best union of subcrowns in %d of %d components; worst gap %.3g\n", optimal,
              cases, worst);
  EXPECT_GT(optimal, cases * 9 / 10);
}

TEST(Greedy, TriesEqualCandidatesByNumberOfRatersThenByRow) {
  // Raters 1 and 2 drew ten voxels together and one each of their own, at the same distance: either lone
  // voxel gives the same value, so the smaller row is tried first and the other is evaluated after it.
  const Tally tally{.raters = 2, .rows = {{0, 0b11, 10}, {1, 0b01, 1}, {1, 0b10, 1}}};
  const Levels levels = solve_for<Distance::jaccard>(tally, {}).levels;
  const double value = criterion(tally, levels, Distance::jaccard);
  for (const Levels& other : {Levels{1, 0, 0}, Levels{1, 1, 1}, Levels{1, 1, 0}})
    EXPECT_LE(value, criterion(tally, other, Distance::jaccard) + 1e-15);
}

TEST(Greedy, HandlesATallyWithoutRows) {
  EXPECT_TRUE(solve_for<Distance::jaccard>({.raters = 3, .rows = {}}, {}).levels.empty());
}

TEST(Draft, CountsExactlyWhatWasMoved) {
  const Tally tally{.raters = 2, .rows = {{0, 0b11, 3}, {1, 0b01, 2}}};
  Draft draft(tally, Distance::jaccard);
  EXPECT_EQ(draft.value(), 2.0);  // empty: distance 1 to both
  draft.add(tally.rows[0]);
  EXPECT_DOUBLE_EQ(draft.value(), 0.4 * 0.4);
  draft.add(tally.rows[1]);
  EXPECT_DOUBLE_EQ(draft.value(), 0.4 * 0.4);  // 0 to the first, 2/5 to the second
  EXPECT_EQ(compare_precise(draft.precise_value(), static_cast<Precise>(4) / 25),
            std::weak_ordering::equivalent);
  draft.remove(tally.rows[0]);
  draft.remove(tally.rows[1]);
  EXPECT_EQ(draft.value(), 2.0);
}

TEST(Draft, IgnoresARaterWhoIsEmptyWithTheConsensus) {
  const Tally tally{.raters = 2, .rows = {{0, 0b01, 5}}};
  EXPECT_EQ(Draft(tally, Distance::dice).value(), 1.0);
}

}  // namespace
}  // namespace crema
