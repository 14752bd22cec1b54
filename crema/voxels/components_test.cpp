// SPDX-License-Identifier: Apache-2.0
#include "crema/voxels/components.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "crema/base/parallel.h"
#include "crema/voxels/votes/votes.h"
#include "test/ascii.h"
#include "test/random_case.h"

namespace crema {
namespace {

std::vector<int> labels(const Grid& grid, const Components& components) {
  std::vector<int> label(static_cast<std::size_t>(grid.voxels()), 0);
  for (std::size_t c = 0; c < components.list.size(); ++c)
    for (const Run& run : components.runs_of(components.list[c]))
      for (std::int64_t v = run.first; v < run.first + run.length; ++v)
        label[static_cast<std::size_t>(v)] = static_cast<int>(c) + 1;
  return label;
}

RC_GTEST_PROP(Components, AgreeWithAFloodFill, (std::uint64_t seed)) {
  for (std::uint64_t i = 0; i < 20; ++i) {
    const auto c = random_case::make(seed + i);
    const auto components =
        find_components(c.grid, take_votes(c.grid.voxels(), c.views()),
                        make_neighbourhood(c.grid, c.setting.connectivity, c.setting.slice_wise));
    RC_ASSERT(labels(c.grid, components) == slow::components(c.grid, c.masks, c.setting));
  }
}

RC_GTEST_PROP(Components, BoxesAndSizesFitTheirVoxels, (std::uint64_t seed)) {
  const auto c = random_case::make(seed);
  const auto components =
      find_components(c.grid, take_votes(c.grid.voxels(), c.views()),
                      make_neighbourhood(c.grid, c.setting.connectivity, c.setting.slice_wise));
  const auto label = labels(c.grid, components);
  for (std::size_t n = 0; n < components.list.size(); ++n) {
    Box box{c.grid.size, {0, 0, 0}};
    std::int64_t voxels = 0;
    for (std::size_t v = 0; v < label.size(); ++v) {
      if (label[v] != static_cast<int>(n) + 1) continue;
      ++voxels;
      const auto p = slow::point(c.grid, v);
      for (std::size_t a = 0; a < 3; ++a) {
        box.low[a] = std::min(box.low[a], p[a]);
        box.high[a] = std::max(box.high[a], p[a] + 1);
      }
    }
    RC_ASSERT(components.list[n].box == box);
    RC_ASSERT(components.list[n].voxels == voxels);
  }
}

/// Large enough for several pieces of rows, so that joins across their borders are met.
TEST(Components, JoinAcrossThePiecesThatAreLinkedAtTheSameTime) {
  const Grid grid{.size = {9, 700, 40}};
  std::vector<std::uint8_t> mask(static_cast<std::size_t>(grid.voxels()), 0);
  random_case::Dice dice{7};
  for (auto& voxel : mask) voxel = dice.roll(0, 99) < 11 ? 1 : 0;
  const Votes votes = take_votes(grid.voxels(), std::vector<Mask>{mask});
  for (const int connectivity : {6, 18, 26}) {
    const auto neighbourhood = make_neighbourhood(grid, connectivity, {});
    Components one, many;
    with_threads(1, [&] { one = find_components(grid, votes, neighbourhood); });
    with_threads(4, [&] { many = find_components(grid, votes, neighbourhood); });
    ASSERT_EQ(labels(grid, one), labels(grid, many));
    // Every pair of touching voxels shares its component, and a component has no two parts: counted by a
    // flood fill over neighbours.
    const auto label = labels(grid, one);
    std::vector<char> seen(label.size(), 0);
    std::size_t parts = 0;
    for (std::size_t seed = 0; seed < label.size(); ++seed) {
      if (label[seed] == 0 || seen[seed]) continue;
      ++parts;
      std::vector<std::size_t> todo{seed};
      seen[seed] = 1;
      while (!todo.empty()) {
        const auto p = slow::point(grid, todo.back());
        todo.pop_back();
        for (int dz = -1; dz <= 1; ++dz)
          for (int dy = -1; dy <= 1; ++dy)
            for (int dx = -1; dx <= 1; ++dx) {
              const int changed = std::abs(dx) + std::abs(dy) + std::abs(dz);
              if (changed > (connectivity == 6 ? 1 : connectivity == 18 ? 2 : 3)) continue;
              const int x = p[0] + dx, y = p[1] + dy, z = p[2] + dz;
              if (x < 0 || y < 0 || z < 0 || x >= grid.size[0] || y >= grid.size[1] || z >= grid.size[2])
                continue;
              const auto w = static_cast<std::size_t>(x + grid.size[0] * (y + grid.size[1] * z));
              if (label[w] == 0) continue;
              ASSERT_EQ(label[w], label[seed]);
              if (!seen[w]) {
                seen[w] = 1;
                todo.push_back(w);
              }
            }
      }
    }
    EXPECT_EQ(parts, one.list.size());
  }
}

/// Rows far apart, and runs on both sides of a block's border and of blocks that are passed over.
TEST(Components, AreFoundAmongMuchBackground) {
  const Grid grid{.size = {1000, 30, 9}};
  std::vector<std::uint8_t> mask(static_cast<std::size_t>(grid.voxels()), 0);
  std::fill_n(mask.begin() + Votes::kBlock - 30, 60, std::uint8_t{1});
  mask[100000] = mask[101000] = mask[130999] = mask.front() = mask.back() = 1;
  const Votes votes = take_votes(grid.voxels(), std::vector<Mask>{mask});
  for (const int connectivity : {6, 18, 26}) {
    const auto components = find_components(grid, votes, make_neighbourhood(grid, connectivity, {}));
    EXPECT_EQ(labels(grid, components), slow::components(grid, {mask}, {.connectivity = connectivity}));
    EXPECT_EQ(components.runs.size(), 6U);
  }
}

TEST(Components, DiagonalVoxelsTouchUnderEightButNotUnderFour) {
  const auto mask = ascii::mask({"#.#",  //
                                 ".#.",  //
                                 "#.."});
  const Grid grid{.size = {3, 3, 1}};
  const Votes votes = take_votes(9, std::vector<Mask>{mask});
  EXPECT_EQ(find_components(grid, votes, make_neighbourhood(grid, 8, {})).list.size(), 1U);
  EXPECT_EQ(find_components(grid, votes, make_neighbourhood(grid, 4, {})).list.size(), 4U);
}

}  // namespace
}  // namespace crema
