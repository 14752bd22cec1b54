// SPDX-License-Identifier: Apache-2.0
#include "crema/voxels/region.h"

#include <algorithm>
#include <cstdlib>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "crema/voxels/votes/votes.h"
#include "test/ascii.h"
#include "test/random_case.h"

namespace crema {
namespace {

Components found(const Grid& grid, const std::vector<Mask>& masks) {
  return find_components(grid, take_votes(grid.voxels(), masks), make_neighbourhood(grid, 0, {}));
}

/// The region painted with 1 into an empty image.
std::vector<std::uint8_t> painted(const Grid& grid, const Components& components, const Region& region) {
  Image image = HardImage(static_cast<std::size_t>(grid.voxels()), 0);
  fill_region(grid, components, region, 1, image);
  const auto& hard = std::get<HardImage>(image);
  return {hard.begin(), hard.end()};
}

/// Whether a voxel takes part, by asking every voxel of the union.
bool plainly_inside(const random_case::Case& c, std::size_t v, const Region& region) {
  if (region.kind == Region::Kind::full) return true;
  const auto p = slow::point(c.grid, v);
  std::array<int, 3> low{1 << 20, 1 << 20, 1 << 20}, high{-1, -1, -1};
  bool near = false;
  for (std::size_t w = 0; w < c.masks[0].size(); ++w) {
    if (std::none_of(c.masks.begin(), c.masks.end(), [&](const auto& mask) { return mask[w] != 0; }))
      continue;
    const auto q = slow::point(c.grid, w);
    int farthest = 0;
    for (std::size_t a = 0; a < 3; ++a) {
      low[a] = std::min(low[a], q[a] - region.margin);
      high[a] = std::max(high[a], q[a] + region.margin);
      farthest = std::max(farthest, std::abs(p[a] - q[a]));
    }
    near = near || farthest <= region.margin;
  }
  if (region.kind == Region::Kind::near_union) return near;
  bool inside = true;
  for (std::size_t a = 0; a < 3; ++a) inside = inside && p[a] >= low[a] && p[a] <= high[a];
  return inside;
}

RC_GTEST_PROP(Region, HoldsTheVoxelsThatAPlainSearchFinds, (std::uint64_t seed)) {
  random_case::Dice dice{seed};
  const auto c = random_case::make(seed);
  const Components components = found(c.grid, c.views());
  for (const auto kind : {Region::Kind::full, Region::Kind::box, Region::Kind::near_union}) {
    const Region region{.kind = kind, .margin = dice.roll(0, 3)};
    const auto got = painted(c.grid, components, region);
    std::vector<std::uint8_t> expected;
    for (std::size_t v = 0; v < got.size(); ++v) expected.push_back(plainly_inside(c, v, region) ? 1 : 0);
    RC_ASSERT(got == expected);
    RC_ASSERT(region_voxels(c.grid, components, region) == std::count(got.begin(), got.end(), 1));
  }
}

TEST(Region, AroundTheUnionStepsAlongAndAcrossTheAxes) {
  const auto grid = ascii::grid({".......", ".......", "...#...", ".......", "......."});
  const auto mask = ascii::mask({".......", ".......", "...#...", ".......", "......."});
  const auto got = painted(grid, found(grid, {mask}), {.kind = Region::Kind::near_union, .margin = 2});
  EXPECT_EQ(ascii::picture(grid, got),
            ascii::picture({"0111110", "0111110", "0111110", "0111110", "0111110"}));
}

TEST(Region, ABoxHoldsAllComponentsAndItsMarginEndsAtTheImage) {
  const auto grid = ascii::grid({".#...", ".....", "..#..", ".....", "....."});
  const auto mask = ascii::mask({".#...", ".....", "..#..", ".....", "....."});
  const Components components = found(grid, {mask});
  EXPECT_EQ(region_voxels(grid, components, {.kind = Region::Kind::box}), 6);
  const Region wide{.kind = Region::Kind::box, .margin = 2};
  EXPECT_EQ(region_voxels(grid, components, wide), 25);
  const Region widest{.kind = Region::Kind::box, .margin = 1 << 30};
  EXPECT_EQ(region_voxels(grid, components, widest), 25);
}

TEST(Region, OfAnEmptyUnionIsEmptyUnlessItIsTheImage) {
  const std::vector<std::uint8_t> nothing(6, 0);
  const Grid grid{.size = {3, 2, 1}};
  const Components none = found(grid, {nothing});
  EXPECT_EQ(region_voxels(grid, none, {.kind = Region::Kind::box, .margin = 4}), 0);
  EXPECT_EQ(region_voxels(grid, none, {.kind = Region::Kind::near_union, .margin = 4}), 0);
  EXPECT_EQ(region_voxels(grid, none, {}), 6);
}

TEST(Region, AMaskIsTakenAsItIs) {
  const std::vector<std::uint8_t> mask{0, 9, 0, 1, 0, 0};
  const Grid grid{.size = {3, 2, 1}};
  const Region region{.kind = Region::Kind::mask, .mask = mask};
  EXPECT_EQ(region_voxels(grid, {}, region), 2);
  EXPECT_EQ(painted(grid, {}, region), (std::vector<std::uint8_t>{0, 1, 0, 1, 0, 0}));
}

TEST(Region, IsFilledWithTheLevelAndNothingOutsideIsTouched) {
  const std::vector<std::uint8_t> mask{0, 1, 1};
  const Grid grid{.size = {3, 1, 1}};
  const Region region{.kind = Region::Kind::mask, .mask = mask};
  Image soft = SoftImage{0.25F, 0.25F, 0.25F};
  fill_region(grid, {}, region, 0.75, soft);
  EXPECT_EQ(std::get<SoftImage>(soft), (SoftImage{0.25F, 0.75F, 0.75F}));
  Image hard = HardImage{1, 1, 0};
  fill_region(grid, {}, region, 0.5, hard);
  EXPECT_EQ(std::get<HardImage>(hard), (HardImage{1, 0, 0}));
}

TEST(Region, HasTheNamesThatAreTyped) {
  EXPECT_EQ(to_string(Region::Kind::full), "full");
  EXPECT_EQ(to_string(Region::Kind::box), "box");
  EXPECT_EQ(to_string(Region::Kind::near_union), "union");
  EXPECT_EQ(to_string(Region::Kind::mask), "mask");
}

}  // namespace
}  // namespace crema
