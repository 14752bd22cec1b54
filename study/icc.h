// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace crema::study {

struct Icc {
  std::int64_t cases = 0, raters = 0;
  double value = 0;
  std::optional<double> low, high;  ///< of the 95 % interval; none where raters agree exactly
};

/// The intraclass correlation ICC(2,1) of McGraw and Wong: two-way random effects, absolute agreement, one
/// rater. Cases come one by one, each with one value of every rater.
class IccSums {
 public:
  void add(std::span<const double> values);

  /// None for fewer than two cases or raters, and where all values are equal.
  [[nodiscard]] std::optional<Icc> result() const;

 private:
  std::int64_t cases_ = 0;
  double origin_ = 0, squares_ = 0, case_squares_ = 0;
  std::vector<double> raters_;  ///< sums; all sums are of values less the origin, so that few digits are lost
};

}  // namespace crema::study
