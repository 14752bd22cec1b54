// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace crema::study {

/// Where a mean over cases may lie.
struct Interval {
  double low = 0, high = 0;

  friend bool operator==(const Interval&, const Interval&) = default;
};

inline constexpr int kReplicates = 2000;
inline constexpr std::uint64_t kSeed = 1;

/// The 95 % interval of the mean by the percentile bootstrap over cases: as many cases as there are, drawn
/// with replacement, 2000 times; percentiles are interpolated linearly. None for fewer than two values. The
/// same seed gives the same numbers on every machine.
std::optional<Interval> bootstrap_mean(std::span<const double> values, std::uint64_t seed = kSeed);

/// What a paper says of a measure over cases.
struct Summary {
  std::int64_t cases = 0;
  double mean = 0, median = 0, low_quartile = 0, high_quartile = 0;
  std::optional<double> deviation;   ///< of a sample; none for fewer than two cases
  std::optional<Interval> interval;  ///< of the mean
};

/// None where there are no values.
std::optional<Summary> summary_of(const std::vector<double>& values);

}  // namespace crema::study
