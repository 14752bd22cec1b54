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

using Place = std::array<std::int32_t, 3>;

void add(SiteRows& rows, std::size_t set, const Place& at, std::int32_t length) {
  rows.add(set, rows.none<1>().word_of(at), at[0] % 64, length);
}

/// The distance of one voxel to the sites of a set.
double look(const SiteRows& rows, const Place& at, std::size_t set = 0) {
  SiteRows::Rows requested = rows.none<kSurfacesAtOnce>();
  requested.add(set, requested.word_of(at), at[0] % 64, 1);
  SiteRows::Found found{};
  rows.look_from(requested, requested.word_of(at), found);
  return found[set][static_cast<std::size_t>(at[0] % 64)];
}

/// The same sites as bits and, squared, as what spreading makes of them.
struct Sites {
  Sites(const Place& size, const std::array<double, 3>& spacing)
      : rows(size, spacing),
        maps(kSurfacesAtOnce, std::vector<double>(place(size, 0, 0, size[2]), kNoSite)) {}
  SiteRows rows;
  std::vector<std::vector<double>> maps;
};

Sites draw(const Place& size, const std::array<double, 3>& spacing, std::mt19937& random) {
  const auto below = [&](std::int32_t n) {
    return static_cast<std::int32_t>(random() % static_cast<unsigned>(n));
  };
  Sites sites(size, spacing);
  for (std::size_t set = 0; set < kSurfacesAtOnce; ++set) {
    const std::int32_t count = 1 + below(20);
    for (std::int32_t n = 0; n < count; ++n) {
      const Place at{below(size[0]), below(size[1]), below(size[2])};
      const std::int32_t length = n % 3 == 0 ? 1 + below(size[0] - at[0]) : 1;
      add(sites.rows, set, at, length);
      std::fill_n(sites.maps[set].begin() + static_cast<std::ptrdiff_t>(place(size, at[0], at[1], at[2])),
                  length, 0.0);
    }
    spread_squared_distances(size, spacing, sites.maps[set]);
  }
  return sites;
}

TEST(SiteRows, AreToTheBitWhatSpreadingFindsHoweverWideTheRows) {
  int near = 0, far = 0;
  for (unsigned seed = 0; seed < 200; ++seed) {
    std::mt19937 random(seed);
    const auto below = [&](unsigned n) { return static_cast<std::int32_t>(random() % n); };
    const Place size{1 + below(seed % 2 == 0 ? 20 : 300), 1 + below(24), 1 + below(5)};
    // No two ways of different steps are equally long but for rounding.
    const Sites sites = draw(size, {0.73, 0.1 * (1 + below(20)), 0.137 * (1 + below(40))}, random);
    SiteRows::Rows requested = sites.rows.none<kSurfacesAtOnce>();
    for (std::int32_t row = 0; row < size[1] * size[2]; ++row)
      for (std::size_t set = 0; set < kSurfacesAtOnce; ++set)
        requested.add(set, requested.word_of({0, row % size[1], row / size[1]}), 0, size[0]);
    SiteRows::Found found{};
    for (std::int32_t z = 0; z < size[2]; ++z)
      for (std::int32_t y = 0; y < size[1]; ++y)
        for (std::int32_t x = 0; x < size[0]; ++x) {
          if (x % 64 == 0) sites.rows.look_from(requested, requested.word_of({x, y, z}), found);
          for (std::size_t set = 0; set < kSurfacesAtOnce; ++set) {
            const double mm = found[set][static_cast<std::size_t>(x % 64)];
            ++(mm < 0 ? far : near);
            ASSERT_TRUE(mm < 0 || mm == std::sqrt(sites.maps[set][place(size, x, y, z)]))
                << seed << ": " << x << ' ' << y << ' ' << z;
          }
        }
  }
  EXPECT_GT(near, 1000);
  EXPECT_GT(far, 1000);
}

TEST(SiteRows, GiveUpWhereSitesAreFar) {
  SiteRows rows({1, 60, 60}, {1, 1, 1});
  add(rows, 1, {0, 0, 0}, 1);
  EXPECT_EQ(look(rows, {0, 1, 2}, 1), std::sqrt(5.0));
  EXPECT_LT(look(rows, {0, 1, 2}, 0), 0);  // a site of another set
  EXPECT_LT(look(rows, {0, 59, 59}, 1), 0);
  rows.clear();
  EXPECT_LT(look(rows, {0, 1, 2}, 1), 0);
}

TEST(SiteRows, LookFarAlongTheFinerAxisBeforeTheCoarserOne) {
  SiteRows rows({1, 60, 3}, {1, 0.1, 3});
  add(rows, 0, {0, 20, 1}, 1);  // 1.5 mm along y
  add(rows, 0, {0, 5, 0}, 1);   // 3 mm along z
  const double found = look(rows, {0, 5, 1});
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
