// SPDX-License-Identifier: Apache-2.0
#include "crema/levels/products.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "crema/levels/sparse.h"
#include "test/random_case.h"

namespace crema {
namespace {

/// Voxel by voxel, from the words of the header.
std::vector<double> plain_sums(const WeightedLevels& raters, std::int64_t begin, std::int64_t end) {
  const std::size_t n = raters.count();
  std::vector<double> sums(product_sums(n), 0);
  for (std::int64_t v = begin; v < end; ++v) {
    double weighted = 0;
    for (std::size_t k = 0; k < n; ++k)
      weighted += raters.weight[k] * static_cast<double>(raters.level[k][v]);
    const bool open = weighted < 1;
    for (std::size_t j = 0, pair = 0; j < n; ++j) {
      const auto own = static_cast<double>(raters.level[j][v]);
      for (std::size_t k = 0; k <= j; ++k, ++pair)
        if (open) sums[pair] += own * static_cast<double>(raters.level[k][v]);
      if (!open) sums[n * (n + 1) / 2 + j] += own;
    }
    if (!open) ++sums.back();
  }
  return sums;
}

TEST(Products, AreThoseOfAPlainLoopWhateverTheLength) {
  random_case::Dice dice{5};
  for (const std::int64_t length : {1, 7, 128, 129, 1000}) {
    std::vector<std::vector<float>> maps(4, std::vector<float>(static_cast<std::size_t>(length) + 3));
    WeightedLevels raters;
    for (std::vector<float>& map : maps) {
      for (float& level : map) level = static_cast<float>(dice.roll(0, 100)) / 100;
      raters.level.push_back(map.data());
      raters.weight.push_back(0.4);
    }
    const std::vector<double> wanted = plain_sums(raters, 3, length + 3);
    std::vector<double> sums(wanted.size(), -1), levels(static_cast<std::size_t>(length), -1);
    add_products(raters, 3, length + 3, sums);
    for (std::size_t s = 0; s < sums.size(); ++s) EXPECT_NEAR(sums[s], wanted[s], 1e-9) << length << ' ' << s;
    sum_weighted(raters, 3, length + 3, levels.data());
    std::int64_t clipped = 0;
    for (const double level : levels) clipped += level < 1 ? 0 : 1;
    EXPECT_EQ(static_cast<double>(clipped), sums.back());
  }
}

TEST(ContentOf, TellsWhatIsBelow0AboveOneOrNoNumberWhereverItStands) {
  using Limits = std::numeric_limits<float>;
  std::vector<float> part;
  for (int i = 0; i < 300; ++i) part.push_back(static_cast<float>(i % 101) / 100);
  part.insert(part.end(), {0, 1, Limits::denorm_min(), std::nextafter(1.0F, 0.0F)});
  ASSERT_EQ(content_of(part, 0.05), Content::levels);
  for (const float strange :
       {-0.0F, -Limits::denorm_min(), -1.0F, Limits::lowest(), std::nextafter(1.0F, 2.0F), 2.0F,
        Limits::max(), Limits::infinity(), -Limits::infinity(), Limits::quiet_NaN(), -Limits::quiet_NaN()})
    for (const std::size_t at : {std::size_t{0}, std::size_t{77}, part.size() - 1}) {
      std::vector<float> broken = part;
      broken[at] = strange;
      EXPECT_EQ(content_of(broken, 0.05), Content::other) << strange << " at " << at;
    }
}

TEST(ContentOf, TellsWhetherAnyLevelReachesTheFloor) {
  for (const float floor : {0.05F, 0.5F, 1.0F}) {
    std::vector<float> part(300, std::nextafter(floor, 0.0F));
    EXPECT_EQ(content_of(part, double{floor}), Content::nothing);
    for (const std::size_t at : {std::size_t{0}, std::size_t{77}, part.size() - 1}) {
      std::vector<float> other = part;
      other[at] = floor;
      EXPECT_EQ(content_of(other, double{floor}), Content::levels);
    }
  }
  const float least = std::numeric_limits<float>::denorm_min();
  EXPECT_EQ(content_of(std::vector<float>(9, 0), 0), Content::nothing);
  EXPECT_EQ(content_of(std::vector<float>(9, least), 0), Content::levels);
  EXPECT_EQ(content_of({}, 0.05), Content::nothing);
}

}  // namespace
}  // namespace crema
