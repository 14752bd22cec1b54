// SPDX-License-Identifier: Apache-2.0
#include "crema/spatial/euclidean.h"

#include <cmath>
#include <limits>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "crema/base/error.h"
#include "crema/base/parallel.h"
#include "test/random_case.h"

namespace crema {
namespace {

constexpr double kNowhere = std::numeric_limits<double>::infinity();

struct Sites {
  Grid grid;
  std::vector<double> map;
};

Sites random_sites(std::uint64_t seed) {
  random_case::Dice dice{seed};
  Sites s;
  for (std::size_t a = 0; a < 3; ++a) {
    s.grid.size[a] = dice.roll(1, a == 2 ? 6 : 13);
    s.grid.spacing[a] = 0.01 * dice.roll(10, 700);
  }
  const int rarity = dice.roll(1, 60);
  for (std::int64_t v = 0; v < s.grid.voxels(); ++v)
    s.map.push_back(dice.roll(1, rarity) == 1 ? 0 : kNowhere);
  return s;
}

double squared_distance(const Grid& grid, std::size_t a, std::size_t b) {
  const auto p = slow::point(grid, a), q = slow::point(grid, b);
  double sum = 0;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const double mm = grid.spacing[axis] * (p[axis] - q[axis]);
    sum += mm * mm;
  }
  return sum;
}

std::vector<double> by_brute_force(const Sites& s) {
  std::vector<double> result(s.map.size(), kNowhere);
  for (std::size_t v = 0; v < result.size(); ++v)
    for (std::size_t w = 0; w < result.size(); ++w)
      if (s.map[w] == 0) result[v] = std::min(result[v], squared_distance(s.grid, v, w));
  return result;
}

/// Up to the rounding of one sum.
bool is_exact(double found, double expected) {
  return std::isinf(expected) ? std::isinf(found) : std::abs(found - expected) <= 4e-16 * expected;
}

RC_GTEST_PROP(Euclidean, DistancesAreExactOnAnySpacing, (std::uint64_t seed)) {
  Sites s = random_sites(seed);
  const auto expected = by_brute_force(s);
  spread_squared_distances(s.grid.size, s.grid.spacing, s.map);
  for (std::size_t v = 0; v < expected.size(); ++v) RC_ASSERT(is_exact(s.map[v], expected[v]));
}

RC_GTEST_PROP(Euclidean, DistancesAreExactWhereTheyAreAskedFor, (std::uint64_t seed)) {
  Sites s = random_sites(seed);
  const auto expected = by_brute_force(s);
  random_case::Dice dice{seed + 1};
  const int rarity = dice.roll(1, 20);
  std::vector<std::uint8_t> requested;
  for (std::size_t v = 0; v < expected.size(); ++v) requested.push_back(dice.roll(1, rarity) == 1 ? 1 : 0);
  spread_squared_distances(s.grid.size, s.grid.spacing, s.map, requested);
  for (std::size_t v = 0; v < expected.size(); ++v)
    RC_ASSERT(requested[v] == 0 || is_exact(s.map[v], expected[v]));
}

TEST(Euclidean, DistancesStayExactOnLongLines) {
  for (const std::size_t axis : {0U, 1U, 2U}) {
    Grid grid{.size = {1, 1, 1}, .spacing = {0.3, 0.3, 0.3}};
    grid.size[axis] = 5000;
    std::vector<double> map(5000, kNowhere);
    map[17] = map[4000] = 0;
    spread_squared_distances(grid.size, grid.spacing, map);
    for (int i = 0; i < 5000; ++i) {
      const double mm = 0.3 * std::min(std::abs(i - 17), std::abs(i - 4000));
      ASSERT_DOUBLE_EQ(map[static_cast<std::size_t>(i)], mm * mm) << "axis " << axis << ", voxel " << i;
    }
  }
}

TEST(Euclidean, GivesTheSameBytesForAnyNumberOfThreads) {
  const Sites s = random_sites(20);
  std::vector<std::vector<double>> maps(2, s.map);
  for (const int threads : {1, 3})
    with_threads(threads, [&] {
      spread_squared_distances(s.grid.size, s.grid.spacing, maps[static_cast<std::size_t>(threads / 2)]);
    });
  EXPECT_EQ(maps[0], maps[1]);
}

TEST(Euclidean, RefusesAGridWhoseAxesAreNotAtRightAngles) {
  Grid grid{.size = {4, 4, 4}, .spacing = {1, 2, 3}};
  EXPECT_EQ(right_angled_spacing(grid), grid.spacing);
  const double c = std::cos(0.3), s = std::sin(0.3);
  grid.direction = {c, -s, 0, s, c, 0, 0, 0, -1};
  EXPECT_EQ(right_angled_spacing(grid), grid.spacing);
  grid.direction = {1, 0, 0.02, 0, 1, 0, 0, 0, 1};
  EXPECT_THROW(right_angled_spacing(grid), InputError);
  grid.size[2] = 1;
  EXPECT_EQ(right_angled_spacing(grid), grid.spacing) << "the third axis of a 2-D image measures nothing";
  grid.direction = {1, 0.02, 0, 0, 1, 0, 0, 0, 1};
  EXPECT_THROW(right_angled_spacing(grid), InputError);
}

}  // namespace
}  // namespace crema
