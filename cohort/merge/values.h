// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "cohort/merge/overview.h"

namespace crema::cohort {

/// The values of a measure over any number of cases, in bounded memory. Mean, lowest and highest are exact;
/// quantiles are up to kExact values, and then within a thousandth of their value: values that share sign,
/// exponent and the first ten bits behind the point are counted together. The same values in the same order
/// give the same answers, however they were cut into shards.
class Values {
 public:
  static constexpr std::size_t kExact = 2000, kDrawn = 2000;

  /// It must be finite.
  void add(double value);

  [[nodiscard]] std::int64_t count() const { return count_; }
  /// The value below which this share lies; there must be one.
  [[nodiscard]] double quantile(double share) const;
  /// Empty where there is none.
  [[nodiscard]] std::optional<double> median() const;
  [[nodiscard]] OverCases over_cases() const;
  /// For a picture: all values, or kDrawn quantiles of them.
  [[nodiscard]] DrawnValues drawn() const;

 private:
  struct Bucket {
    std::int64_t count = 0;
    double sum = 0;
  };
  /// A value of each bucket, and how many values come before its end.
  struct Ranked {
    double value = 0;
    std::int64_t end = 0;
  };
  void put(double value);
  [[nodiscard]] std::vector<Ranked> ranked() const;
  [[nodiscard]] double at_rank(const std::vector<Ranked>& all, std::int64_t rank) const;
  [[nodiscard]] double quantile(const std::vector<Ranked>& all, double share) const;

  std::int64_t count_ = 0, not_positive_ = 0;
  double sum_ = 0, lowest_ = 0, highest_ = 0;
  std::vector<double> exact_;
  std::map<std::int64_t, Bucket> buckets_;  ///< in the order of their values
};

}  // namespace crema::cohort
