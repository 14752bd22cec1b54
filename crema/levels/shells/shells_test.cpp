// SPDX-License-Identifier: Apache-2.0
#include "crema/levels/shells/shells.h"

#include <algorithm>
#include <tuple>

#include <gtest/gtest.h>

#include "crema/levels/testing.h"
#include "crema/spatial/adjacency.h"

namespace crema::level_testing {
namespace {

/// Two cores of as many voxels and other levels, with a faint bridge whose middle is as far from both.
Case bridge(std::uint64_t seed) {
  random_case::Dice dice{seed};
  const auto level = [&](int low, int high) { return static_cast<float>(dice.roll(low, high)) / 20; };
  const int width = dice.roll(2, 3), gap = dice.roll(1, 5), height = dice.roll(1, 3);
  Case c;
  c.grid.size = {2 * width + gap, height, 1};
  c.maps.assign(static_cast<std::size_t>(dice.roll(2, 4)), {});
  for (Map& map : c.maps)
    for (int y = 0; y < height; ++y)
      for (int x = 0; x < c.grid.size[0]; ++x)
        map.push_back(x < width || x >= width + gap ? level(10, 20) : level(1, 9));
  return c;
}

Case mirrored(Case c) {
  const auto nx = static_cast<std::ptrdiff_t>(c.grid.size[0]);
  for (Map& map : c.maps)
    for (auto row = map.begin(); row != map.end(); row += nx) std::reverse(row, row + nx);
  return c;
}

TEST(Shells, MirroringTheImageMirrorsTheConsensusWhereCoresAreOfOneSize) {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const Case c = bridge(seed);
    for (const char* method : {"tanimoto", "soergel", "jaccard"}) {
      const Fused own = level_testing::fuse(c, method), other = level_testing::fuse(mirrored(c), method);
      ASSERT_EQ(own.reduction.components.list.size(), 2U);
      ASSERT_NEAR(own.solution.lmsd, other.solution.lmsd, 1e-9) << method << ' ' << seed;
    }
  }
}

TEST(Shells, OfCoresOfOneSizeTheOneWithTheHigherLevelsHasWhatIsAsFar) {
  const Case c{.grid = {.size = {3, 1, 1}}, .maps = {{0.7F, 0.3F, 0.8F}, {0.9F, 0.3F, 0.6F}}};
  const std::vector<LevelPart> parts = level_testing::reduce(c).levels->parts;
  EXPECT_EQ(parts[0].voxels, 2);  // 0.9 and 0.7 against 0.8 and 0.6
  EXPECT_EQ(level_testing::reduce(mirrored(c)).levels->parts[1].voxels, 2);
}

TEST(Shells, TheOrderOfTheRatersDoesNotMatter) {
  Case c = bridge(3);
  const double own = level_testing::fuse(c, "tanimoto").solution.lmsd;
  std::reverse(c.maps.begin(), c.maps.end());
  EXPECT_NEAR(level_testing::fuse(c, "tanimoto").solution.lmsd, own, 1e-9);
}

/// Cores and edges in every voxel, much of it connected.
Case scattered(std::uint64_t seed) {
  random_case::Dice dice{seed};
  Case c;
  c.grid.size = {dice.roll(3, 12), dice.roll(3, 8), dice.roll(1, 4)};
  c.maps.assign(2, Map(static_cast<std::size_t>(c.grid.voxels()), 0));
  const int share = dice.roll(20, 80);
  for (Map& map : c.maps)
    for (float& level : map)
      if (dice.roll(0, 99) < share) level = dice.roll(0, 5) == 0 ? 0.7F : 0.2F;
  return c;
}

constexpr int kNobody = -1;

/// For each voxel of the image the component it belongs to, as the reduction has it.
std::vector<int> parts_of(const Reduction& reduction) {
  std::vector<int> part(static_cast<std::size_t>(reduction.grid.voxels()), kNobody);
  for (std::size_t c = 0; c < reduction.levels->parts.size(); ++c)
    for (const Run& run : reduction.levels->parts[c].runs)
      std::fill_n(part.begin() + run.first, run.length, static_cast<int>(c));
  return part;
}

/// What a core claims with: less is stronger.
auto rank_of(const Case& c, const Reduction& reduction, int component) {
  const auto& core = reduction.components.list[static_cast<std::size_t>(component)];
  std::vector<float> levels;
  for (const Run& run : reduction.components.runs_of(core))
    for (std::int64_t v = run.first; v < run.first + run.length; ++v)
      for (const Map& map : c.maps) levels.push_back(-map[static_cast<std::size_t>(v)]);
  std::sort(levels.begin(), levels.end());
  return std::tuple(core.voxels, levels, component);
}

/// Voxel by voxel, step by step.
std::vector<int> plain_parts(const Case& c, const Reduction& reduction) {
  std::vector<int> part(static_cast<std::size_t>(c.grid.voxels()), kNobody);
  for (std::size_t i = 0; i < reduction.components.list.size(); ++i)
    for (const Run& run : reduction.components.runs_of(reduction.components.list[i]))
      std::fill_n(part.begin() + run.first, run.length, static_cast<int>(i));
  const Adjacency adjacency(c.grid, reduction.neighbourhood);
  for (bool any = true; any;) {
    any = false;
    std::vector<int> next = part;
    for (std::size_t v = 0; v < part.size(); ++v) {
      const bool is_support = c.maps[0][v] > 0 || c.maps[1][v] > 0;
      if (part[v] != kNobody || !is_support) continue;
      adjacency.visit(static_cast<std::int64_t>(v), [&](std::size_t, std::int64_t other) {
        const int own = part[static_cast<std::size_t>(other)];
        if (own != kNobody &&
            (next[v] == kNobody || rank_of(c, reduction, own) < rank_of(c, reduction, next[v])))
          next[v] = own;
      });
      any |= next[v] != kNobody;
    }
    part = std::move(next);
  }
  return part;
}

TEST(Shells, EachVoxelJoinsTheCoreThatAPlainSearchFinds) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    const Case c = scattered(seed);
    random_case::Dice dice{seed};
    Options options;
    const bool flat = c.grid.size[2] == 1;
    if (!flat && dice.roll(0, 1) == 0) options.slice_wise = static_cast<Axis>(dice.roll(0, 2));
    constexpr int kPlane[] = {4, 8}, kSpace[] = {6, 18, 26};
    options.connectivity = flat || options.slice_wise ? kPlane[dice.roll(0, 1)] : kSpace[dice.roll(0, 2)];
    const Reduction reduction = level_testing::reduce(c, options);
    ASSERT_EQ(parts_of(reduction), plain_parts(c, reduction)) << seed;
    std::int64_t support = 0;
    for (std::size_t v = 0; v < c.maps[0].size(); ++v)
      support += c.maps[0][v] > 0 || c.maps[1][v] > 0 ? 1 : 0;
    ASSERT_EQ(reduction.levels->voxels(), support) << seed;
  }
}

}  // namespace
}  // namespace crema::level_testing
