// SPDX-License-Identifier: Apache-2.0
#include "crema/voxels/paint.h"

#include <gtest/gtest.h>

#include "crema/voxels/votes/votes.h"
#include "test/ascii.h"

namespace crema {
namespace {

TEST(Paint, PutsEachRowsLevelIntoItsVoxelsAndLeavesTheRestAlone) {
  const auto mask = ascii::mask({".##.", "...#"});
  const Grid grid{.size = {4, 2, 1}};
  const Votes votes = take_votes(8, std::vector<Mask>{mask});
  const auto components = find_components(grid, votes, make_neighbourhood(grid, 8, {}));
  Crowns crowns;
  crowns.tally.rows = {{0, 1, 2}, {1, 1, 1}};
  crowns.row_of_voxel = {0, 1, 0};
  Image soft = SoftImage(8, 0);
  paint_component(components, components.list[0], crowns, {0.25, 0.75}, soft);
  EXPECT_EQ(std::get<SoftImage>(soft), (SoftImage{0, 0.25, 0.75, 0, 0, 0, 0, 0.25}));
  Image hard = HardImage(8, 0);
  paint_component(components, components.list[0], crowns, {0, 1}, hard);
  EXPECT_EQ(std::get<HardImage>(hard), (HardImage{0, 0, 1, 0, 0, 0, 0, 0}));
  Image part = HardImage(8, 0);
  paint_component(components, components.list[0], crowns, {0.5, 0}, part);
  EXPECT_EQ(std::get<HardImage>(part), (HardImage{0, 1, 0, 0, 0, 0, 0, 0}));
}

}  // namespace
}  // namespace crema
