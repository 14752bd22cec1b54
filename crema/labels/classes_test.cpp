// SPDX-License-Identifier: Apache-2.0
#include "crema/labels/classes.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "crema/levels/testing.h"

namespace crema {
namespace {

using level_testing::Map;

SparseLevels sparse(const Map& map) {
  SparseLevels levels(0.05);
  levels.add(0, map);
  return levels;
}

Grid row_of(int voxels) {
  Grid grid;
  grid.size = {voxels, 1, 1};
  return grid;
}

Options options_for_levels() {
  Options options;
  options.blocks = Blocks::group;
  return options;
}

LabelCounts count(const Grid& grid, const std::vector<Structure>& structures,
                  const std::vector<std::vector<Map>>& maps) {
  ClassLevels levels;
  for (const std::vector<Map>& own : maps) {
    levels.emplace_back();
    for (const Map& map : own) levels.back().push_back(sparse(map));
  }
  return count_classes(grid, structures, std::move(levels), Needs::groups, options_for_levels());
}

TEST(Classes, WhatARaterHoldsFromAHalfOnIsItsLabelMap) {
  const LabelCounts counts =
      count(row_of(4), {{1, "", {1}}, {2, "", {2}}}, {{{0.6F, 0.5F, 0.1F, 0}}, {{0.3F, 0.5F, 0.9F, 0.4F}}});
  const std::vector<LabelRun> wanted{{0, 2, 1}, {2, 1, 2}};  // of two halves the smaller label
  const auto runs = counts.maps->raters[0].runs();
  EXPECT_EQ(std::vector<LabelRun>(runs.begin(), runs.end()), wanted);
  EXPECT_TRUE(counts.of_levels());
  EXPECT_EQ(counts.structures[1].voxels_of_rater, std::vector<std::int64_t>{2});
}

TEST(Classes, OfRegionsInsideEachOtherTheInnermostIsTheLabel) {
  std::vector<Structure> regions{{1, "whole", {1, 2}}, {2, "core", {2}, 0}};
  const LabelCounts counts = count(row_of(3), regions, {{{0.9F, 0.9F, 0.1F}}, {{0.1F, 0.8F, 0.7F}}});
  const std::vector<LabelRun> wanted{{0, 1, 1}, {1, 2, 2}};
  const auto runs = counts.maps->raters[0].runs();
  EXPECT_EQ(std::vector<LabelRun>(runs.begin(), runs.end()), wanted);
}

TEST(Classes, AMaskThatTwoClassesTakeGoesToTheHigherMeanLevel) {
  const std::vector<Map> one(3, {0.9F, 0.45F, 0.45F, 0}), two(3, {0, 0.4F, 0.5F, 0.9F});
  const LabelCounts counts = count(row_of(4), {{1, "", {1}}, {2, "", {2}}}, {one, two});
  const LabelConsensus consensus = solve_labels(counts, find_method("jaccard"), options_for_levels());
  EXPECT_EQ(std::vector<Label>(consensus.image.begin(), consensus.image.end()),
            (std::vector<Label>{1, 1, 2, 2}));
  EXPECT_EQ(consensus.claimed_twice, 2);
  EXPECT_EQ(consensus.labels[1].joint.voxels, 2);
}

TEST(Classes, WhatNoMaskTakesIsBackgroundEvenWhereEveryRaterHasSomeClass) {
  Map left(11, 0);
  std::fill_n(left.begin(), 5, 0.9F);
  Map less = left;
  left[5] = 0.55F;
  less[5] = 0.3F;
  const auto mirrored = [](Map map) {
    std::reverse(map.begin(), map.end());
    return map;
  };
  const LabelCounts counts =
      count(row_of(11), {{1, "", {1}}, {2, "", {2}}}, {{left, less}, {mirrored(less), mirrored(left)}});
  const LabelConsensus consensus = solve_labels(counts, find_method("jaccard"), options_for_levels());
  EXPECT_EQ(std::vector<Label>(consensus.image.begin(), consensus.image.end()),
            (std::vector<Label>{1, 1, 1, 1, 1, 0, 2, 2, 2, 2, 2}));
  EXPECT_EQ(consensus.filled, 0);
}

TEST(Classes, LevelsAboveOneAreDividedByTheirSum) {
  // Each class has a network of its own: an absent one does not thin it out, so that the sum is above 1.
  const std::vector<Map> one{{0.9F, 0.8F, 0}, {0, 0, 0}}, two{{0, 0, 0}, {0, 0.6F, 0.9F}};
  const LabelCounts counts = count(row_of(3), {{1, "", {1}}, {2, "", {2}}}, {one, two});
  const LabelConsensus consensus = solve_labels(counts, find_method("tanimoto"), options_for_levels());
  for (std::size_t v = 0; v < 3; ++v) {
    double sum = 0;
    for (std::size_t s = 0; s < 2; ++s)
      sum += static_cast<double>(std::get<SoftImage>(image_of_label(counts, consensus, s))[v]);
    EXPECT_LE(sum, 1 + 1e-6);
  }
  EXPECT_LE(consensus.lmsd_alone, consensus.lmsd);
}

}  // namespace
}  // namespace crema
