// SPDX-License-Identifier: Apache-2.0
#include "crema/agreement/surfaces/surfaces.h"

#include <cmath>
#include <limits>
#include <numeric>
#include <random>

#include <gtest/gtest.h>

#include "crema/agreement/surfaces/surface_map.h"
#include "crema/base/error.h"
#include "crema/base/parallel.h"
#include "crema/spatial/euclidean.h"
#include "test/agreement_testing.h"
#include "test/ascii.h"

namespace crema {
namespace {

using agreement_testing::Bytes;

bool in(const Grid& grid, const Bytes& mask, slow::Point p) {
  for (std::size_t a = 0; a < 3; ++a)
    if (p[a] < 0 || p[a] >= grid.size[a]) return false;
  return mask[static_cast<std::size_t>((p[2] * grid.size[1] + p[1]) * grid.size[0] + p[0])] != 0;
}

std::vector<slow::Point> plain_surface(const Grid& grid, const Bytes& mask) {
  std::vector<slow::Point> surface;
  for (std::size_t v = 0; v < mask.size(); ++v) {
    if (mask[v] == 0) continue;
    const slow::Point p = slow::point(grid, v);
    bool open = false;
    for (std::size_t a = 0; a < (grid.flat() ? 2U : 3U); ++a)
      for (const int step : {-1, 1}) {
        slow::Point q = p;
        q[a] += step;
        open = open || !in(grid, mask, q);
      }
    if (open) surface.push_back(p);
  }
  return surface;
}

std::vector<double> plain_distances(const Grid& grid, const std::vector<slow::Point>& from,
                                    const std::vector<slow::Point>& to) {
  std::vector<double> distances;
  for (const auto& p : from) {
    double least = INFINITY;
    for (const auto& q : to)
      least = std::min(least, std::hypot(grid.spacing[0] * (p[0] - q[0]), grid.spacing[1] * (p[1] - q[1]),
                                         grid.spacing[2] * (p[2] - q[2])));
    distances.push_back(least);
  }
  return distances;
}

/// As numpy.percentile has it.
double plain_percentile(std::vector<double> values, double share) {
  std::sort(values.begin(), values.end());
  const double place = share * static_cast<double>(values.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const std::size_t above = std::min(below + 1, values.size() - 1);
  return values[below] + (place - static_cast<double>(below)) * (values[above] - values[below]);
}

double mean(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

void expect_plain(const Grid& grid, const Bytes& a, const Bytes& b, const SurfaceDistances& found,
                  double tolerance) {
  const auto sa = plain_surface(grid, a), sb = plain_surface(grid, b);
  if (sa.empty() || sb.empty()) {
    const Undefined reason = sa.empty() && sb.empty() ? Undefined::both_empty
                             : sa.empty()             ? Undefined::first_empty
                                                      : Undefined::second_empty;
    for (const Measured& one :
         {found.hausdorff, found.hd95, found.hd95_pooled, found.assd, found.masd, found.nsd})
      ASSERT_EQ(one, Measured(reason));
    return;
  }
  const auto there = plain_distances(grid, sa, sb), back = plain_distances(grid, sb, sa);
  auto both = there;
  both.insert(both.end(), back.begin(), back.end());
  ASSERT_NEAR(*found.hausdorff, *std::max_element(both.begin(), both.end()), 1e-9);
  ASSERT_NEAR(*found.hd95, std::max(plain_percentile(there, 0.95), plain_percentile(back, 0.95)), 1e-9);
  ASSERT_NEAR(*found.hd95_pooled, plain_percentile(both, 0.95), 1e-9);
  ASSERT_NEAR(*found.assd, mean(both), 1e-9);
  ASSERT_NEAR(*found.masd, (mean(there) + mean(back)) / 2, 1e-9);
  const auto close = std::count_if(both.begin(), both.end(), [&](double d) { return d <= tolerance; });
  ASSERT_DOUBLE_EQ(*found.nsd, static_cast<double>(close) / static_cast<double>(both.size()));
}

TEST(Surfaces, AreWhatAPlainReadingFindsWhateverTheSpacing) {
  int empty = 0;
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    auto c = random_case::make(seed, 4);
    random_case::Dice dice{seed};
    for (double& spacing : c.grid.spacing) spacing = 0.25 * dice.roll(1, 12);
    std::vector<VoxelSet> sets;
    for (const auto& mask : c.masks) {
      sets.push_back(set_of_mask(c.grid, mask));
      const auto surface = surface_of(c.grid, sets.back());
      ASSERT_EQ(surface.voxels, std::ssize(plain_surface(c.grid, mask))) << seed;
      for (const auto& p : plain_surface(c.grid, mask)) {
        Bytes one(mask.size(), 0);
        one[static_cast<std::size_t>((p[2] * c.grid.size[1] + p[1]) * c.grid.size[0] + p[0])] = 1;
        ASSERT_EQ(count_common(surface, set_of_mask(c.grid, one)), 1) << seed;
      }
      empty += sets.back().voxels == 0 ? 1 : 0;
    }
    const double tolerance = 0.75 + 1e-3 * dice.roll(1, 9);
    const auto pairs = all_pairs(sets.size());
    const auto found = compare_surfaces(c.grid, sets, pairs, {.tolerance = tolerance});
    ASSERT_EQ(found.size(), pairs.size());
    for (std::size_t i = 0; i < pairs.size(); ++i)
      expect_plain(c.grid, c.masks[pairs[i].first], c.masks[pairs[i].second], found[i], tolerance);
  }
  EXPECT_GT(empty, 20);
}

TEST(Surfaces, OfTwoVoxelsAreAsFarApartAsTheirCentres) {
  const Grid grid{.size = {4, 4, 3}, .spacing = {1, 2, 5}};
  Bytes a(48, 0), b(48, 0);
  a[0] = 1;
  b[3 + 4 * 2 + 16 * 0] = 1;  // 3 mm and 4 mm away
  const std::vector<VoxelSet> sets{set_of_mask(grid, a), set_of_mask(grid, b)};
  const auto found = compare_surfaces(grid, sets, all_pairs(2), {.tolerance = 5}).front();
  for (const Measured& one : {found.hausdorff, found.hd95, found.hd95_pooled, found.assd, found.masd})
    EXPECT_DOUBLE_EQ(*one, 5);
  EXPECT_EQ(*found.nsd, 1);
  EXPECT_EQ(*compare_surfaces(grid, sets, all_pairs(2), {.tolerance = 4.99}).front().nsd, 0);
}

TEST(Surfaces, OfAFlatImageHaveNoVoxelInsideItsOutline) {
  const auto mask = ascii::mask({"#####", "#####", "#####"});
  EXPECT_EQ(surface_of({.size = {5, 3, 1}}, set_of_mask({.size = {5, 3, 1}}, mask)).voxels, 12);
}

TEST(Surfaces, PercentilesDifferWhereOneMaskAloneHasAFarPart) {
  Bytes line(20 * 12, 0);
  std::fill_n(line.begin(), 20, std::uint8_t{1});
  Bytes more = line;
  more[20 * 11] = more[20 * 11 + 2] = 1;  // 2 of its 22 surface voxels, but of 42 when both are pooled
  const Grid grid{.size = {20, 12, 1}};
  const std::vector<VoxelSet> sets{set_of_mask(grid, line), set_of_mask(grid, more)};
  const auto found = compare_surfaces(grid, sets, all_pairs(2)).front();
  EXPECT_EQ(*found.hausdorff, 11);
  EXPECT_DOUBLE_EQ(*found.hd95, 10.45);  // at place 0.95 · 21 = 19.95, between 0 and 11
  EXPECT_EQ(*found.hd95_pooled, 0);
  EXPECT_DOUBLE_EQ(*found.assd, 22.0 / 42);
  EXPECT_DOUBLE_EQ(*found.masd, 0.5);
}

TEST(Surfaces, CompareOnlyThePairsAskedFor) {
  const Grid grid{.size = {3, 1, 1}};
  const Bytes a{1, 0, 0}, b{0, 1, 0}, c{0, 0, 1};
  const std::vector<VoxelSet> sets{set_of_mask(grid, a), set_of_mask(grid, b), set_of_mask(grid, c)};
  const std::vector<SetPair> pairs{{2, 0}};
  const auto found = compare_surfaces(grid, sets, pairs);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(*found[0].hausdorff, 2);
}

TEST(Surfaces, StepsThatAddUpToTheToleranceLieWithinIt) {
  const Grid grid{.size = {4, 1, 1}, .spacing = {0.1, 1, 1}};
  const Bytes a{1, 0, 0, 0}, b{0, 0, 0, 1};
  const std::vector<VoxelSet> sets{set_of_mask(grid, a), set_of_mask(grid, b)};
  EXPECT_EQ(*compare_surfaces(grid, sets, all_pairs(2), {.tolerance = 0.3}).front().nsd, 1);
}

TEST(Surfaces, AreUndefinedOnASlantedGridAndRefuseAToleranceBelowZero) {
  Grid grid{.size = {2, 1, 1}};
  grid.direction = {1, 0.2, 0, 0, 1, 0, 0, 0, 1};
  const Bytes a{1, 0}, b{0, 1};
  const std::vector<VoxelSet> sets{set_of_mask(grid, a), set_of_mask(grid, b)};
  EXPECT_EQ(compare_surfaces(grid, sets, all_pairs(2)).front().hd95, Measured(Undefined::oblique));
  EXPECT_THROW(compare_surfaces(grid, sets, all_pairs(2), {.tolerance = -1}), UsageError);
  EXPECT_THROW(compare_surfaces(grid, sets, all_pairs(2), {.tolerance = NAN}), UsageError);
}

TEST(Surfaces, AreTheSameForAnyNumberOfThreads) {
  const auto c = random_case::make(11, 6, 7);
  std::vector<VoxelSet> sets;
  for (const auto& mask : c.masks) sets.push_back(set_of_mask(c.grid, mask));
  std::vector<SurfaceDistances> one, many;
  with_threads(1, [&] { one = compare_surfaces(c.grid, sets, all_pairs(sets.size())); });
  with_threads(4, [&] { many = compare_surfaces(c.grid, sets, all_pairs(sets.size())); });
  ASSERT_EQ(one.size(), many.size());
  for (std::size_t i = 0; i < one.size(); ++i) EXPECT_EQ(one[i].assd, many[i].assd);
}

TEST(Surfaces, DistancesAreTheSameWithoutRoomForAMap) {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const auto c = agreement_testing::make(seed, "jaccard");
    const Reduction& reduction = c.consensus.reduction;
    const auto sets = sets_of_raters(reduction);
    std::vector<Way> ways;
    for (std::size_t from = 0; from < sets.size(); ++from)
      for (std::size_t to = 0; to < sets.size(); ++to)
        if (from != to && (from + to + seed) % 3 != 0) ways.push_back({from, to});
    const auto distances_with = [&](const MemoryAccount* memory) {
      std::vector<std::vector<double>> found(ways.size());
      directed_distances(
          reduction.grid, {0.7, 1.3, 2.9}, sets, ways, memory,
          [&](std::size_t way, const std::vector<double>& distances) { found[way] = distances; });
      return found;
    };
    const MemoryAccount nothing(0);
    ASSERT_EQ(distances_with(&nothing), distances_with(nullptr)) << seed;
  }
}

TEST(Surfaces, OfTwoFarLesionsTakeNoMapOfWhatLiesBetween) {
  const Grid grid{.size = {2000, 2000, 2000}};  // a map of the box between them would take 72 GB
  const auto lesions = [&](std::int32_t length) {
    return make_set(grid, {{5, length}, {grid.voxels() - 10, length}});
  };
  const std::vector<VoxelSet> sets{lesions(3), lesions(5)};
  const auto found = compare_surfaces(grid, sets, all_pairs(2));
  EXPECT_EQ(found.front().hausdorff, Measured(2.0));
}

TEST(Surfaces, AreRefusedWhereTheirDistancesAreMoreThanIsAllowed) {
  const auto c = agreement_testing::make_of_several(5, "jaccard");
  const auto sets = sets_of_raters(c.consensus.reduction);
  MemoryAccount none(0);
  EXPECT_THROW(compare_surfaces(c.consensus.reduction.grid, sets, all_pairs(sets.size()), {.memory = &none}),
               ResourceError);
}

TEST(Surfaces, AreFoundWhereManySitesAreEquallyFar) {
  const Grid grid{.size = {81, 81, 81}};
  Bytes shell(81 * 81 * 81, 0), core = shell;
  for (std::size_t v = 0; v < shell.size(); ++v) {
    const auto p = slow::point(grid, v);
    const int d2 = (p[0] - 40) * (p[0] - 40) + (p[1] - 40) * (p[1] - 40) + (p[2] - 40) * (p[2] - 40);
    shell[v] = d2 > 36 * 36 ? 1 : 0;
    core[v] = d2 < 9 ? 1 : 0;
  }
  const std::vector<VoxelSet> sets{set_of_mask(grid, shell), set_of_mask(grid, core)};
  expect_plain(grid, shell, core, compare_surfaces(grid, sets, all_pairs(2)).front(), 1);
}

TEST(Surfaces, OfEqualSetsAreThoseOfOne) {
  const auto c = agreement_testing::make_of_several(5, "jaccard");
  auto sets = sets_of_raters(c.consensus.reduction);
  const Grid& grid = c.consensus.reduction.grid;
  const auto alone = compare_surfaces(grid, sets, all_pairs(sets.size()));
  const std::size_t n = sets.size();
  for (std::size_t i = 0; i < n; ++i) sets.push_back(sets[i]);
  const auto found =
      compare_surfaces(grid, sets, std::vector<SetPair>{{0, 1}, {0, n + 1}, {n, n + 1}, {n, 0}});
  for (std::size_t p = 0; p < 3; ++p) {
    EXPECT_EQ(found[p].hd95, alone.front().hd95);
    EXPECT_EQ(found[p].assd, alone.front().assd);
  }
  EXPECT_EQ(found[3].hausdorff, Measured(0.0));
}

TEST(Surfaces, OfManySetsAreThoseOfEachPairAlone) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const auto c = agreement_testing::make(seed, "jaccard");
    const Grid& grid = c.consensus.reduction.grid;
    std::vector<VoxelSet> sets = sets_of_raters(c.consensus.reduction);
    for (int i = 0; i < 8; ++i) {  // more than are looked for at once
      const VoxelSet& last = sets[sets.size() - 1 - static_cast<std::size_t>(i) % 3];
      std::vector<crema::Run> runs;
      for (std::size_t r = 0; r < last.runs.size(); ++r)
        if ((r + seed) % 5 != 0) runs.push_back(last.runs[r]);
      sets.push_back(make_set(grid, std::move(runs)));
    }
    const auto pairs = all_pairs(sets.size());
    const auto together = compare_surfaces(grid, sets, pairs);
    for (std::size_t p = 0; p < pairs.size(); ++p) {
      const std::vector<VoxelSet> two{sets[pairs[p].first], sets[pairs[p].second]};
      const auto alone = compare_surfaces(grid, two, all_pairs(2)).front();
      ASSERT_EQ(together[p].hausdorff, alone.hausdorff) << seed;
      ASSERT_EQ(together[p].hd95, alone.hd95) << seed;
      ASSERT_EQ(together[p].assd, alone.assd) << seed;
      ASSERT_EQ(together[p].nsd, alone.nsd) << seed;
    }
  }
}

}  // namespace
}  // namespace crema
