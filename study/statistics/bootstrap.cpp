// SPDX-License-Identifier: Apache-2.0
#include "study/statistics/bootstrap.h"

#include <algorithm>

#include "crema/agreement/percentile.h"
#include "crema/phantom/hash.h"
#include "study/statistics/statistics.h"

namespace crema::study {
namespace {

constexpr std::uint64_t kPurposeOfCases = 0x63617365732E2E2E;  // keeps these draws apart from others

/// The mean of as many values as there are, drawn with replacement.
double mean_of_draws(std::span<const double> values, std::uint64_t key) {
  const auto count = static_cast<std::uint64_t>(values.size());
  double sum = 0;
  for (std::uint64_t draw = 0; draw < count; ++draw)
    sum += values[((phantom::mix(key + draw) >> 32) * count) >> 32];
  return sum / static_cast<double>(count);
}

}  // namespace

std::optional<Interval> bootstrap_mean(std::span<const double> values, std::uint64_t seed) {
  if (values.size() < 2) return std::nullopt;
  std::vector<double> means(kReplicates);
  const std::uint64_t all = phantom::mix(phantom::mix(seed) ^ kPurposeOfCases);
  for (std::size_t r = 0; r < means.size(); ++r)
    means[r] = mean_of_draws(values, phantom::mix(all ^ static_cast<std::uint64_t>(r)));
  return Interval{percentile(means, 0.025), percentile(means, 0.975)};
}

std::optional<Summary> summary_of(const std::vector<double>& values) {
  if (values.empty()) return std::nullopt;
  Mean mean;
  for (const double value : values) mean.add(value);
  return Summary{.cases = mean.count(),
                 .mean = *mean.value(),
                 .median = percentile(values, 0.5),
                 .low_quartile = percentile(values, 0.25),
                 .high_quartile = percentile(values, 0.75),
                 .deviation = mean.deviation(),
                 .interval = bootstrap_mean(values)};
}

}  // namespace crema::study
