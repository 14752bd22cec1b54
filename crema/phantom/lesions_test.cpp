// SPDX-License-Identifier: Apache-2.0
#include "crema/phantom/lesions.h"

#include <cmath>

#include <gtest/gtest.h>

namespace crema::phantom {
namespace {

double gap(const Lesion& a, const Lesion& b) {
  Vector d{};
  double square = 0;
  for (std::size_t k = 0; k < 3; ++k) {
    d[k] = b.blob.centre[k] - a.blob.centre[k];
    square += d[k] * d[k];
  }
  const double length = std::sqrt(square);
  for (double& v : d) v /= length;
  return length - surface_along(a.blob, d) - surface_along(b.blob, d);
}

TEST(Lesions, AreAHundredInTheFullPhantomAndNeverFewerThanThree) {
  EXPECT_EQ(lesion_count({200, 370, 370}), 100);
  EXPECT_EQ(lesion_count({8, 8, 1}), 3);
  EXPECT_LT(lesion_count({64, 96, 96}), 20);
  EXPECT_GT(lesion_count({64, 96, 96}), 10);
}

TEST(Lesions, ComeLargestFirstOverThreeDecades) {
  const auto lesions = place_lesions({200, 370, 370}, 100, 1);
  ASSERT_EQ(lesions.size(), 100U);
  for (std::size_t i = 1; i < lesions.size(); ++i) EXPECT_LT(lesions[i].radius, lesions[i - 1].radius);
  const double ratio = lesions.front().radius / lesions.back().radius;
  EXPECT_GT(ratio * ratio * ratio, 600);
}

TEST(Lesions, KeepApartExceptOneInTen) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const auto lesions = place_lesions({200, 370, 370}, 100, seed);
    int touching = 0;
    for (std::size_t i = 1; i < lesions.size(); ++i) {
      bool close = false;
      for (std::size_t j = 0; j < i; ++j) close = close || gap(lesions[i], lesions[j]) < 2;
      EXPECT_TRUE(close || i % 10 != 9) << "seed " << seed << ", lesion " << i;
      touching += close ? 1 : 0;
    }
    EXPECT_LE(touching, 14) << "seed " << seed;
  }
}

TEST(Lesions, LieInsideTheGridHoweverCrowded) {
  for (const std::array<std::int32_t, 3> size :
       {std::array{8, 8, 1}, std::array{16, 9, 3}, std::array{40, 40, 40}})
    for (const Lesion& lesion : place_lesions(size, 500, 3))
      for (std::size_t a = 0; a < 3; ++a) {
        EXPECT_GE(lesion.blob.centre[a], 0);
        EXPECT_LE(lesion.blob.centre[a], size[a] - 1);
      }
}

}  // namespace
}  // namespace crema::phantom
