// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "cohort/merge/values.h"
#include "study/statistics/bootstrap.h"
#include "study/statistics/statistics.h"
#include "study/statistics/wilcoxon.h"

/// Statistics of cases that come one by one, in memory that does not grow with them: so many are held and
/// treated as ever; beyond, what is kept of them is counted below.
namespace crema::study {

inline constexpr std::size_t kHeldCases = 10'000;

/// The mean of a measure over cases. Beyond those that are held it stays exact, and so does its deviation;
/// its interval is that of the bootstrap's limit: the normal distribution, corrected for skewness.
class GatheredMean {
 public:
  void add(double value);

  [[nodiscard]] const Mean& mean() const { return mean_; }
  /// None for fewer than two values.
  [[nodiscard]] std::optional<Interval> interval() const;
  /// All values; none of them where there are more than are held.
  [[nodiscard]] const std::vector<double>& held() const { return held_; }
  [[nodiscard]] bool holds_all() const { return mean_.count() == std::ssize(held_); }

 private:
  Mean mean_;
  double centre_ = 0, squares_ = 0, cubes_ = 0;  ///< the mean, and sums of powers of the distances to it
  std::vector<double> held_;
};

/// A measure over cases. Beyond those that are held quartiles are within a thousandth of their value.
class Gathered {
 public:
  void add(double value);
  /// None where there are no values.
  [[nodiscard]] std::optional<Summary> summary() const;

 private:
  GatheredMean mean_;
  cohort::Values many_;  ///< all values, unless they are held
};

/// Paired differences for Wilcoxon's test. Beyond those that are held, sizes of differences within a
/// thousandth share their ranks.
class GatheredRanks {
 public:
  void add(double difference);
  /// None where no pair differs.
  [[nodiscard]] std::optional<SignedRank> test() const;

 private:
  void count(double difference);

  std::vector<double> held_;
  bool many_ = false;
  std::map<std::int64_t, std::array<std::int64_t, 2>> counts_;  ///< by size: below and above 0
};

}  // namespace crema::study
