// SPDX-License-Identifier: Apache-2.0
#include "crema/counts/macchiato/visits.h"

#include <algorithm>
#include <functional>
#include <tuple>
#include <utility>

#include <gtest/gtest.h>

#include "test/random_tally.h"

namespace crema {
namespace {

/// What can be said of a block without numbering raters, spelled out.
auto description(const Problem& problem, std::size_t block) {
  std::vector<std::pair<double, double>> members;
  for (std::size_t k = 0; k < problem.panel.count(); ++k)
    if (problem.share_of(block)[k] > 0) members.emplace_back(problem.panel.size[k], problem.panel.weight[k]);
  std::sort(members.begin(), members.end(), std::greater<>());
  return std::tuple(members.size(), problem.voxels[block], members);
}

TEST(Visits, RankBlocksByRatersThenVoxelsThenSizesAndWeightsOfRaters) {
  int pairs = 0, alike = 0;
  for (std::uint64_t seed = 1; seed <= 400; ++seed) {
    random_case::Dice dice{seed};
    const Tally tally =
        random_tally::make(dice, {.max_raters = 6, .max_rows = 30, .max_voxels = 2, .max_distance = 9});
    const auto weights = random_tally::random_weights(dice, tally.raters);
    Problem problem = make_problem(tally, Distance::soergel, weights, Blocks::subcrown);
    for (double& size : problem.panel.size) size = dice.roll(1, 3);  // many raters of a size
    const std::vector<std::uint32_t> ranks = rank_blocks(problem);
    for (std::size_t a = 0; a < problem.blocks(); ++a)
      for (std::size_t b = 0; b < problem.blocks(); ++b, ++pairs) {
        const auto of_a = description(problem, a), of_b = description(problem, b);
        ASSERT_EQ(ranks[a]<ranks[b], of_a> of_b) << seed;
        ASSERT_EQ(ranks[a] == ranks[b], of_a == of_b) << seed;
        alike += a != b && of_a == of_b ? 1 : 0;
      }
  }
  EXPECT_GT(alike, pairs / 100);
}

TEST(Visits, RankBlocksOfSixtyFourRaters) {
  const Raters all = ~Raters{0};
  const Tally tally{.raters = 64, .rows = {{0, all, 1}, {1, all >> 1, 1}, {2, all << 1, 1}, {3, 1, 5}}};
  // Rater 0 drew five voxels more than rater 63, who comes before it in no other way.
  EXPECT_EQ(rank_blocks(make_problem(tally, Distance::soergel, {}, Blocks::subcrown)),
            (std::vector<std::uint32_t>{0, 1, 2, 3}));
}

}  // namespace
}  // namespace crema
