// SPDX-License-Identifier: Apache-2.0
#include "crema/agreement/surfaces/site_rows.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include <gtest/gtest.h>

#include "crema/agreement/surfaces/distance_counts.h"
#include "crema/spatial/euclidean.h"

namespace crema {
namespace {

constexpr double kNoSite = std::numeric_limits<double>::infinity();

std::size_t place(const std::array<std::int32_t, 3>& size, std::int32_t x, std::int32_t y, std::int32_t z) {
  return static_cast<std::size_t>((std::int64_t{z} * size[1] + y) * size[0] + x);
}

/// The distance of one voxel.
double look(const SiteRows& rows, std::int32_t x, std::int64_t row) {
  BitRows requested = rows.none();
  requested.add(x, row, 1);
  double found = kNoSite;
  rows.look_from(requested, requested.word_of(x, row), &found);
  return found;
}

TEST(SiteRows, AreToTheBitWhatSpreadingFindsHoweverWideTheRows) {
  int near = 0, far = 0;
  for (unsigned seed = 0; seed < 200; ++seed) {
    std::mt19937 random(seed);
    const auto below = [&](unsigned n) { return static_cast<std::int32_t>(random() % n); };
    const std::array<std::int32_t, 3> size{1 + below(seed % 2 == 0 ? 20 : 300), 1 + below(24), 1 + below(5)};
    const std::array<double, 3> spacing{0.7, 0.1 * (1 + below(20)), 0.1 * (1 + below(40))};
    SiteRows rows(size, spacing);
    std::vector<double> map(place(size, 0, 0, size[2]), kNoSite);
    for (std::int32_t n = 0; n <= below(20); ++n) {
      const std::int32_t x = below(static_cast<unsigned>(size[0])), y = below(static_cast<unsigned>(size[1])),
                         z = below(static_cast<unsigned>(size[2]));
      const std::int32_t length = 1 + below(static_cast<unsigned>(size[0] - x));
      rows.add(x, std::int64_t{z} * size[1] + y, n % 3 == 0 ? length : 1);
      std::fill_n(map.begin() + static_cast<std::ptrdiff_t>(place(size, x, y, z)), n % 3 == 0 ? length : 1,
                  0.0);
    }
    spread_squared_distances(size, spacing, map);
    BitRows requested = rows.none();
    for (std::int64_t row = 0; row < std::int64_t{size[1]} * size[2]; ++row) requested.add(0, row, size[0]);
    std::array<double, 64> found{};
    for (std::int32_t z = 0; z < size[2]; ++z)
      for (std::int32_t y = 0; y < size[1]; ++y)
        for (std::int32_t x = 0; x < size[0]; ++x) {
          if (x % 64 == 0)
            rows.look_from(requested, requested.word_of(x, std::int64_t{z} * size[1] + y), found.data());
          const double mm = found[static_cast<std::size_t>(x % 64)];
          ++(mm < 0 ? far : near);
          ASSERT_TRUE(mm < 0 || mm == std::sqrt(map[place(size, x, y, z)]))
              << seed << ": " << x << ' ' << y << ' ' << z;
        }
  }
  EXPECT_GT(near, 1000);
  EXPECT_GT(far, 1000);
}

TEST(SiteRows, GiveUpWhereSitesAreFar) {
  SiteRows rows({1, 60, 60}, {1, 1, 1});
  rows.add(0, 0, 1);
  EXPECT_EQ(look(rows, 0, 2 * 60 + 1), std::sqrt(5.0));
  EXPECT_LT(look(rows, 0, 59 * 60 + 59), 0);
  rows.clear();
  EXPECT_LT(look(rows, 0, 2 * 60 + 1), 0);
}

TEST(SiteRows, LookFarAlongTheFinerAxisBeforeTheCoarserOne) {
  const std::array<std::int32_t, 3> size{1, 60, 3};
  SiteRows rows(size, {1, 0.1, 3});
  rows.add(0, 60 + 20, 1);  // 1.5 mm along y
  rows.add(0, 5, 1);        // 3 mm along z
  const double found = look(rows, 0, 60 + 5);
  EXPECT_TRUE(found < 0 || std::abs(found - 1.5) < 1e-12) << found;
}

TEST(DistanceCounts, KeepEveryDistanceAndHowOftenItOccurs) {
  std::mt19937 random(3);
  std::vector<double> distances;
  for (int i = 0; i < 3000; ++i) distances.push_back(std::sqrt(static_cast<double>(random() % 700)));
  const DistanceCounts counts = count_distances(distances);
  double sum = 0;
  for (const double distance : distances) sum += distance;
  EXPECT_EQ(counts.sum, sum);
  EXPECT_EQ(counts.count, 3000);
  std::sort(distances.begin(), distances.end());
  std::vector<double> again;
  for (const auto& [distance, times] : counts.distances)
    again.insert(again.end(), static_cast<std::size_t>(times), distance);
  EXPECT_EQ(again, distances);
  EXPECT_EQ(counts.within(distances[1000]),
            std::upper_bound(distances.begin(), distances.end(), distances[1000]) - distances.begin());
  EXPECT_EQ(counts.percentile(0), distances.front());
  EXPECT_EQ(counts.percentile(1), distances.back());
}

}  // namespace
}  // namespace crema
