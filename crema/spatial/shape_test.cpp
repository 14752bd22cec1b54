// SPDX-License-Identifier: Apache-2.0
#include "crema/spatial/shape.h"

#include <cmath>
#include <numeric>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "crema/base/error.h"
#include "crema/base/parallel.h"
#include "test/random_case.h"

namespace crema {
namespace {

using random_case::Case;

Votes shape_votes(const Case& c) { return take_votes(c.grid.voxels(), c.views()); }

Case stretched_case(std::uint64_t seed) {
  Case c = random_case::make(seed);
  random_case::Dice dice{~seed};
  for (double& mm : c.grid.spacing) mm = 0.1 * dice.roll(3, 60);
  return c;
}

/// D of every voxel, straight from its definition.
std::vector<double> mean_distances(const Case& c, const std::vector<double>& weights) {
  const auto& g = c.grid;
  const double deep = g.flat() ? 0 : g.size[2] * g.spacing[2];
  const double diagonal = std::hypot(g.size[0] * g.spacing[0], g.size[1] * g.spacing[1], deep);
  std::vector<double> mean(c.masks[0].size(), 0);
  for (std::size_t v = 0; v < mean.size(); ++v)
    for (std::size_t k = 0; k < c.masks.size(); ++k) {
      double nearest = diagonal;
      for (std::size_t w = 0; w < mean.size(); ++w) {
        const auto p = slow::point(g, v), q = slow::point(g, w);
        if ((c.masks[k][w] != 0) != (c.masks[k][v] != 0))
          nearest = std::min(nearest, std::hypot(g.spacing[0] * (p[0] - q[0]), g.spacing[1] * (p[1] - q[1]),
                                                 g.spacing[2] * (p[2] - q[2])));
      }
      mean[v] += weights[k] * (c.masks[k][v] != 0 ? -nearest : nearest);
    }
  const double all = std::accumulate(weights.begin(), weights.end(), 0.0);
  for (double& d : mean) d /= all;
  return mean;
}

RC_GTEST_PROP(Shape, TakesTheVoxelsWhoseMeanDistanceIsBelowZero, (std::uint64_t seed)) {
  const Case c = stretched_case(seed);
  random_case::Dice dice{seed + 7};
  std::vector<double> weights(c.masks.size());
  for (double& w : weights) w = dice.roll(1, 4);
  const auto mean = mean_distances(c, weights);
  const auto image = shape_average(c.grid, shape_votes(c), {.tie = c.setting.tie, .weights = weights});
  for (std::size_t v = 0; v < mean.size(); ++v) {
    const bool tied = std::abs(mean[v]) < 1e-10;
    RC_ASSERT((image[v] != 0) == (tied ? c.setting.tie == Tie::foreground : mean[v] < 0));
  }
}

RC_GTEST_PROP(Shape, LevelsFollowTheMeanDistance, (std::uint64_t seed)) {
  Case c = stretched_case(seed);
  c.masks[0][c.masks[0].size() / 2] = 1;
  const auto mean = mean_distances(c, std::vector<double>(c.masks.size(), 1));
  random_case::Dice dice{seed + 7};
  const double given = dice.roll(0, 1) == 0 ? 0 : 0.1 * dice.roll(1, 50);
  const auto levels = shape_levels(c.grid, shape_votes(c), {.softness = given});
  const double volume = c.grid.spacing[0] * c.grid.spacing[1] * c.grid.spacing[2];
  const double usual = c.grid.flat() ? std::sqrt(volume / c.grid.spacing[2]) : std::cbrt(volume);
  for (std::size_t v = 0; v < mean.size(); ++v) {
    const double expected = 1 / (1 + std::exp(mean[v] / (given > 0 ? given : usual)));
    RC_ASSERT(std::abs(levels[v] - expected) < 1e-7);
    RC_ASSERT(expected > 1e-7 || levels[v] < 1e-7F);
  }
}

TEST(Shape, LevelsFarFromTheUnionAreNothing) {
  Case c{.grid = {.size = {200, 3, 1}}, .masks = {std::vector<std::uint8_t>(600, 0)}, .setting = {}};
  c.masks[0][300] = 1;
  const auto levels = shape_levels(c.grid, shape_votes(c), {});
  EXPECT_GT(levels[300], 0.5F);
  EXPECT_GT(levels[317], 0.0F);
  EXPECT_EQ(levels[318], 0.0F);
  EXPECT_EQ(levels[399], 0.0F);
}

RC_GTEST_PROP(Shape, EqualMasksGiveThatMask, (std::uint64_t seed)) {
  Case c = stretched_case(seed);
  for (auto& mask : c.masks) mask = c.masks[0];
  for (auto& voxel : c.masks[0]) voxel = voxel != 0 ? 1 : 0;
  RC_ASSERT(shape_average(c.grid, shape_votes(c), {}) == c.masks[0]);
}

RC_GTEST_PROP(Shape, TheOrderOfRatersDoesNotMatter, (std::uint64_t seed)) {
  Case c = stretched_case(seed);
  const auto image = shape_average(c.grid, shape_votes(c), {});
  std::reverse(c.masks.begin(), c.masks.end());
  std::rotate(c.masks.begin(), c.masks.begin() + std::ssize(c.masks) / 2, c.masks.end());
  RC_ASSERT(shape_average(c.grid, shape_votes(c), {}) == image);
}

RC_GTEST_PROP(Shape, MirroringAnAxisMirrorsTheResult, (std::uint64_t seed)) {
  Case c = stretched_case(seed);
  const auto row = [&](auto& image, std::ptrdiff_t y) { return image.begin() + y * c.grid.size[0]; };
  auto mirror = [&](auto& image) {
    for (std::ptrdiff_t y = 0; y < c.grid.rows(); ++y) std::reverse(row(image, y), row(image, y + 1));
  };
  auto expected = shape_average(c.grid, shape_votes(c), {.tie = c.setting.tie});
  mirror(expected);
  for (auto& mask : c.masks) mirror(mask);
  RC_ASSERT(shape_average(c.grid, shape_votes(c), {.tie = c.setting.tie}) == expected);
}

RC_GTEST_PROP(Shape, ExchangingAxesExchangesTheResult, (std::uint64_t seed)) {
  Case c = stretched_case(seed);
  Case swapped = c;
  std::swap(swapped.grid.size[0], swapped.grid.size[1]);
  std::swap(swapped.grid.spacing[0], swapped.grid.spacing[1]);
  auto exchange = [&](const auto& from, auto& to) {
    for (std::size_t v = 0; v < from.size(); ++v) {
      const auto p = slow::point(c.grid, v);
      to[static_cast<std::size_t>(p[1] + c.grid.size[1] * (p[0] + c.grid.size[0] * p[2]))] = from[v];
    }
  };
  for (std::size_t k = 0; k < c.masks.size(); ++k) exchange(c.masks[k], swapped.masks[k]);
  const auto image = shape_average(c.grid, shape_votes(c), {});
  HardImage expected = image;
  exchange(image, expected);
  RC_ASSERT(shape_average(swapped.grid, shape_votes(swapped), {}) == expected);
}

/// Two raters draw a square, the third a wide band through it from edge to edge.
TEST(Shape, MeasuresInMillimetres) {
  Case c{.grid = {.size = {9, 9, 1}}, .masks = {}, .setting = {}};
  c.masks.assign(3, std::vector<std::uint8_t>(81, 0));
  for (const int x : {3, 4, 5})
    for (const int y : {3, 4, 5}) c.masks[0][static_cast<std::size_t>(x + 9 * y)] = 1;
  c.masks[1] = c.masks[0];
  for (const int x : {2, 3, 4, 5, 6})
    for (int y = 0; y < 9; ++y) c.masks[2][static_cast<std::size_t>(x + 9 * y)] = 1;
  // The voxel below the square: one row outside two masks, two columns inside the third.
  const std::size_t below = 4 + 9 * 6;
  c.grid.spacing = {1, 1, 1};  // 1 + 1 − 3 < 0
  EXPECT_EQ(shape_average(c.grid, shape_votes(c), {})[below], 1);
  c.grid.spacing = {1, 2, 1};  // 2 + 2 − 3 > 0
  EXPECT_EQ(shape_average(c.grid, shape_votes(c), {})[below], 0);
  c.grid.spacing = {1, 1.5, 1};  // 1.5 + 1.5 − 3 = 0
  EXPECT_EQ(shape_average(c.grid, shape_votes(c), {.tie = Tie::background})[below], 0);
  EXPECT_EQ(shape_average(c.grid, shape_votes(c), {.tie = Tie::foreground})[below], 1);
}

TEST(Shape, TakesMasksWithoutABoundary) {
  Case c{.grid = {.size = {4, 3, 2}}, .masks = {}, .setting = {}};
  c.masks.assign(3, std::vector<std::uint8_t>(24, 1));
  EXPECT_EQ(shape_average(c.grid, shape_votes(c), {}), HardImage(24, 1));
  c.masks[0].assign(24, 0);
  EXPECT_EQ(shape_average(c.grid, shape_votes(c), {}), HardImage(24, 1));
  c.masks[1].assign(24, 0);
  EXPECT_EQ(shape_average(c.grid, shape_votes(c), {}), HardImage(24, 0));
  c.masks[2].assign(24, 0);
  EXPECT_EQ(shape_average(c.grid, shape_votes(c), {.tie = Tie::foreground}), HardImage(24, 0));
  EXPECT_EQ(shape_levels(c.grid, shape_votes(c), {.softness = 100}), SoftImage(24, 0.0F));
}

TEST(Shape, GivesTheSameBytesForAnyNumberOfThreads) {
  const Case c = stretched_case(5);
  std::vector<SoftImage> images;
  for (const int threads : {1, 4})
    with_threads(threads, [&] { images.push_back(shape_levels(c.grid, shape_votes(c), {})); });
  EXPECT_EQ(images[0], images[1]);
}

TEST(Shape, RefusesWeightsThatDoNotFit) {
  const Votes votes(8, 2);
  const Grid grid{.size = {2, 2, 2}};
  EXPECT_THROW(shape_average(grid, votes, {.weights = {1}}), InputError);
  EXPECT_THROW(shape_average(grid, votes, {.weights = {1, -1}}), InputError);
  EXPECT_THROW(shape_average(grid, votes, {.weights = {0, 0}}), InputError);
  EXPECT_THROW(shape_levels(grid, votes, {.softness = -1}), InputError);
}

}  // namespace
}  // namespace crema
