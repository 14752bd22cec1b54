// SPDX-License-Identifier: Apache-2.0
#include "figure/contour.h"

#include <algorithm>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace crema::plot {
namespace {

/// A mask drawn as text; '#' is inside.
Plane<std::uint8_t> mask_of(const std::vector<std::string>& rows) {
  Plane<std::uint8_t> mask(static_cast<int>(rows.front().size()), static_cast<int>(rows.size()));
  for (int y = 0; y < mask.height; ++y)
    for (int x = 0; x < mask.width; ++x)
      mask.at(x, y) = rows[static_cast<std::size_t>(y)][static_cast<std::size_t>(x)] == '#' ? 1 : 0;
  return mask;
}

/// Positive where it goes clockwise on paper.
double area(const std::vector<svg::Point>& points) {
  double twice = 0;
  for (std::size_t n = 0; n < points.size(); ++n) {
    const svg::Point &a = points[n], &b = points[(n + 1) % points.size()];
    twice += a.x * b.y - b.x * a.y;
  }
  return twice / 2;
}

double area(const std::vector<Loop>& loops, const Drawing& drawing) {
  double sum = 0;
  for (const Loop& loop : loops) sum += area(drawn(loop, drawing));
  return sum;
}

TEST(Contour, OfOneCellIsItsFourCorners) {
  const auto loops = trace_contours(mask_of({"...", ".#."}));
  ASSERT_EQ(loops.size(), 1U);
  EXPECT_EQ(loops[0], (Loop{{2, 1}, {2, 2}, {1, 2}, {1, 1}}));
}

TEST(Contour, HasCornersOnlyWhereItTurns) {
  const auto loops = trace_contours(mask_of({"####", "#..."}));
  ASSERT_EQ(loops.size(), 1U);
  EXPECT_EQ(loops[0], (Loop{{4, 0}, {4, 1}, {1, 1}, {1, 2}, {0, 2}, {0, 0}}));
}

TEST(Contour, OfCellsThatTouchAtACornerAreTwo) {
  EXPECT_EQ(trace_contours(mask_of({"#.", ".#"})).size(), 2U);
  EXPECT_EQ(trace_contours(mask_of({".#", "#."})).size(), 2U);
}

TEST(Contour, OfAHoleGoesTheOtherWay) {
  const auto loops = trace_contours(mask_of({"###", "#.#", "###"}));
  ASSERT_EQ(loops.size(), 2U);
  EXPECT_EQ(area({loops[0]}, {}), 9);
  EXPECT_EQ(area({loops[1]}, {}), -1);
}

TEST(Contour, OfTwoHolesThatTouchComesByItsStart) {
  const auto mask = mask_of({"#####", "##..#", "#.#.#", "#####"});
  const auto loops = trace_contours(mask);
  EXPECT_EQ(area(loops, {}), 16);
  EXPECT_EQ(area({loops[1]}, {}), -4);
}

TEST(Contour, OfNothingIsNothing) {
  EXPECT_TRUE(trace_contours(mask_of({"..."})).empty());
  EXPECT_EQ(path_data({}, {}), "");
}

RC_GTEST_PROP(Contour, EnclosesExactlyItsCells, (std::uint64_t seed)) {
  Plane<std::uint8_t> mask(1 + static_cast<int>(seed % 9), 1 + static_cast<int>(seed / 9 % 9));
  std::uint64_t state = seed | 1;
  int cells = 0;
  for (auto& value : mask.values) {
    state = state * 6364136223846793005U + 1442695040888963407U;
    value = static_cast<std::uint8_t>(state >> 62 != 0 ? 1 : 0);
    cells += value;
  }
  const auto loops = trace_contours(mask);
  RC_ASSERT(area(loops, {}) == cells);
  // Every corner lies between something inside and something outside.
  const auto inside = [&](int x, int y) { return mask.holds(x, y) && mask.at(x, y) != 0; };
  for (const Loop& loop : loops)
    for (const Corner& c : loop) {
      const int around =
          inside(c.x - 1, c.y - 1) + inside(c.x, c.y - 1) + inside(c.x - 1, c.y) + inside(c.x, c.y);
      RC_ASSERT(around >= 1 && around <= 3);
    }
}

TEST(Contour, IsMovedInwardsByTheInset) {
  const auto outer = trace_contours(mask_of({"##", "##"}));
  const Drawing drawing{.origin = {100, 50}, .cell_width = 10, .cell_height = 20, .inset = 2};
  EXPECT_EQ(area(outer, drawing), 16 * 36);
  const auto points = drawn(outer[0], drawing);
  EXPECT_EQ(points.back().x, 102);
  EXPECT_EQ(points.back().y, 52);
  const auto ring = trace_contours(mask_of({"###", "#.#", "###"}));
  EXPECT_EQ(area({ring[1]}, {.cell_width = 10, .cell_height = 10, .inset = 1}), -12 * 12);
}

TEST(Contour, ItsPathIsWrittenWithRowsAndColumns) {
  EXPECT_EQ(path_data(trace_contours(mask_of({"#"})), {.cell_width = 3, .cell_height = 2}), "M3 0V2H0V0z");
}

TEST(Lanes, KeepAllRatersApartAndNearTheirContour) {
  for (int raters = 1; raters <= 64; ++raters)
    for (const double cell : {2.0, 5.0, 9.0, 18.0, 44.0}) {
      const Lanes lanes = lanes_for(raters, cell);
      ASSERT_EQ(lanes.insets.size(), static_cast<std::size_t>(raters));
      for (std::size_t k = 0; k < lanes.insets.size(); ++k) {
        EXPECT_LE(std::abs(lanes.insets[k]), std::max(0.45 * cell, lanes.consensus_width / 2))
            << raters << " " << cell;
        for (std::size_t j = 0; j < k; ++j)
          EXPECT_TRUE(lanes.insets[j] != lanes.insets[k] || cell < 3) << raters << " " << cell;
      }
    }
}

TEST(Lanes, DoNotOverlapWhereVoxelsAreLarge) {
  const Lanes lanes = lanes_for(5, 18);
  std::vector<double> insets = lanes.insets;
  std::sort(insets.begin(), insets.end());
  EXPECT_GT(insets.front(), 0) << "all lie inside";
  EXPECT_GE(insets.front() - lanes.rater_width / 2, lanes.consensus_width / 2);
  for (std::size_t k = 1; k < insets.size(); ++k) EXPECT_GE(insets[k] - insets[k - 1], lanes.rater_width);
}

}  // namespace
}  // namespace crema::plot
