// SPDX-License-Identifier: Apache-2.0
#include "crema/weights.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "crema/base/error.h"
#include "crema/counts/discrepancy.h"

namespace crema {
namespace {

constexpr int kMaxRounds = 100;
constexpr double kSettled = 1e-9;

/// Soft F1 of each rater: 2 Σ x over the rater's voxels / (Σ x + rater's voxels); two empty masks agree.
std::vector<double> scores(const Reduction& reduction, const Solution& solution) {
  const auto raters = static_cast<std::size_t>(reduction.raters);
  std::vector<double> common(raters, 0), size(raters, 0);
  for (std::size_t c = 0; c < reduction.crowns.size(); ++c) {
    const Sums sums = sum_up(reduction.crowns[c].tally, solution.components[c].levels);
    for (std::size_t k = 0; k < raters; ++k) {
      common[k] += sums.overlap[k];
      size[k] += sums.size[k];
    }
  }
  for (std::size_t k = 0; k < raters; ++k) {
    const double both = solution.soft_volume + size[k];
    common[k] = both == 0 ? 1 : 2 * common[k] / both;
  }
  return common;
}

/// Beyond these a weight, or its share of the largest, is refused.
constexpr double kMinWeight = 1e-300, kLargestWeight = 1e300;

}  // namespace

void check_weights(const std::vector<double>& weights, int raters) {
  if (weights.empty()) return;
  if (weights.size() != static_cast<std::size_t>(raters))
    throw UsageError(
        fmt::format("{} weights were given for {} raters; give one for each", weights.size(), raters));
  const double largest = *std::max_element(weights.begin(), weights.end());
  for (const double weight : weights) {
    if (!std::isfinite(weight) || weight < 0)
      throw UsageError(fmt::format("{} is not a valid weight; weights are finite and at least 0", weight));
    if (weight > kLargestWeight || (weight > 0 && std::min(weight, weight / largest) < kMinWeight))
      throw UsageError(
          fmt::format("the weight {} beside the largest, {}, is too {} to be added up; weights and their "
                      "ratios must lie between 1e-300 and 1e300. Give 0 to a rater who should not count",
                      weight, largest, weight > kLargestWeight ? "large" : "small"));
  }
  if (largest == 0) throw UsageError("all weights are 0; at least one rater must count");
}

WeightSearch find_weights(const Reduction& reduction, const Method& method, const Options& options) {
  Options current = options;
  current.certify = Certify::no;
  WeightSearch search{.weights = std::vector<double>(static_cast<std::size_t>(reduction.raters), 1)};
  for (search.rounds = 1; search.rounds <= kMaxRounds; ++search.rounds) {
    current.weights = search.weights;
    std::vector<double> next = scores(reduction, solve(reduction, method, current));
    const double largest = *std::max_element(next.begin(), next.end());
    if (largest == 0) break;  // an empty consensus says nothing about anybody
    search.change = 0;
    for (std::size_t k = 0; k < next.size(); ++k) {
      next[k] /= largest;
      search.change = std::max(search.change, std::abs(next[k] - search.weights[k]));
    }
    search.weights = std::move(next);
    if (search.change < kSettled) {
      search.converged = true;
      break;
    }
  }
  search.rounds = std::min(search.rounds, kMaxRounds);
  return search;
}

}  // namespace crema
