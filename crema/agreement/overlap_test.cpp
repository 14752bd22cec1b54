// SPDX-License-Identifier: Apache-2.0
#include "crema/agreement/overlap.h"

#include <gtest/gtest.h>

#include "crema/fuse.h"
#include "test/ascii.h"

namespace crema {
namespace {

TEST(Overlap, CountsZeroOverZeroAsOne) {
  const Agreement nothing = agreement(0, 0, 0);
  EXPECT_EQ(nothing.precision, 1);
  EXPECT_EQ(nothing.recall, 1);
  EXPECT_EQ(nothing.f1, 1);
  EXPECT_EQ(agreement(0, 3, 0).precision, 0);
  EXPECT_EQ(agreement(0, 3, 0).recall, 1);
}

TEST(Overlap, ComparesVoxelsAndComponentsWithTheConsensus) {
  const auto first = ascii::mask({"##...", ".....", "....#"});
  const auto second = ascii::mask({"###..", ".....", "....."});
  const auto third = ascii::mask({"##...", ".....", "....."});
  const std::vector<Mask> masks{first, second, third};
  const Consensus majority = fuse({.size = {5, 3, 1}}, masks, {.method = "majority"});
  const auto raters = compare_raters(majority.reduction, majority.solution);
  ASSERT_EQ(raters.size(), 3U);
  EXPECT_EQ(raters[0].voxels, 3);
  EXPECT_DOUBLE_EQ(raters[0].overlap.precision, 2.0 / 3);
  EXPECT_DOUBLE_EQ(raters[0].overlap.recall, 1);
  EXPECT_DOUBLE_EQ(raters[0].overlap.f1, 0.8);
  EXPECT_DOUBLE_EQ(raters[0].detection.precision, 0.5);
  EXPECT_DOUBLE_EQ(raters[1].overlap.precision, 2.0 / 3);
  EXPECT_DOUBLE_EQ(raters[2].overlap.f1, 1);
  EXPECT_DOUBLE_EQ(raters[2].detection.f1, 1);
  const auto second_component =
      compare_raters(majority.reduction.crowns[1].tally, majority.solution.components[1]);
  EXPECT_EQ(second_component[0].precision, 0);  // drew it, but the consensus did not keep it
  EXPECT_EQ(second_component[0].recall, 1);
  EXPECT_EQ(second_component[1].f1, 1);
}

}  // namespace
}  // namespace crema
