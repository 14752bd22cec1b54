// SPDX-License-Identifier: Apache-2.0
#include "crema/levels/shells/shells.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "crema/levels/testing.h"

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

}  // namespace
}  // namespace crema::level_testing
