// SPDX-License-Identifier: Apache-2.0
#include "files/layout.h"

#include <gtest/gtest.h>

#include "files/testing.h"

namespace crema::files::testing {
namespace {

using Size = std::array<std::int32_t, 3>;

/// A mask of that size whose first voxel is voxel `low` of one lattice of 1×2×3 mm.
Header crop(const std::string& name, const Size& size, const Size& low) {
  Header header;
  header.path = name;
  header.positioned = true;
  header.grid.size = size;
  header.grid.spacing = {1, 2, 3};
  for (std::size_t a = 0; a < 3; ++a) header.grid.origin[a] = 10 + low[a] * header.grid.spacing[a];
  return header;
}

std::string refusal_of(const std::vector<Header>& headers, const Header* like = nullptr) {
  try {
    lay_out(headers, like);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(Layout, CropsOfOneLatticeMakeOneGridInAnyOrder) {
  const std::vector<Header> crops{crop("a", {4, 5, 6}, {2, 0, 1}), crop("b", {6, 4, 3}, {0, 3, 2}),
                                  crop("c", {3, 3, 3}, {5, 5, 0})};
  for (const auto& order : std::vector<std::vector<std::size_t>>{{0, 1, 2}, {1, 2, 0}, {2, 1, 0}}) {
    std::vector<Header> headers;
    for (const std::size_t k : order) headers.push_back(crops[k]);
    const Layout layout = lay_out(headers, nullptr);
    EXPECT_EQ(layout.reference.grid.size, (Size{8, 8, 7}));
    EXPECT_EQ(layout.reference.grid.origin, (std::array<double, 3>{10, 10, 10}));
    for (std::size_t k = 0; k < 3; ++k) {
      const Footprint part = footprint(layout.placements[k], headers[k].grid);
      for (std::size_t a = 0; a < 3; ++a)
        EXPECT_EQ(10 + part.low[a] * headers[k].grid.spacing[a], headers[k].grid.origin[a]);
    }
  }
}

TEST(Layout, ACropAtTheFirstCornerIsPaddedLikeAnyOther) {
  const Layout layout =
      lay_out(std::vector{crop("a", {6, 6, 6}, {0, 0, 0}), crop("b", {3, 4, 5}, {0, 0, 0})}, nullptr);
  EXPECT_EQ(layout.reference.grid.size, (Size{6, 6, 6}));
  EXPECT_TRUE(any_has(layout.placements[1].warnings, "padded with background"));
  EXPECT_TRUE(layout.placements[0].warnings.empty());
}

TEST(Layout, MasksOfOneSizeThatAreShiftedAreRefusedWithTheWholeShift) {
  const std::string reported =
      refusal_of({crop("a", {6, 6, 6}, {0, 0, 0}), crop("b", {6, 6, 6}, {50, 25, 3})});
  EXPECT_TRUE(has(reported, "(50, 25, 3) voxels away")) << reported;
  Header between = crop("b", {6, 6, 6}, {50, 25, 0});
  between.grid.origin[2] += 50;
  EXPECT_TRUE(has(refusal_of({crop("a", {6, 6, 6}, {0, 0, 0}), between}), "(50, 25, 16.67) voxels away"));
}

TEST(Layout, GridsThatNeverMeetGiveAWarning) {
  const Layout layout =
      lay_out(std::vector{crop("a", {4, 4, 4}, {0, 0, 0}), crop("b", {3, 3, 3}, {20, 0, 0})}, nullptr);
  EXPECT_EQ(layout.reference.grid.size, (Size{23, 4, 4}));
  EXPECT_TRUE(any_has(layout.placements[1].warnings, "overlaps with that of no other"));
}

TEST(Layout, AnotherFileMaySetTheGrid) {
  const Header like = crop("like", {10, 10, 10}, {0, 0, 0});
  const std::vector<Header> same{crop("a", {4, 4, 4}, {1, 1, 1}), crop("b", {4, 4, 4}, {3, 3, 3})};
  const Layout layout = lay_out(same, &like);
  EXPECT_EQ(layout.reference.grid.size, like.grid.size);
  EXPECT_TRUE(has(refusal_of({crop("a", {4, 4, 4}, {8, 0, 0})}, &like), "reaches beyond"));
}

TEST(Layout, VoxelsLandWhereTheyLie) {
  const std::vector<Header> headers{crop("a", {2, 1, 1}, {1, 0, 0}), crop("b", {1, 1, 1}, {0, 0, 0})};
  const Layout layout = lay_out(headers, nullptr);
  const Grid& grid = layout.reference.grid;
  ASSERT_EQ(grid.size, (Size{3, 1, 1}));
  EXPECT_EQ(apply(layout.placements[0], grid, headers[0].grid, std::vector<std::uint8_t>{1, 2}),
            (std::vector<std::uint8_t>{0, 1, 2}));
  EXPECT_EQ(apply(layout.placements[1], grid, headers[1].grid, std::vector<std::uint8_t>{7}),
            (std::vector<std::uint8_t>{7, 0, 0}));
}

}  // namespace
}  // namespace crema::files::testing
