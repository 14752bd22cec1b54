// SPDX-License-Identifier: Apache-2.0
#include "crema/levels/products.h"

#include <algorithm>
#include <array>
#include <numeric>

#include "crema/counts/processor.h"

namespace crema {
namespace {

constexpr std::size_t kLanes = 8;
/// Voxels that all raters look at while they are at hand.
constexpr std::size_t kTile = 128;

using Lanes = std::array<double, kLanes>;
using Tile = std::array<double, kTile>;

/// Adds term(voxel of the tile), lane by lane.
template <class Term>
[[gnu::always_inline]] inline void add_lanes(Lanes& lanes, const Term& term) {
  Lanes own = lanes;
  for (std::size_t i = 0; i < kTile; i += kLanes)
    for (std::size_t l = 0; l < kLanes; ++l) own[l] += term(i + l);
  lanes = own;
}

}  // namespace

CREMA_FOR_EACH_PROCESSOR void sum_weighted(const WeightedLevels& raters, std::int64_t begin, std::int64_t end,
                                           double* sums) {
  const std::int64_t length = end - begin;
  std::fill_n(sums, length, 0.0);
  for (std::size_t k = 0; k < raters.count(); ++k) {
    const float* const level = raters.level[k] + begin;
    const double weight = raters.weight[k];
    for (std::int64_t i = 0; i < length; ++i) sums[i] += weight * static_cast<double>(level[i]);
  }
}

CREMA_FOR_EACH_PROCESSOR void add_products(const WeightedLevels& raters, std::int64_t begin, std::int64_t end,
                                           std::span<double> sums) {
  const std::size_t n = raters.count(), pairs = n * (n + 1) / 2;
  std::vector<Lanes> lanes(product_sums(n));
  std::vector<Tile> levels(n);
  Tile open, scaled;
  for (std::int64_t at = begin; at < end; at += std::int64_t{kTile}) {
    const auto length = static_cast<std::size_t>(std::min(std::int64_t{kTile}, end - at));
    Tile sum{};
    for (std::size_t k = 0; k < n; ++k) {
      const float* const level = raters.level[k] + at;
      if (length < kTile) levels[k].fill(0);
      for (std::size_t i = 0; i < length; ++i) levels[k][i] = static_cast<double>(level[i]);
      for (std::size_t i = 0; i < kTile; ++i) sum[i] += raters.weight[k] * levels[k][i];
    }
    for (std::size_t i = 0; i < kTile; ++i) open[i] = sum[i] < 1 ? 1.0 : 0.0;
    for (std::size_t j = 0, pair = 0; j < n; ++j) {
      const Tile& own = levels[j];
      for (std::size_t i = 0; i < kTile; ++i) scaled[i] = open[i] * own[i];
      for (std::size_t k = 0; k <= j; ++k, ++pair) {
        const Tile& other = levels[k];
        add_lanes(lanes[pair], [&](std::size_t i) { return scaled[i] * other[i]; });
      }
      add_lanes(lanes[pairs + j], [&](std::size_t i) { return own[i] - scaled[i]; });
    }
    add_lanes(lanes[pairs + n], [&](std::size_t i) { return 1 - open[i]; });
  }
  for (std::size_t s = 0; s < lanes.size(); ++s)
    sums[s] = std::accumulate(lanes[s].begin(), lanes[s].end(), 0.0);
}

}  // namespace crema
