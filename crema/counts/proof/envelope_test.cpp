// SPDX-License-Identifier: Apache-2.0
#include "crema/counts/proof/envelope.h"

#include <array>
#include <variant>

#include <gtest/gtest.h>

#include "crema/counts/distance.h"

namespace crema {
namespace {

Curve curve_of(const Tversky& settings) {
  return Curve(std::get<Ratio>(formula_of(Distance::tversky.with(settings))));
}

const Curve kJaccardCurve(std::get<Ratio>(formula_of(Distance::jaccard))),
    kDiceCurve(std::get<Ratio>(formula_of(Distance::dice)));

/// Bent little and much, one way and the other.
const std::array kCurves{
    kJaccardCurve,        kDiceCurve,           curve_of({0.1, 0.3}), curve_of({0.5, 0.50001}),
    curve_of({0.7, 0.8}), curve_of({0.9, 0.7}), curve_of({3, 0.2}),   curve_of({5, 20})};

TEST(Envelope, LiesBelowItsCurveTouchesItsEndsAndIsConvex) {
  for (const Curve& curve : kCurves)
    for (int i = 0; i < 17; ++i)
      for (int j = i + 1; j <= 17; ++j) {
        const double low = curve.most() * i / 17, high = curve.most() * j / 17;
        const Envelope e(curve, low, high);
        EXPECT_NEAR(e.value(low), curve.value(low), 1e-14);
        EXPECT_NEAR(e.value(high), curve.value(high), 1e-14);
        const double h = (high - low) / 40;
        for (int k = 1; k < 40; ++k) {
          const double u = low + k * h;
          ASSERT_LE(e.value(u), curve.value(u) + 1e-14) << low << " " << high << " " << u;
          ASSERT_LE(2 * e.value(u), e.value(u - h) + e.value(u + h) + 1e-13)
              << low << " " << high << " " << u;
        }
      }
}

TEST(Envelope, OfTheWholeJaccardCurveLeavesItsLineAtOneThird) {
  const Envelope e(kJaccardCurve, 0, 0.5);
  EXPECT_NEAR(e.bend, 1.0 / 3, 1e-15);
  EXPECT_NEAR(e.line, -2.25, 1e-14);
}

TEST(Envelope, LeastIsTheMinimumOverTheRange) {
  for (const Curve& curve : kCurves)
    for (const double from : {0.0, 0.2, 0.5, 0.6})
      for (const double to : {0.62, 0.8, 1.0})
        for (int p = -18; p < 30; ++p) {
          const double low = from * curve.most(), high = to * curve.most(), price = p * 0.085 / curve.most();
          double grid = 1e9;
          for (int i = 0; i <= 4000; ++i) {
            const double u = low + (high - low) * i / 4000;
            grid = std::min(grid, curve.value(u) + price * u);
          }
          const double own = least(Envelope(curve, low, high), price);
          ASSERT_LE(own, grid + 1e-14);
          ASSERT_GE(own, grid - 1e-5);
        }
}

TEST(Envelope, SlopesAreDerivatives) {
  for (const Curve& curve : kCurves)
    for (int i = 1; i < 25; ++i) {
      const double u = curve.most() * i / 25, h = 2e-6 * curve.most();
      EXPECT_NEAR(curve.slope(u), (curve.value(u + h) - curve.value(u - h)) / (2 * h), 1e-7 / curve.most());
      EXPECT_NEAR(curve.curvature(u), (curve.slope(u + h) - curve.slope(u - h)) / (2 * h),
                  1e-6 / curve.most() / curve.most());
    }
}

}  // namespace
}  // namespace crema
