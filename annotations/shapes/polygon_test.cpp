// SPDX-License-Identifier: Apache-2.0
#include "annotations/shapes/polygon.h"

#include <random>
#include <string>

#include <gtest/gtest.h>

#include "crema/base/error.h"

namespace crema::annotations {
namespace {

std::string drawn(const Patch& patch) {
  std::string text;
  for (std::int32_t y = 0; y < patch.box.height; ++y) {
    for (std::int32_t x = 0; x < patch.box.width; ++x) text += patch.row(y)[x] != 0 ? '#' : '.';
    text += '\n';
  }
  return text;
}

Patch blank(std::int32_t width, std::int32_t height) {
  return {0, 0, {width, height}, std::vector<std::uint8_t>(static_cast<std::size_t>(width * height), 0)};
}

/// Pixel by pixel: a ray to the left from each centre, counted by the sides that it crosses.
std::string plainly_filled(const std::vector<Point>& ring, Patch patch) {
  for (std::int32_t y = 0; y < patch.box.height; ++y)
    for (std::int32_t x = 0; x < patch.box.width; ++x) {
      const double cx = x + 0.5, cy = y + 0.5;
      int crossed = 0;
      for (std::size_t i = 0; i < ring.size(); ++i) {
        Point a = ring[i], b = ring[(i + 1) % ring.size()];
        if (a.y > b.y) std::swap(a, b);
        if (!(a.y <= cy && cy < b.y)) continue;
        if (a.x + (cy - a.y) * ((b.x - a.x) / (b.y - a.y)) <= cx) ++crossed;
      }
      patch.pixels[static_cast<std::size_t>(y * patch.box.width + x)] =
          static_cast<std::uint8_t>(crossed % 2);
    }
  return drawn(patch);
}

TEST(Polygon, ASquareOnPixelEdgesHasItsArea) {
  Patch patch = blank(5, 4);
  fill({{1, 1}, {4, 1}, {4, 3}, {1, 3}}, patch);
  EXPECT_EQ(drawn(patch), ".....\n.###.\n.###.\n.....\n");
}

TEST(Polygon, CentresOnTheLeftAndUpperSideBelongToTheRingThoseOnTheOthersDoNot) {
  Patch patch = blank(4, 4);
  fill({{0.5, 0.5}, {2.5, 0.5}, {2.5, 2.5}, {0.5, 2.5}}, patch);
  EXPECT_EQ(drawn(patch), "##..\n##..\n....\n....\n");
}

TEST(Polygon, WhatARingCrossesTwiceIsOutside) {
  Patch patch = blank(6, 6);
  fill({{0, 0}, {6, 0}, {6, 6}, {0, 6}, {0, 0}, {2, 2}, {4, 2}, {4, 4}, {2, 4}, {2, 2}}, patch);
  EXPECT_EQ(drawn(patch), "######\n######\n##..##\n##..##\n######\n######\n");
}

TEST(Polygon, PartsOutsideOfThePictureAreCutOff) {
  Patch patch = blank(3, 2);
  fill({{-10, -10}, {1.2, -10}, {1.2, 50}, {-10, 50}}, patch);
  EXPECT_EQ(drawn(patch), "#..\n#..\n");
}

TEST(Polygon, RandomRingsAreFilledAsPixelByPixel) {
  const unsigned seed = std::random_device{}();
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> place(-4, 20);
  std::uniform_int_distribution<int> half(-8, 40), points(3, 12), kind(0, 1);
  for (int round = 0; round < 500; ++round) {
    const bool halves = kind(random) == 1;  // sides and corners on centres
    std::vector<Point> ring(static_cast<std::size_t>(points(random)));
    for (Point& point : ring)
      point = halves ? Point{half(random) / 2.0, half(random) / 2.0} : Point{place(random), place(random)};
    Patch patch = blank(16, 13);
    fill(ring, patch);
    ASSERT_EQ(drawn(patch), plainly_filled(ring, blank(16, 13)));
  }
}

TEST(Polygon, ARingThatCrossesRowsWithoutEndIsRefused) {
  Patch patch{0, 0, {1, 500000}, std::vector<std::uint8_t>(500000, 0)};
  std::vector<Point> ring;
  for (int i = 0; i < 3000; ++i) ring.push_back({0.5, i % 2 == 0 ? 0.0 : 500000.0});
  EXPECT_THROW(fill(ring, patch), InputError);
}

}  // namespace
}  // namespace crema::annotations
