// SPDX-License-Identifier: Apache-2.0
#include "crema/spatial/ising.h"

#include <bit>
#include <chrono>
#include <cmath>
#include <iostream>
#include <limits>
#include <map>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "crema/base/error.h"
#include "test/random_case.h"

namespace crema {
namespace {

using random_case::Case;
using random_case::Dice;
using Odds = std::map<Raters, double>;

constexpr double kInfinite = std::numeric_limits<double>::infinity();

std::vector<Raters> sets_of(const Case& c) {
  std::vector<Raters> sets(c.masks[0].size(), 0);
  for (std::size_t k = 0; k < c.masks.size(); ++k)
    for (std::size_t v = 0; v < sets.size(); ++v)
      if (c.masks[k][v] != 0) sets[v] |= Raters{1} << k;
  return sets;
}

HardImage solve(const Case& c, const Odds& odds, double beta, Tie tie) {
  const auto votes = take_votes(c.grid.voxels(), c.views());
  return ising_map(
      c.grid, votes, [&](Raters g) { return odds.at(g); },
      make_neighbourhood(c.grid, c.setting.connectivity, c.setting.slice_wise), beta, tie);
}

std::vector<std::pair<std::size_t, std::size_t>> neighbours(const Case& c) {
  std::vector<std::pair<std::size_t, std::size_t>> pairs;
  for (std::size_t v = 0; v < c.masks[0].size(); ++v)
    for (std::size_t w = 0; w < v; ++w)
      if (slow::steps(slow::point(c.grid, v), slow::point(c.grid, w), c.setting) == 1)
        pairs.emplace_back(v, w);
  return pairs;
}

/// Voxels of small cases, noise of few raters, log odds that are whole multiples of a quarter.
Case small_case(Dice& dice) {
  Case c;
  constexpr std::array<std::array<int, 3>, 5> sizes{{{4, 4, 1}, {3, 2, 2}, {5, 3, 1}, {2, 2, 4}, {12, 1, 1}}};
  const auto& size = sizes[static_cast<std::size_t>(dice.roll(0, 4))];
  c.grid.size = {size[0], size[1], size[2]};
  c.masks.assign(3, std::vector<std::uint8_t>(static_cast<std::size_t>(c.grid.voxels()), 0));
  for (auto& mask : c.masks)
    for (auto& voxel : mask) voxel = static_cast<std::uint8_t>(dice.roll(0, 1));
  constexpr std::array planar{4, 8}, solid{6, 26};
  c.setting.connectivity = (c.grid.flat() ? planar : solid)[static_cast<std::size_t>(dice.roll(0, 1))];
  return c;
}

Odds quarter_odds(Dice& dice, int farthest) {
  Odds odds;
  for (Raters g = 0; g < 8; ++g) odds[g] = 0.25 * dice.roll(-farthest, farthest);
  return odds;
}

/// The smallest and the largest of the best labellings, by trying all. Quarters are exact, hence so are ties.
struct Best {
  std::uint32_t smallest, largest;
};

Best by_trying_all(const Case& c, const Odds& odds, double beta) {
  const auto sets = sets_of(c);
  const auto pairs = neighbours(c);
  double most = -kInfinite;
  Best best{};
  for (std::uint32_t t = 0; t < (1U << sets.size()); ++t) {
    double gain = 0;
    for (std::size_t v = 0; v < sets.size(); ++v)
      if ((t >> v & 1U) != 0) gain += odds.at(sets[v]);
    for (const auto& [v, w] : pairs)
      if ((t >> v & 1U) == (t >> w & 1U)) gain += beta;
    if (gain > most) best = {t, t};
    if (gain == most) best = {best.smallest & t, best.largest | t};
    most = std::max(most, gain);
  }
  return best;
}

HardImage unpacked(std::uint32_t bits, std::size_t voxels) {
  HardImage image(voxels);
  for (std::size_t v = 0; v < voxels; ++v) image[v] = bits >> v & 1U;
  return image;
}

RC_GTEST_PROP(Ising, IsTheBestOfAllLabellingsWithTiesSettled, (std::uint64_t seed)) {
  Dice dice{seed};
  const Case c = small_case(dice);
  const Odds odds = quarter_odds(dice, dice.roll(1, 24));
  const double beta = 0.25 * dice.roll(1, 6);
  const Best best = by_trying_all(c, odds, beta);
  RC_CLASSIFY(best.smallest != best.largest, "tied");
  RC_ASSERT(solve(c, odds, beta, Tie::background) == unpacked(best.smallest, c.masks[0].size()));
  RC_ASSERT(solve(c, odds, beta, Tie::foreground) == unpacked(best.largest, c.masks[0].size()));
}

RC_GTEST_PROP(Ising, WithoutAPriorEachVoxelDecidesForItself, (std::uint64_t seed)) {
  Dice dice{seed};
  const Case c = small_case(dice);
  const Odds odds = quarter_odds(dice, 2);
  const auto sets = sets_of(c);
  for (const Tie tie : {Tie::background, Tie::foreground}) {
    const auto image = solve(c, odds, 0, tie);
    for (std::size_t v = 0; v < sets.size(); ++v) {
      const double own = odds.at(sets[v]);
      RC_ASSERT(image[v] == (own > 0 || (own == 0 && tie == Tie::foreground) ? 1 : 0));
    }
  }
}

/// A blob of radius r with noise on it, drawn by five raters, none of whom can be relied on.
Case noisy_ball(std::array<std::int32_t, 3> size, double radius, int percent) {
  Case c{.grid = {.size = size}, .masks = {}, .setting = {.connectivity = size[2] == 1 ? 8 : 26}};
  c.masks.assign(5, std::vector<std::uint8_t>(static_cast<std::size_t>(c.grid.voxels()), 0));
  Dice dice{99};
  for (auto& mask : c.masks)
    for (std::size_t v = 0; v < mask.size(); ++v) {
      const auto p = slow::point(c.grid, v);
      const double r = std::hypot(p[0] - size[0] / 2, p[1] - size[1] / 2, p[2] - size[2] / 2);
      mask[v] = (r < radius) != (dice.roll(1, 100) <= percent) ? 1 : 0;
    }
  return c;
}

Odds voting_odds(double per_vote) {
  Odds odds;
  for (Raters g = 0; g < 32; ++g) odds[g] = per_vote * (2 * std::popcount(g) - 5);
  return odds;
}

TEST(Ising, AStrongerPriorNeverLengthensTheBoundary) {
  const Case c = noisy_ball({24, 22, 1}, 7, 35);
  const auto pairs = neighbours(c);
  std::size_t before = pairs.size();
  for (const double beta : {0.0, 0.05, 0.1, 0.2, 0.4, 0.8, 1.6}) {
    const auto image = solve(c, voting_odds(0.6), beta, Tie::background);
    std::size_t length = 0;
    for (const auto& [v, w] : pairs) length += image[v] != image[w] ? 1U : 0U;
    EXPECT_LE(length, before) << "beta " << beta;
    before = length;
  }
  EXPECT_LT(before, 120U) << "a disc of radius 7, or nothing";
}

TEST(Ising, InfiniteOddsHoldAgainstAnyNeighbours) {
  Case c{.grid = {.size = {5, 5, 1}},
         .masks = {std::vector<std::uint8_t>(25, 0)},
         .setting = {.connectivity = 8}};
  c.masks[0][12] = 1;
  EXPECT_EQ(solve(c, {{0, -0.1}, {1, kInfinite}}, 0.001, Tie::background), c.masks[0]);
  EXPECT_EQ(solve(c, {{0, -kInfinite}, {1, kInfinite}}, 1000, Tie::background), c.masks[0]);
  // One certain voxel carries all others along when the prior is strong: they lose 2.4, the boundary 8β.
  EXPECT_EQ(solve(c, {{0, -0.1}, {1, kInfinite}}, 1, Tie::background), HardImage(25, 1));
}

TEST(Ising, LooksAsFarAsThePriorReaches) {
  // 60 voxels with weak odds against being inside follow one that is certain, to the end of the row.
  Case c{.grid = {.size = {61, 1, 1}},
         .masks = {std::vector<std::uint8_t>(61, 0)},
         .setting = {.connectivity = 4}};
  c.masks[0][0] = 1;
  EXPECT_EQ(solve(c, {{0, -0.01}, {1, 5}}, 1, Tie::background), HardImage(61, 1));
  EXPECT_EQ(solve(c, {{0, -0.02}, {1, 5}}, 1, Tie::background), c.masks[0]);
}

TEST(Ising, RefusesWhatIsNotANumber) {
  const Case c = noisy_ball({8, 8, 1}, 3, 10);
  EXPECT_THROW(solve(c, voting_odds(NAN), 1, Tie::background), InputError);
  EXPECT_THROW(solve(c, voting_odds(NAN), 0, Tie::background), InputError);
  EXPECT_THROW(solve(c, voting_odds(1), -1, Tie::background), InputError);
  EXPECT_THROW(solve(c, voting_odds(1), NAN, Tie::background), InputError);
}

TEST(Ising, IsFastOnANoisyVolume) {
  const Case c = noisy_ball({256, 256, 64}, 50, 5);
  const auto votes = take_votes(c.grid.voxels(), c.views());
  const auto odds = voting_odds(1.2);
  for (const double beta : {0.1, 0.5}) {
    const auto start = std::chrono::steady_clock::now();
    const auto image = ising_map(
        c.grid, votes, [&](Raters g) { return odds.at(g); }, make_neighbourhood(c.grid, 26, {}), beta,
        Tie::background);
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
    std::cout << "beta " << beta << ": " << seconds.count() << " s, "
              << std::count(image.begin(), image.end(), 1) << " voxels\n";
    EXPECT_EQ(image[128 + 256 * (128 + 256 * 32)], 1);
    EXPECT_EQ(image[0], 0);
  }
}

}  // namespace
}  // namespace crema
