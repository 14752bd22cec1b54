// SPDX-License-Identifier: Apache-2.0
#include "study/statistics/statistics.h"

#include <cmath>

namespace crema::study {
namespace {

/// Soft volumes are sums of rounded levels; what differs by less than this share of them is equal.
constexpr double kEqualWithin = 1e-9;

/// 0 for what differs by rounding alone.
double percent_of(double size, double reference) {
  const double change = size - reference;
  return std::abs(change) <= kEqualWithin * std::abs(reference) ? 0 : 100 * change / reference;
}

}  // namespace

void Mean::add(double value) {
  ++count_;
  sum_ += value;
  const double from = value - mean_;
  mean_ += from / static_cast<double>(count_);
  squares_ += from * (value - mean_);
}

void Mean::add(const std::optional<double>& value) {
  if (value) add(*value);
}

std::optional<double> Mean::value() const {
  if (count_ == 0) return std::nullopt;
  return mean_;
}

std::optional<double> Mean::deviation() const {
  if (count_ < 2) return std::nullopt;
  return std::sqrt(squares_ / static_cast<double>(count_ - 1));
}

void SizeChange::add(double size, double reference) {
  const double margin = kEqualWithin * std::abs(reference);
  ++cases_;
  larger_ += size > reference + margin ? 1 : 0;
  not_smaller_ += size >= reference - margin ? 1 : 0;
  sizes_ += size;
  references_ += reference;
  if (reference > 0) percentages_.add(percent_of(size, reference));
}

std::optional<double> SizeChange::pooled() const {
  if (references_ <= 0) return std::nullopt;
  return percent_of(sizes_, references_);
}

std::optional<double> SizeChange::share(std::int64_t of) const {
  if (cases_ == 0) return std::nullopt;
  return 100 * static_cast<double>(of) / static_cast<double>(cases_);
}

std::optional<double> SizeChange::larger() const { return share(larger_); }
std::optional<double> SizeChange::not_smaller() const { return share(not_smaller_); }

}  // namespace crema::study
