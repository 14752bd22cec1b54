// SPDX-License-Identifier: Apache-2.0
#include "files/dicom/outlines/polygons.h"

#include <numeric>
#include <random>

#include <gtest/gtest.h>

namespace crema::files::dicom {
namespace {

constexpr std::int32_t kWide = 9, kHigh = 7;

std::vector<std::uint8_t> filled(const std::vector<Polygon>& polygons) {
  std::vector<std::uint8_t> slice(std::size_t{kWide} * kHigh, 0);
  for (const Polygon& polygon : polygons) invert_inside(polygon, kWide, kHigh, slice);
  return slice;
}

int count(const std::vector<std::uint8_t>& slice) { return std::accumulate(slice.begin(), slice.end(), 0); }

Polygon box(double left, double top, double right, double bottom) {
  return {{left, top}, {right, top}, {right, bottom}, {left, bottom}};
}

TEST(Polygons, ACentreOnALeftOrUpperSideIsInside) {
  const auto slice = filled({box(1, 1, 4, 3)});
  EXPECT_EQ(count(slice), 3 * 2);
  EXPECT_EQ(slice[kWide + 1], 1);
  EXPECT_EQ(slice[kWide + 4], 0);
  EXPECT_EQ(slice[3 * kWide + 1], 0);
}

TEST(Polygons, NeighboursShareNoPixelAndLeaveNone) {
  const Polygon left{{0.3, 0.2}, {5, 1}, {4, 6}, {0.5, 5.5}}, right{{5, 1}, {8, 0.5}, {8, 6}, {4, 6}};
  const Polygon both{{0.3, 0.2}, {5, 1}, {8, 0.5}, {8, 6}, {4, 6}, {0.5, 5.5}};
  EXPECT_EQ(filled({left, right}), filled({both}));
  EXPECT_EQ(count(filled({left})) + count(filled({right})), count(filled({both})));
}

TEST(Polygons, AHoleIsOutlinedASecondTimeOrReachedThroughAKeyhole) {
  const Polygon keyhole{{0, 0}, {7, 0}, {7, 6}, {0, 6}, {0, 2}, {2, 2},
                        {2, 4}, {5, 4}, {5, 2}, {2, 2}, {0, 2}};
  EXPECT_EQ(filled({box(0, 0, 7, 6), box(2, 2, 5, 4)}), filled({keyhole}));
  EXPECT_EQ(count(filled({keyhole})), 7 * 6 - 3 * 2);
}

TEST(Polygons, WhatLiesBeyondTheSliceIsCutOff) {
  EXPECT_EQ(count(filled({box(-1e9, -1e9, 1e9, 1e9)})), kWide * kHigh);
  EXPECT_EQ(count(filled({box(-5, 2, 3, 1e300)})), 3 * (kHigh - 2));
  EXPECT_EQ(count(filled({box(20, 20, 30, 30), Polygon{}, Polygon{{1, 1}}, Polygon{{1, 1}, {5, 5}}})), 0);
}

TEST(Polygons, InsideIsWhatAPlainCountOfCrossingsSays) {
  const unsigned seed = std::random_device{}();
  SCOPED_TRACE(seed);
  std::mt19937 random(seed);
  std::uniform_int_distribution<int> place(-4, 36);
  for (int turn = 0; turn < 200; ++turn) {
    Polygon polygon;
    for (int p = 0; p < 3 + turn % 6; ++p) polygon.push_back({place(random) / 4.0, place(random) / 4.0});
    const auto slice = filled({polygon});
    for (int y = 0; y < kHigh; ++y)
      for (int x = 0; x < kWide; ++x) {
        bool inside = false;
        for (std::size_t i = 0; i < polygon.size(); ++i) {
          const Point &p = polygon[i], &q = polygon[(i + 1) % polygon.size()];
          if ((p.y <= y) == (q.y <= y)) continue;
          // In sixteenths, so that no product is rounded: is the crossing at or to the left of the centre?
          const double side = (q.y - p.y) * (x - p.x) - (y - p.y) * (q.x - p.x);
          if (q.y > p.y ? side >= 0 : side <= 0) inside = !inside;
        }
        ASSERT_EQ(slice[static_cast<std::size_t>(y * kWide + x)], inside ? 1 : 0)
            << turn << " " << x << " " << y;
      }
  }
}

}  // namespace
}  // namespace crema::files::dicom
