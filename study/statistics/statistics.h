// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

namespace crema::study {

/// The mean of numbers that come one by one, and their spread.
class Mean {
 public:
  void add(double value);
  void add(const std::optional<double>& value);  ///< what is undefined is left out

  [[nodiscard]] std::int64_t count() const { return count_; }
  [[nodiscard]] std::optional<double> value() const;      ///< none where nothing was added
  [[nodiscard]] std::optional<double> deviation() const;  ///< of a sample; none below two numbers
  [[nodiscard]] double sum() const { return sum_; }

 private:
  std::int64_t count_ = 0;
  double mean_ = 0, squares_ = 0, sum_ = 0;
};

/// By how much sizes differ from reference sizes over cases.
class SizeChange {
 public:
  void add(double size, double reference);

  [[nodiscard]] std::int64_t cases() const { return cases_; }
  [[nodiscard]] const Mean& percentages() const { return percentages_; }  ///< where the reference is not 0
  [[nodiscard]] std::optional<double> pooled() const;                     ///< percentage of the sums
  [[nodiscard]] std::optional<double> larger() const;                     ///< percentage of cases, strictly
  [[nodiscard]] std::optional<double> not_smaller() const;                ///< percentage of cases

 private:
  [[nodiscard]] std::optional<double> share(std::int64_t of) const;

  std::int64_t cases_ = 0, larger_ = 0, not_smaller_ = 0;
  double sizes_ = 0, references_ = 0;
  Mean percentages_;
};

}  // namespace crema::study
