// SPDX-License-Identifier: Apache-2.0
#include "crema/image/canvas.h"

#include <cstdint>
#include <numeric>
#include <vector>

#include <gtest/gtest.h>

namespace crema {
namespace {

TEST(Canvas, IsBlankUntilItIsPainted) {
  for (int again = 0; again < 3; ++again) {  // memory that was painted before is blank again, too
    Canvas<std::uint8_t> canvas(again == 2 ? 3'000'000 : 100'000);
    EXPECT_EQ(std::accumulate(canvas.begin(), canvas.end(), 0), 0);
    std::fill(canvas.begin(), canvas.end(), std::uint8_t{7});
  }
}

TEST(Canvas, ACopyIsPaintedOnItsOwn) {
  Canvas<float> one{0, 0.5F};
  Canvas<float> other = one;
  other[0] = 1;
  EXPECT_EQ(one, (Canvas<float>{0, 0.5F}));
  one = other;
  EXPECT_EQ(one, other);
  const Canvas<float> moved = std::move(other);
  EXPECT_EQ(moved, (std::vector<float>{1, 0.5F}));
}

TEST(Canvas, ComparesSizeAndValues) {
  EXPECT_NE((Canvas<std::uint8_t>{0, 1}), (Canvas<std::uint8_t>{0, 1, 0}));
  EXPECT_NE((Canvas<std::uint8_t>{0, 1}), (Canvas<std::uint8_t>{1, 1}));
  EXPECT_EQ(Canvas<std::uint8_t>(), Canvas<std::uint8_t>(0));
  EXPECT_TRUE(Canvas<std::uint8_t>().empty());
}

}  // namespace
}  // namespace crema
