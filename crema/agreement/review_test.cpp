// SPDX-License-Identifier: Apache-2.0
#include "crema/agreement/review.h"

#include <gtest/gtest.h>

#include "crema/error.h"
#include "test/agreement_testing.h"
#include "test/ascii.h"

namespace crema {
namespace {

using agreement_testing::Bytes;

/// Groups do not look at distances: settling a row on counts is then the same as drawing it in the masks, so
/// long as the component stays in one piece.
double refused(const agreement_testing::Fused& c, const ReviewItem& item, std::uint8_t value,
               std::size_t* pieces) {
  slow::Masks masks = c.random.masks;
  const Reduction& reduction = c.consensus.reduction;
  std::vector<Bytes> only(masks.size(), Bytes(masks[0].size(), 0));
  std::size_t voxel = 0;
  for (const Run& run : reduction.components.runs_of(reduction.components.list[item.component]))
    for (std::int32_t i = 0; i < run.length; ++i, ++voxel)
      for (std::size_t k = 0; k < masks.size(); ++k) {
        const auto v = static_cast<std::size_t>(run.first + i);
        only[k][v] = reduction.crowns[item.component].row_of_voxel[voxel] == item.row ? value : masks[k][v];
      }
  const std::vector<Mask> views(only.begin(), only.end());
  const Consensus settled = fuse(c.random.grid, views, c.options);
  *pieces = settled.solution.components.size();
  return settled.solution.lmsd;
}

TEST(Review, TellsTheCriterionOfMasksThatAgreeOnTheSubcrown) {
  int checked = 0;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    auto c = agreement_testing::make(seed, "tanimoto", 4);
    c.options.blocks = Blocks::group;
    const Solution solution = solve(c.consensus.reduction, find_method("tanimoto"), c.options);
    for (const ReviewItem& item : make_review_list(c.consensus.reduction, solution, c.options)) {
      std::size_t pieces = 0;
      ASSERT_NEAR(item.criterion, solution.components[item.component].criterion, 1e-12);
      const double inside = refused(c, item, 1, &pieces);
      ASSERT_EQ(pieces, 1U);
      ASSERT_NEAR(item.if_inside, inside, 1e-6) << seed;
      const double outside = refused(c, item, 0, &pieces);
      if (pieces <= 1) {
        ++checked;
        ASSERT_NEAR(item.if_outside, outside, 1e-6) << seed;
      }
    }
  }
  EXPECT_GT(checked, 100);
}

TEST(Review, PutsTheLargestFallPerVoxelFirstAndTellsWhereItLies) {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    auto c = agreement_testing::make(seed, "jaccard");
    Reduction& reduction = c.consensus.reduction;
    reduction.grid.spacing = {1, 2, 3};
    reduction.grid.origin = {10, 20, 30};
    const auto items = make_review_list(reduction, c.consensus.solution, c.options);
    std::size_t disputed = 0;
    for (const Crowns& crowns : reduction.crowns)
      for (const Subcrown& row : crowns.tally.rows)
        disputed += row.raters + 1 != Raters{1} << reduction.raters ? 1 : 0;
    ASSERT_EQ(items.size(), disputed);
    for (std::size_t i = 0; i < items.size(); ++i) {
      const ReviewItem& item = items[i];
      ASSERT_TRUE(i == 0 || items[i - 1].fall_per_voxel >= item.fall_per_voxel);
      ASSERT_DOUBLE_EQ(item.fall_per_voxel * static_cast<double>(item.subcrown.voxels), item.fall);
      ASSERT_DOUBLE_EQ(item.centre[1], 20 + 2 * item.centre_voxel[1]);
      for (std::size_t a = 0; a < 3; ++a) {
        ASSERT_GE(item.centre_voxel[a], item.box.low[a]);
        ASSERT_LT(item.centre_voxel[a], item.box.high[a]);
      }
    }
    const auto first = make_review_list(reduction, c.consensus.solution, c.options, 2);
    ASSERT_EQ(first.size(), std::min<std::size_t>(2, items.size()));
  }
}

TEST(Review, ByHandForOneVoxelThatOneOfTwoDrew) {
  const auto a = ascii::mask({"##"}), b = ascii::mask({"#."});
  const Reduction reduction = agreement_testing::reduce({.size = {2, 1, 1}}, {a, b});
  const Options options{.method = "jaccard"};
  const Solution solution = solve(reduction, find_method("jaccard"), options);
  const auto items = make_review_list(reduction, solution, options);
  ASSERT_EQ(items.size(), 1U);  // all agree on the other voxel
  EXPECT_DOUBLE_EQ(items[0].criterion, 0.125);
  EXPECT_EQ(items[0].if_inside, 0);
  EXPECT_EQ(items[0].if_outside, 0);
  EXPECT_DOUBLE_EQ(items[0].fall_per_voxel, 0.125);
  EXPECT_EQ(items[0].box, (Box{{1, 0, 0}, {2, 1, 1}}));
}

TEST(Review, RefusesMethodsThatDoNotDecideByComponent) {
  const Bytes mask{1, 0};
  const Reduction reduction = agreement_testing::reduce({.size = {2, 1, 1}}, {mask, mask});
  const Solution staple = solve(reduction, find_method("staple"), {});
  EXPECT_THROW(make_review_list(reduction, staple, {}), UsageError);
}

}  // namespace
}  // namespace crema
