// SPDX-License-Identifier: Apache-2.0
#include "crema/agreement/confidence/uniqueness.h"

#include <algorithm>
#include <cmath>
#include <random>

#include <gtest/gtest.h>

#include "crema/counts/discrepancy.h"
#include "crema/counts/proof/near_optimal.h"

namespace crema {
namespace {

/// A component of a few groups of few voxels.
Tally small_component(std::mt19937& random, int raters) {
  Tally tally{.raters = raters, .rows = {}};
  for (Raters set = 1; set < Raters{1} << raters; ++set)
    if (random() % 4 != 0) tally.rows.push_back({0, set, static_cast<std::int64_t>(1 + random() % 4)});
  return tally;
}

/// Every way to take whole voxels of each group.
struct Tried {
  double size;
  Levels levels;
  double criterion;
};

std::vector<Tried> all_masks(const Tally& tally, const Distance& distance) {
  std::vector<Tried> tried;
  std::vector<std::int64_t> taken(tally.rows.size(), 0);
  while (true) {
    Levels levels;
    double size = 0;
    for (std::size_t g = 0; g < taken.size(); ++g) {
      levels.push_back(static_cast<double>(taken[g]) / static_cast<double>(tally.rows[g].voxels));
      size += static_cast<double>(taken[g]);
    }
    tried.push_back({size, levels, criterion(tally, levels, distance)});
    std::size_t g = 0;
    while (g < taken.size() && ++taken[g] > tally.rows[g].voxels) taken[g++] = 0;
    if (g == taken.size()) return tried;
  }
}

TEST(NearOptimal, SizesOfMasksAreThoseOfAllMasksThatAreNearEnough) {
  int whole = 0, cases = 0, groups = 0;
  for (unsigned seed = 1; seed <= 60; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    const Tally tally = small_component(random, 3);
    if (tally.rows.empty()) continue;
    const Distance distance = seed % 2 == 0 ? Distance::jaccard : Distance::dice;
    const double factor = seed % 3 == 0 ? 1.05 : 1.01;
    const std::vector<Tried> masks = all_masks(tally, distance);
    const Tried* best = &masks.front();
    for (const Tried& one : masks)
      if (one.criterion < best->criterion) best = &one;
    double low = best->size, high = best->size;
    for (const Tried& one : masks)
      if (one.criterion <= best->criterion * factor * (1 + 1e-12)) {
        low = std::min(low, one.size);
        high = std::max(high, one.size);
      }
    const Problem problem = make_problem(tally, distance, {}, Blocks::subcrown);
    const NearOptimal found =
        find_near_optimal(problem, best->levels, best->criterion, factor, EmptyTest::apply);
    // What is found is there, and on components as small as these it is all there is.
    EXPECT_GE(found.smallest, low);
    EXPECT_LE(found.largest, high);
    EXPECT_LE(found.smallest, best->size);
    EXPECT_GE(found.largest, best->size);
    whole += found.smallest == low && found.largest == high ? 1 : 0;
    ++cases;
    for (std::size_t g = 0; g < tally.rows.size(); ++g) {
      double in = 2, out = 2;
      for (const Tried& one : masks) {
        if (one.levels[g] == 1) in = std::min(in, one.criterion);
        if (one.levels[g] == 0 && one.size > 0) out = std::min(out, one.criterion);
      }
      const bool there = std::max(in, out) <= best->criterion * factor * (1 + 1e-12);
      const bool seen = std::find(found.undecided.begin(), found.undecided.end(), g) != found.undecided.end();
      EXPECT_TRUE(there || !seen) << g;
      groups += there == seen ? 0 : 1;
    }
  }
  EXPECT_EQ(whole, cases);
  EXPECT_EQ(groups, 0);
}

TEST(Uniqueness, SharesOutALevelInsideAGroupWithoutChangingTheCriterion) {
  // Two raters, disjoint blocks of four voxels, and one that both drew.
  const Grid grid{.size = {9, 1, 1}};
  std::vector<std::uint8_t> one(9, 0), other(9, 0);
  for (std::size_t v = 0; v < 5; ++v) one[v] = 1;
  for (std::size_t v = 4; v < 9; ++v) other[v] = 1;
  const std::vector<Mask> masks{one, other};
  const Reduction reduction = reduce(grid, take_votes(9, masks), Needs::distances, {});
  const auto found = measure_uniqueness(reduction, find_method("soergel"), {});
  ASSERT_TRUE(found);
  EXPECT_LE(found->entropy_low, found->entropy_high);
  EXPECT_LE(found->smallest, found->size);
  EXPECT_GE(found->largest, found->size);
  EXPECT_EQ(found->groups, 3U);
  EXPECT_FALSE(measure_uniqueness(reduction, find_method("majority"), {}));
  EXPECT_FALSE(measure_uniqueness(reduction, find_method("hamming"), {}));
}

TEST(Uniqueness, OfRatersWhoAgreeIsOneSize) {
  const Grid grid{.size = {6, 1, 1}};
  const std::vector<std::uint8_t> mask{0, 1, 1, 1, 0, 0};
  const std::vector<Mask> masks{mask, mask, mask};
  const Reduction reduction = reduce(grid, take_votes(6, masks), Needs::distances, {});
  for (const char* name : {"jaccard", "dice", "soergel", "tanimoto", "dice1", "dice2"}) {
    const auto found = measure_uniqueness(reduction, find_method(name), {});
    ASSERT_TRUE(found) << name;
    EXPECT_NEAR(found->smallest, 3, 1e-3) << name;
    EXPECT_NEAR(found->largest, 3, 1e-3) << name;
    EXPECT_EQ(found->undecided, 0U) << name;
  }
}

}  // namespace
}  // namespace crema
