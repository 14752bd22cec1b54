// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace crema::study {

/// Wilcoxon's test of paired differences.
struct SignedRank {
  std::int64_t pairs = 0;  ///< that differ
  double statistic = 0;    ///< the smaller sum of ranks
  double p = 1;            ///< two-sided
  bool exact = false;      ///< from all signs; else from the normal distribution, corrected for ties
};

/// Differences of 0, or of rounding alone, are left out; equal ones share their ranks. Up to 50 pairs the
/// chance is exact, with ties as well. None where no pair differs.
std::optional<SignedRank> signed_rank(std::span<const double> differences);

/// Differences up to that are rounding alone.
inline constexpr double kEqualDifferences = 1e-12;

/// Differences of one size: how many are below 0 and above.
struct RankGroup {
  std::int64_t below = 0, above = 0;
};

/// The same of so many differences that the normal distribution will do, in the order of their sizes.
std::optional<SignedRank> signed_rank(std::span<const RankGroup> groups);

/// Holm's correction: the chances of all tests of a family, none above 1, in the order given.
std::vector<double> holm(std::span<const double> chances);

}  // namespace crema::study
