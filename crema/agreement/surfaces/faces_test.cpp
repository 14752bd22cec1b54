// SPDX-License-Identifier: Apache-2.0
#include "crema/agreement/surfaces/faces.h"

#include <random>

#include <gtest/gtest.h>

namespace crema {
namespace {

/// Voxel by voxel.
std::int64_t plain_faces(const Grid& grid, const std::vector<std::uint8_t>& mask) {
  const std::int32_t nx = grid.size[0], ny = grid.size[1], nz = grid.size[2];
  const auto at = [&](int x, int y, int z) {
    const bool there = x >= 0 && y >= 0 && z >= 0 && x < nx && y < ny && z < nz;
    return there && mask[static_cast<std::size_t>((z * ny + y) * nx + x)] != 0;
  };
  std::int64_t faces = 0;
  for (int z = 0; z < nz; ++z)
    for (int y = 0; y < ny; ++y)
      for (int x = 0; x < nx; ++x) {
        if (!at(x, y, z)) continue;
        for (const int d : {-1, 1})
          faces += (nx > 1 && !at(x + d, y, z) ? 1 : 0) + (ny > 1 && !at(x, y + d, z) ? 1 : 0) +
                   (nz > 1 && !at(x, y, z + d) ? 1 : 0);
      }
  return faces;
}

TEST(Faces, AreThoseCountedVoxelByVoxel) {
  std::mt19937 random(3);
  for (const std::array<std::int32_t, 3> size :
       {std::array{5, 4, 3}, std::array{9, 7, 1}, std::array{1, 6, 5}, std::array{4, 1, 1},
        std::array{2, 2, 2}})
    for (const unsigned density : {1U, 2U, 3U, 4U}) {
      const Grid grid{.size = size};
      std::vector<std::uint8_t> mask(static_cast<std::size_t>(grid.voxels()));
      for (auto& voxel : mask) voxel = random() % 4 < density ? 1 : 0;
      EXPECT_EQ(count_faces(grid, set_of_mask(grid, mask)), plain_faces(grid, mask));
    }
}

TEST(Faces, OfACubeAreSixSquares) {
  const Grid grid{.size = {4, 4, 4}};
  const std::vector<std::uint8_t> mask(64, 1);
  EXPECT_EQ(count_faces(grid, set_of_mask(grid, mask)), 6 * 16);
}

}  // namespace
}  // namespace crema
