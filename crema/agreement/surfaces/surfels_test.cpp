// SPDX-License-Identifier: Apache-2.0
#include "crema/agreement/surfaces/surfels.h"

#include <cmath>
#include <numeric>

#include <gtest/gtest.h>

#include "crema/agreement/surfaces/surfaces.h"
#include "test/agreement_testing.h"

namespace crema {
namespace {

using agreement_testing::Bytes;

/// The code with corners moved by a symmetry of the cube.
template <class Move>
unsigned moved(unsigned code, Move move) {
  unsigned result = 0;
  for (unsigned corner = 0; corner < 8; ++corner)
    if ((code >> corner & 1U) != 0) result |= 1U << move(corner);
  return result;
}

TEST(Surfels, HaveTheAreaOfThePlanesAndTrianglesBetweenCorners) {
  const std::array<double, 3> s{1, 2, 3};
  EXPECT_EQ(surface_area(0, s), 0);
  EXPECT_EQ(surface_area(255, s), 0);
  EXPECT_DOUBLE_EQ(surface_area(0b00001111, s), 1 * 2);  // a slice below: the cell's whole cross-section
  EXPECT_DOUBLE_EQ(surface_area(0b01010101, s), 2 * 3);
  // A corner is cut off by the triangle of three half edges, whose area is half a cross product.
  EXPECT_DOUBLE_EQ(surface_area(1, s), std::sqrt(1.5 * 1.5 + 0.75 * 0.75 + 0.5 * 0.5) / 2);
  EXPECT_DOUBLE_EQ(surface_area(0b10000001, s), 2 * surface_area(1, s));
  EXPECT_DOUBLE_EQ(surface_area(0b00000011, s), 1 * std::hypot(1, 1.5));  // along x, from half y to half z
  EXPECT_DOUBLE_EQ(surface_area(0b00010111, s), 6 * surface_area(1, s));  // a corner and its three neighbours
}

TEST(Surfels, HaveAnAreaThatFollowsTheSymmetriesOfTheCube) {
  const std::array<double, 3> s{1, 1.7, 2.9}, exchanged{1.7, 1, 2.9};
  for (unsigned code = 0; code < 256; ++code) {
    EXPECT_DOUBLE_EQ(surface_area(code, s), surface_area(255 - code, s)) << code;
    for (unsigned flip = 0; flip < 8; ++flip)
      EXPECT_NEAR(surface_area(code, s), surface_area(moved(code, [&](unsigned c) { return c ^ flip; }), s),
                  1e-12);
    const unsigned swapped =
        moved(code, [](unsigned c) { return (c & 4U) | (c & 1U) << 1U | (c >> 1U & 1U); });
    EXPECT_NEAR(surface_area(code, s), surface_area(swapped, exchanged), 1e-12) << code;
  }
}

TEST(Surfels, AddUpToTheOutlineOfARectangleWithItsCornersCutOff) {
  const Grid grid{.size = {6, 5, 1}, .spacing = {2, 3, 1}};
  Bytes mask(30, 0);
  for (const std::size_t v : {7U, 8U, 9U, 13U, 14U, 15U}) mask[v] = 1;
  const auto surfels = find_surfels(grid, grid.spacing, set_of_mask(grid, mask));
  EXPECT_EQ(surfels.cells.voxels, 10);
  const double length = std::accumulate(surfels.areas.begin(), surfels.areas.end(), 0.0);
  EXPECT_DOUBLE_EQ(length, 4 * std::hypot(1, 1.5) + 2 * (2 * 2) + 2 * 3);
}

TEST(Surfels, OfAVoxelAtTheBorderOfTheGridAreClosed) {
  const Grid grid{.size = {1, 1, 2}, .spacing = {1, 1, 1}};
  const Bytes mask{1, 0};
  const auto surfels = find_surfels(grid, grid.spacing, set_of_mask(grid, mask));
  EXPECT_EQ(surfels.cells.voxels, 8);
  for (const double area : surfels.areas) EXPECT_DOUBLE_EQ(area, std::sqrt(3) / 8);
}

TEST(Surfels, PercentileIsTheFirstDistanceThatReachesTheShareOfArea) {
  EXPECT_EQ(percentile_by_area({3, 1, 2}, {1, 8, 1}, 0.8), 1);
  EXPECT_EQ(percentile_by_area({3, 1, 2}, {1, 8, 1}, 0.81), 2);
  EXPECT_EQ(percentile_by_area({3, 1, 2}, {1, 8, 1}, 0.95), 3);
}

/// Cell by cell, with every distance tried.
double plain(const Grid& grid, const Bytes& a, const Bytes& b) {
  const auto in = [&](const Bytes& mask, int x, int y, int z) {
    if (x < 0 || y < 0 || z < 0 || x >= grid.size[0] || y >= grid.size[1] || z >= grid.size[2]) return false;
    return mask[static_cast<std::size_t>((z * grid.size[1] + y) * grid.size[0] + x)] != 0;
  };
  using Cell = std::pair<slow::Point, double>;
  const auto cells = [&](const Bytes& mask) {
    std::vector<Cell> list;
    const bool flat = grid.flat();
    for (int z = 0; z < (flat ? 1 : grid.size[2] + 1); ++z)
      for (int y = 0; y <= grid.size[1]; ++y)
        for (int x = 0; x <= grid.size[0]; ++x) {
          unsigned code = 0;
          for (int corner = 0; corner < (flat ? 4 : 8); ++corner)
            if (in(mask, x - 1 + (corner & 1), y - 1 + (corner >> 1 & 1), flat ? 0 : z - 1 + (corner >> 2)))
              code |= 1U << corner;
          const double area = flat ? outline_length(code, grid.spacing) : surface_area(code, grid.spacing);
          if (area > 0) list.push_back({{x, y, z}, area});
        }
    return list;
  };
  const auto directed = [&](const std::vector<Cell>& from, const std::vector<Cell>& to) {
    std::vector<double> distances, areas;
    for (const auto& [p, area] : from) {
      double least = INFINITY;
      for (const auto& [q, other] : to)
        least = std::min(least, std::hypot(grid.spacing[0] * (p[0] - q[0]), grid.spacing[1] * (p[1] - q[1]),
                                           grid.spacing[2] * (p[2] - q[2])));
      distances.push_back(least);
      areas.push_back(area);
    }
    return percentile_by_area(distances, areas, 0.95);
  };
  return std::max(directed(cells(a), cells(b)), directed(cells(b), cells(a)));
}

TEST(Surfels, GiveThePercentileByAreaOfAPlainReading) {
  int defined = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    auto c = random_case::make(seed, 2);
    if (c.masks.size() != 2) continue;
    c.grid.spacing = {1, 0.5, 2.25};
    const std::vector<VoxelSet> sets{set_of_mask(c.grid, c.masks[0]), set_of_mask(c.grid, c.masks[1])};
    const auto found = compare_surfaces(c.grid, sets, all_pairs(2), {.area = true}).front();
    EXPECT_EQ(compare_surfaces(c.grid, sets, all_pairs(2)).front().hd95_area.defined(), false);
    ASSERT_EQ(found.hd95_area.defined(), found.hd95.defined());
    if (!found.hd95.defined()) continue;
    ++defined;
    ASSERT_NEAR(*found.hd95_area, plain(c.grid, c.masks[0], c.masks[1]), 1e-9) << seed;
  }
  EXPECT_GT(defined, 30);
}

}  // namespace
}  // namespace crema
