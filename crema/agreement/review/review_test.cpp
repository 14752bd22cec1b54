// SPDX-License-Identifier: Apache-2.0
#include "crema/agreement/review/review.h"

#include <bit>
#include <set>

#include <gtest/gtest.h>

#include "crema/agreement/overlap.h"
#include "crema/agreement/review/zones.h"
#include "crema/base/error.h"
#include "test/agreement_testing.h"
#include "test/ascii.h"

namespace crema {
namespace {

using agreement_testing::Bytes;

/// Groups do not look at distances: settling a zone on counts is then the same as drawing it in the masks, so
/// long as the component stays in one piece.
double refused(const agreement_testing::Fused& c, const ReviewItem& item, std::uint8_t value,
               std::size_t* pieces) {
  const slow::Masks& masks = c.random.masks;
  const Reduction& reduction = c.consensus.reduction;
  std::vector<Bytes> only(masks.size(), Bytes(masks[0].size(), 0));
  for (const Run& run : reduction.components.runs_of(reduction.components.list[item.component]))
    for (std::int64_t v = run.first; v < run.first + run.length; ++v)
      for (std::size_t k = 0; k < masks.size(); ++k)
        only[k][static_cast<std::size_t>(v)] = masks[k][static_cast<std::size_t>(v)];
  const Zones zones = find_zones(reduction, item.component);
  for (std::size_t z = 0; z < zones.list.size(); ++z) {
    if (zones.list[z].first != item.first) continue;
    for (const Run& run : zones.voxels_of(reduction.grid, z).runs)
      for (std::int64_t v = run.first; v < run.first + run.length; ++v)
        for (std::size_t k = 0; k < masks.size(); ++k)
          if ((item.seen >> k & 1) != 0) only[k][static_cast<std::size_t>(v)] = value;
  }
  const std::vector<Mask> views(only.begin(), only.end());
  const Consensus settled = fuse(c.random.grid, views, c.options);
  *pieces = settled.solution.components.size();
  return settled.solution.lmsd;
}

TEST(Review, TellsTheCriterionOfMasksThatAgreeOnTheZone) {
  int checked = 0;
  for (std::uint64_t seed = 0; seed < 150; ++seed) {
    auto c = agreement_testing::make(seed, "tanimoto", 4);
    c.options.blocks = Blocks::group;
    const Solution solution = solve(c.consensus.reduction, find_method("tanimoto"), c.options);
    for (const ReviewItem& item : make_review_list(c.consensus.reduction, solution, c.options).items) {
      ASSERT_NEAR(item.criterion, solution.components[item.component].criterion, 1e-12);
      if (item.reason != ReviewReason::zone) continue;
      std::size_t pieces = 0;
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
  EXPECT_GT(checked, 50);
}

/// Without whom a component is decided otherwise, one rater after the other.
Raters flips_of(const agreement_testing::Fused& c, std::size_t component) {
  Raters flips = 0;
  const Reduction& reduction = c.consensus.reduction;
  const bool kept = c.consensus.solution.components[component].voxels > 0;
  for (int k = 0; reduction.raters > 1 && k < reduction.raters; ++k) {
    Options less = c.options;
    if (less.weights.empty()) less.weights.assign(static_cast<std::size_t>(reduction.raters), 1);
    less.weights[static_cast<std::size_t>(k)] = 0;
    const Solution without = solve(reduction, *c.consensus.solution.method, less);
    if ((without.components[component].voxels > 0) != kept) flips |= Raters{1} << k;
  }
  return flips;
}

using Known = std::tuple<ReviewReason, std::size_t, std::int64_t>;

/// Every decision of a case, as the method page has it.
std::set<Known> plain_list(const agreement_testing::Fused& c) {
  std::set<Known> list;
  const Reduction& reduction = c.consensus.reduction;
  for (std::size_t i = 0; i < reduction.crowns.size(); ++i) {
    const bool kept = c.consensus.solution.components[i].voxels > 0;
    const std::int64_t first = reduction.components.runs_of(reduction.components.list[i]).front().first;
    if (flips_of(c, i) != 0)
      list.emplace(ReviewReason::flips, i, first);
    else if (!kept && std::popcount(raters_present(reduction.crowns[i].tally)) >= 2)
      list.emplace(ReviewReason::left_out, i, first);
    if (!kept) continue;
    for (const Zone& zone : find_zones(reduction, i).list) list.emplace(ReviewReason::zone, i, zone.first);
  }
  return list;
}

TEST(Review, HoldsEveryDecisionOfAPlainReadingInItsOrder) {
  std::array<int, 3> reasons{};
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    SCOPED_TRACE(seed);
    auto c = agreement_testing::make(seed, "jaccard");
    Reduction& reduction = c.consensus.reduction;
    reduction.grid.spacing = {1, 2, 3};
    reduction.grid.origin = {10, 20, 30};
    const auto items = make_review_list(reduction, c.consensus.solution, c.options).items;
    std::set<Known> found;
    for (std::size_t i = 0; i < items.size(); ++i) {
      const ReviewItem& item = items[i];
      found.emplace(item.reason, item.component, item.first);
      ++reasons[static_cast<std::size_t>(item.reason)];
      ASSERT_EQ(item.reason == ReviewReason::flips, item.flips != 0);
      ASSERT_EQ(item.flips, item.reason == ReviewReason::zone ? 0 : flips_of(c, item.component));
      ASSERT_DOUBLE_EQ(item.centre[1], 20 + 2 * item.at[1]);
      for (std::size_t a = 0; a < 3; ++a) {
        ASSERT_GE(item.at[a], item.box.low[a]);
        ASSERT_LT(item.at[a], item.box.high[a]);
      }
      if (i == 0 || items[i - 1].reason != item.reason) continue;
      ASSERT_GE(items[i - 1].fall, item.fall);
    }
    ASSERT_TRUE(std::is_sorted(items.begin(), items.end(),
                               [](const auto& a, const auto& b) { return a.reason < b.reason; }));
    ASSERT_EQ(found, plain_list(c));
    ASSERT_EQ(found.size(), items.size());
    const auto first = make_review_list(reduction, c.consensus.solution, c.options, 2);
    ASSERT_EQ(first.items.size(), std::min<std::size_t>(2, items.size()));
    ASSERT_EQ(first.all, items.size());
  }
  for (const int count : reasons) EXPECT_GT(count, 10);
}

TEST(Review, ByHandForOneVoxelThatOneOfTwoDrew) {
  const auto a = ascii::mask({"##"}), b = ascii::mask({"#."});
  const Reduction reduction = agreement_testing::reduce({.size = {2, 1, 1}, .spacing = {3, 1, 1}}, {a, b});
  const Options options;
  const Solution solution = solve(reduction, find_method("jaccard"), options);
  const auto items = make_review_list(reduction, solution, options).items;
  ASSERT_EQ(items.size(), 1U);  // all agree on the other voxel
  EXPECT_DOUBLE_EQ(items[0].criterion, 0.125);
  EXPECT_EQ(items[0].if_inside, 0);
  EXPECT_EQ(items[0].if_outside, 0);
  EXPECT_DOUBLE_EQ(items[0].fall, 0.125);
  EXPECT_EQ(items[0].box, (Box{{1, 0, 0}, {2, 1, 1}}));
  EXPECT_EQ(items[0].apart, 3);
}

TEST(Review, ListsWhatTwoOfFiveSawAndTheConsensusLeftOut) {
  const auto seen = ascii::mask({"##..##"}), not_seen = ascii::mask({"##...."});
  const Reduction reduction =
      agreement_testing::reduce({.size = {6, 1, 1}}, {seen, seen, not_seen, not_seen, not_seen, not_seen});
  const Options options;
  const Solution solution = solve(reduction, find_method("jaccard"), options);
  const auto items = make_review_list(reduction, solution, options).items;
  ASSERT_EQ(items.size(), 1U);
  EXPECT_EQ(items[0].reason, ReviewReason::left_out);
  EXPECT_EQ(items[0].component, 1U);
  EXPECT_EQ(items[0].seen, 0b11U);
  EXPECT_EQ(items[0].inside, 0);
}

TEST(Review, RefusesMethodsThatDoNotDecideByComponent) {
  const Bytes mask{1, 0};
  const Reduction reduction = agreement_testing::reduce({.size = {2, 1, 1}}, {mask, mask});
  const Solution staple = solve(reduction, find_method("staple"), {});
  EXPECT_THROW(make_review_list(reduction, staple, {}), UsageError);
}

}  // namespace
}  // namespace crema
