// SPDX-License-Identifier: Apache-2.0
#include "crema/image/canvas.h"

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <numeric>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <sys/resource.h>

namespace crema {
namespace {

TEST(Canvas, IsBlankUntilItIsPainted) {
  for (int again = 0; again < 3; ++again) {  // memory that was painted before is blank again, too
    Canvas<std::uint8_t> canvas(again == 2 ? 3'000'000 : 100'000);
    EXPECT_EQ(std::accumulate(canvas.begin(), canvas.end(), 0), 0);
    std::fill(canvas.begin(), canvas.end(), std::uint8_t{7});
  }
}

TEST(Canvas, HasAnyBackgroundUntilItIsPainted) {
  for (const std::size_t size : {1UL, 1000UL, 1'000'003UL, 70'000'000UL}) {
    Canvas<float> canvas(size, 0.3F);
    EXPECT_EQ(std::count(canvas.begin(), canvas.end(), 0.3F), std::ssize(canvas)) << size;
    canvas[size / 2] = 1;
    EXPECT_EQ(std::count(canvas.begin(), canvas.end(), 0.3F), std::ssize(canvas) - 1) << size;
    const Canvas<float> next(size, 0.7F);
    EXPECT_EQ(std::count(next.begin(), next.end(), 0.7F), std::ssize(next)) << size;
    const Canvas<std::uint8_t> bytes(size, 3);
    EXPECT_EQ(std::count(bytes.begin(), bytes.end(), 3), std::ssize(bytes)) << size;
  }
}

TEST(Canvas, BackgroundCostsNothing) {
  const auto resident = [] {
    std::ifstream file("/proc/self/statm");
    std::int64_t all = 0, pages = 0;
    file >> all >> pages;
    return pages;
  };
  const std::int64_t before = resident();
  Canvas<float> canvas(std::size_t{1} << 28, 0.3F);  // a gigabyte
  canvas[canvas.size() / 2] = 1;
  EXPECT_EQ(canvas[canvas.size() - 1], 0.3F);
  EXPECT_LT(resident() - before, 20'000);
}

TEST(Canvas, KnowsWhichBlocksWerePainted) {
  constexpr std::size_t kVoxels = PaintedBlocks::kBytes / sizeof(float);
  const auto painted = [](const Canvas<float>& canvas) {
    std::vector<std::size_t> blocks;
    for (std::size_t b = 0; b * kVoxels < canvas.size(); ++b)
      if (canvas.painted().is_painted(b)) blocks.push_back(b);
    return blocks;
  };
  using Blocks = std::vector<std::size_t>;
  Canvas<float> canvas(10 * kVoxels + 1, 0.3F);
  EXPECT_EQ(std::as_const(canvas)[kVoxels], 0.3F);
  EXPECT_EQ(painted(canvas), Blocks{});
  canvas[kVoxels - 1] = 1;
  EXPECT_EQ(canvas.paint(3 * kVoxels - 1, 2).size(), 2);
  EXPECT_TRUE(canvas.paint(5 * kVoxels, 0).empty());
  canvas[10 * kVoxels] = 2;
  EXPECT_EQ(painted(canvas), (Blocks{0, 2, 3, 10}));
  Canvas<float> moved = std::move(canvas);
  EXPECT_EQ(painted(moved), (Blocks{0, 2, 3, 10}));
  *moved.data() = 1;
  EXPECT_EQ(painted(moved), (Blocks{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10}));
  EXPECT_EQ(painted(Canvas<float>(moved)).size(), 11);
}

TEST(Canvas, WhatMayNotBeLaidOutIsFilled) {
  rlimit was{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &was), 0);
  const rlimit small{.rlim_cur = 1000, .rlim_max = was.rlim_max};
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
  const Canvas<float> canvas(1'000'003, 0.3F);
  EXPECT_EQ(::setrlimit(RLIMIT_FSIZE, &was), 0);
  EXPECT_EQ(std::count(canvas.begin(), canvas.end(), 0.3F), std::ssize(canvas));
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
