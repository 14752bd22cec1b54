// SPDX-License-Identifier: Apache-2.0
#include "crema/spatial/extent.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "test/random_case.h"

namespace crema {
namespace {

RC_GTEST_PROP(Extent, IsTheSmallestBoxOfTheVoxelsOfSomeRaters, (std::uint64_t seed)) {
  const auto c = random_case::make(seed);
  const auto votes = take_votes(c.grid.voxels(), c.views());
  for (Raters raters = 0; raters < (Raters{1} << c.masks.size()); ++raters) {
    Box expected{.low = c.grid.size, .high = {0, 0, 0}};
    for (std::size_t k = 0; k < c.masks.size(); ++k)
      for (std::size_t v = 0; v < c.masks[k].size(); ++v) {
        if ((raters >> k & 1) == 0 || c.masks[k][v] == 0) continue;
        const auto p = slow::point(c.grid, v);
        for (std::size_t a = 0; a < 3; ++a) {
          expected.low[a] = std::min(expected.low[a], p[a]);
          expected.high[a] = std::max(expected.high[a], p[a] + 1);
        }
      }
    const Box box = extent_of(c.grid, votes, whole_box(c.grid), raters);
    RC_ASSERT(is_empty(box) == is_empty(expected));
    RC_ASSERT(is_empty(box) || box == expected);
  }
}

TEST(Extent, LooksOnlyWhereItIsTold) {
  const Grid grid{.size = {10, 10, 1}};
  std::vector<std::uint8_t> mask(100, 0);
  mask[11] = mask[55] = mask[88] = 1;
  const auto votes = take_votes(100, std::vector<Mask>{mask});
  const Box within{.low = {2, 2, 0}, .high = {8, 8, 1}};
  EXPECT_EQ(extent_of(grid, votes, within, 1), (Box{.low = {5, 5, 0}, .high = {6, 6, 1}}));
  EXPECT_TRUE(is_empty(extent_of(grid, votes, within, 2)));
  EXPECT_TRUE(is_empty(extent_of(grid, votes, {}, 1)));
}

TEST(Extent, PaddingStopsAtTheGrid) {
  const Grid grid{.size = {10, 10, 3}};
  const Box box{.low = {1, 4, 0}, .high = {9, 6, 3}};
  EXPECT_EQ(padded(grid, box, {3, 2, 2}), (Box{.low = {0, 2, 0}, .high = {10, 8, 3}}));
}

}  // namespace
}  // namespace crema
