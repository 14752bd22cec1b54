// SPDX-License-Identifier: Apache-2.0
#include "annotations/shapes/outline.h"

#include <random>
#include <string_view>

#include <gtest/gtest.h>

namespace crema::annotations {
namespace {

Patch drawn(std::initializer_list<std::string_view> rows) {
  Patch mask{
      2, 3, {static_cast<std::int32_t>(rows.begin()->size()), static_cast<std::int32_t>(rows.size())}, {}};
  for (const std::string_view row : rows)
    for (const char sign : row) mask.pixels.push_back(sign == '#' ? 1 : 0);
  return mask;
}

/// What the rings hold together, each filled by itself.
Patch filled(const std::vector<std::vector<Point>>& rings, const Patch& like) {
  const Extent image{like.left + like.box.width + 1, like.top + like.box.height + 1};
  return cropped(rasterise(Polygons{rings}, image));
}

void expect_same(const Patch& mask) {
  const Patch wanted = cropped(mask), found = filled(outlines_of(mask), mask);
  ASSERT_EQ(found.pixels, wanted.pixels);
  ASSERT_TRUE(found.empty() || std::pair(found.left, found.top) == std::pair(wanted.left, wanted.top));
}

TEST(Outline, ASquareHasFourCorners) {
  const auto rings = outlines_of(drawn({"##", "##"}));
  ASSERT_EQ(rings.size(), 1);
  EXPECT_EQ(rings[0].size(), 4);
}

TEST(Outline, PartsHaveRingsOfTheirOwnAndHolesHaveNone) {
  const Patch mask = drawn({"#####..#", "#.#.#..#", "#####...", "#...#.##", "#####.##"});
  EXPECT_EQ(outlines_of(mask).size(), 3);
  expect_same(mask);
}

TEST(Outline, NestedHolesAndCornersThatTouchComeBack) {
  expect_same(drawn({"#######", "#.....#", "#.###.#", "#.#.#.#", "#.###.#", "#.....#", "#######"}));
  expect_same(drawn({"#.#.#", ".#.#.", "#.#.#"}));
  expect_same(drawn({"####", "#.##", "##.#", "####"}));
  EXPECT_TRUE(outlines_of({}).empty());
}

TEST(Outline, RandomMasksComeBackToThePixel) {
  const unsigned seed = std::random_device{}();
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  std::mt19937 random(seed);
  std::uniform_int_distribution<int> side(1, 24);
  for (int round = 0; round < 500; ++round) {
    std::bernoulli_distribution inside(std::uniform_real_distribution<double>(0.1, 0.95)(random));
    Patch mask{side(random), side(random), {side(random), side(random)}, {}};
    for (std::int64_t i = 0; i < mask.box.pixels(); ++i) mask.pixels.push_back(inside(random) ? 1 : 0);
    expect_same(mask);
  }
}

}  // namespace
}  // namespace crema::annotations
