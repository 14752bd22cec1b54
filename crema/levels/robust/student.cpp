// SPDX-License-Identifier: Apache-2.0
#include "crema/levels/robust/student.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "crema/counts/processor.h"

namespace crema {
namespace {

constexpr std::size_t kSumLanes = 8;
constexpr auto kTileLength = static_cast<std::size_t>(kLogitTile);

using SumLanes = std::array<double, kSumLanes>;
using LogitTile = std::array<double, kTileLength>;

/// Adds up a tile in a fixed number of lanes; behind `length` it holds zeros.
[[gnu::always_inline]] inline void add_tile(SumLanes& lanes, const LogitTile& tile) {
  SumLanes own = lanes;
  for (std::size_t i = 0; i < kTileLength; i += kSumLanes)
    for (std::size_t l = 0; l < kSumLanes; ++l) own[l] += tile[i + l];
  lanes = own;
}

[[gnu::always_inline]] inline double greatest(const LogitTile& tile) {
  SumLanes most{};
  for (std::size_t i = 0; i < kTileLength; i += kSumLanes)
    for (std::size_t l = 0; l < kSumLanes; ++l) most[l] = tile[i + l] > most[l] ? tile[i + l] : most[l];
  return *std::max_element(most.begin(), most.end());
}

/// A rater's logits, bias and ν·variance.
struct Reading {
  const float* logit;
  double bias, scaled;
};

/// Logits less the bias; zeros behind `length`.
[[gnu::always_inline]] inline LogitTile unbiased(const Reading& rater, std::size_t length) {
  LogitTile level;
  const double bias = rater.bias;
  for (std::size_t i = 0; i < length; ++i) level[i] = static_cast<double>(rater.logit[i]) - bias;
  std::fill(level.begin() + static_cast<std::ptrdiff_t>(length), level.end(), 0.0);
  return level;
}

/// What is estimated of the truth in a tile.
struct TruthTile {
  LogitTile mean, spread;
};

/// New means and spreads of a tile; by how much a mean moved at most.
[[gnu::always_inline]] inline double move_tile(std::span<const Reading> raters, double prior,
                                               std::size_t length, TruthTile& truth) {
  LogitTile precision, sum{}, moved{};
  precision.fill(1 / prior);
  for (const Reading& rater : raters) {
    const LogitTile level = unbiased(rater, length);
    const double scaled = rater.scaled;
    for (std::size_t i = 0; i < kTileLength; ++i) {
      const double off = level[i] - truth.mean[i];
      const double weight = (kFreedom + 1) / (scaled + (off * off + truth.spread[i]));
      precision[i] += weight;
      sum[i] += weight * level[i];
    }
  }
  for (std::size_t i = 0; i < kTileLength; ++i) {
    const double next = sum[i] / precision[i];
    moved[i] = std::abs(next - truth.mean[i]);
    truth.mean[i] = next;
    truth.spread[i] = 1 / precision[i];
  }
  return greatest(moved);
}

/// Adds a rater's three sums of a tile.
[[gnu::always_inline]] inline void add_rater(const Reading& rater, std::size_t length, const TruthTile& truth,
                                             SumLanes* lanes) {
  LogitTile weights, offs, errors;
  const LogitTile level = unbiased(rater, length);
  const double scaled = rater.scaled;
  for (std::size_t i = 0; i < kTileLength; ++i) {
    const double off = level[i] - truth.mean[i];
    const double error = off * off + truth.spread[i];
    const double weight = (kFreedom + 1) / (scaled + error);
    weights[i] = weight;
    offs[i] = weight * off;
    errors[i] = weight * error;
  }
  for (LogitTile* const tile : {&weights, &offs, &errors})
    std::fill(tile->begin() + static_cast<std::ptrdiff_t>(length), tile->end(), 0.0);
  add_tile(lanes[0], weights);
  add_tile(lanes[1], offs);
  add_tile(lanes[2], errors);
}

}  // namespace

CREMA_FOR_EACH_PROCESSOR double update_voxels(const LogitModel& model, const LogitField& field,
                                              std::int64_t begin, std::int64_t end, std::span<double> sums) {
  const std::size_t n = field.logits.size();
  std::vector<SumLanes> lanes(logit_sums(n));
  std::vector<Reading> raters(n);
  double most = 0;
  for (std::int64_t at = begin; at < end; at += kLogitTile) {
    const auto length = static_cast<std::size_t>(std::min(kLogitTile, end - at));
    for (std::size_t k = 0; k < n; ++k)
      raters[k] = {field.logits[k] + at, model.bias[k], kFreedom * model.variance[k]};
    TruthTile truth{};
    std::copy_n(field.mean + at, length, truth.mean.begin());
    std::copy_n(field.spread + at, length, truth.spread.begin());
    most = std::max(most, move_tile(raters, model.prior, length, truth));
    for (std::size_t k = 0; k < n; ++k) add_rater(raters[k], length, truth, &lanes[3 * k]);
    std::copy_n(truth.mean.begin(), length, field.mean + at);
    std::copy_n(truth.spread.begin(), length, field.spread + at);
    LogitTile squares{};
    for (std::size_t i = 0; i < length; ++i) squares[i] = truth.mean[i] * truth.mean[i] + truth.spread[i];
    add_tile(lanes[3 * n], squares);
  }
  for (std::size_t s = 0; s < lanes.size(); ++s)
    sums[s] = std::accumulate(lanes[s].begin(), lanes[s].end(), 0.0);
  return most;
}

}  // namespace crema
