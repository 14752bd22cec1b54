// SPDX-License-Identifier: Apache-2.0
#include "crema/counts/proof/envelope.h"

#include <array>

#include <gtest/gtest.h>

namespace crema {
namespace {

constexpr std::array kCurves{Curve::jaccard, Curve::dice};

TEST(Envelope, LiesBelowItsCurveTouchesItsEndsAndIsConvex) {
  for (const Curve curve : kCurves)
    for (double low = 0; low < 0.5; low += 0.03)
      for (double high = low + 0.01; high <= 0.5; high += 0.03) {
        const Envelope e(curve, low, high);
        EXPECT_NEAR(e.value(low), squared_distance(curve, low), 1e-14);
        EXPECT_NEAR(e.value(high), squared_distance(curve, high), 1e-14);
        const double h = (high - low) / 40;
        for (int i = 1; i < 40; ++i) {
          const double u = low + i * h;
          ASSERT_LE(e.value(u), squared_distance(curve, u) + 1e-14) << low << " " << high << " " << u;
          ASSERT_LE(2 * e.value(u), e.value(u - h) + e.value(u + h) + 1e-13)
              << low << " " << high << " " << u;
        }
      }
}

TEST(Envelope, OfTheWholeJaccardCurveLeavesItsLineAtOneThird) {
  const Envelope e(Curve::jaccard, 0, 0.5);
  EXPECT_NEAR(e.bend, 1.0 / 3, 1e-15);
  EXPECT_NEAR(e.line, -2.25, 1e-14);
}

TEST(Envelope, LeastIsTheMinimumOverTheRange) {
  for (const Curve curve : kCurves)
    for (const double low : {0.0, 0.1, 0.25, 0.3})
      for (const double high : {0.31, 0.4, 0.5})
        for (double price = -3; price < 5; price += 0.17) {
          double grid = 1e9;
          for (int i = 0; i <= 1000; ++i) {
            const double u = low + (high - low) * i / 1000;
            grid = std::min(grid, squared_distance(curve, u) + price * u);
          }
          const double own = least(Envelope(curve, low, high), price);
          ASSERT_LE(own, grid + 1e-14);
          ASSERT_GE(own, grid - 1e-5);
        }
}

TEST(Envelope, SlopesAreDerivatives) {
  for (const Curve curve : kCurves)
    for (double u = 0.01; u < 0.49; u += 0.02) {
      const double h = 1e-5;
      EXPECT_NEAR(slope(curve, u),
                  (squared_distance(curve, u + h) - squared_distance(curve, u - h)) / (2 * h), 1e-7);
      EXPECT_NEAR(curvature(curve, u), (slope(curve, u + h) - slope(curve, u - h)) / (2 * h), 1e-6);
    }
}

}  // namespace
}  // namespace crema
