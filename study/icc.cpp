// SPDX-License-Identifier: Apache-2.0
#include "study/icc.h"

#include <algorithm>
#include <iterator>
#include <numeric>

#include "study/f_distribution.h"

namespace crema::study {
namespace {

/// Mean squares of cases, raters and what is left.
struct MeanSquares {
  double cases, raters, rest;
};

void add_interval(const MeanSquares& mean, double n, double k, Icc& icc) {
  if (mean.rest <= 0) return;
  const double f = mean.raters / mean.rest, r = icc.value;
  const double spread = n * (1 + (k - 1) * r) - k * r;
  const double above = (k - 1) * (n - 1) * (k * r * f + spread) * (k * r * f + spread);
  const double below = (n - 1) * k * k * r * r * f * f + spread * spread;
  const double freedom = above / below;
  if (!(freedom > 0)) return;
  const double upper = f_quantile(0.975, n - 1, freedom), lower = f_quantile(0.975, freedom, n - 1);
  const double noise = k * mean.raters + (k * n - k - n) * mean.rest;
  icc.low = n * (mean.cases - upper * mean.rest) / (upper * noise + n * mean.cases);
  icc.high = n * (lower * mean.cases - mean.rest) / (noise + n * lower * mean.cases);
}

}  // namespace

void IccSums::add(std::span<const double> values) {
  if (cases_ == 0) {
    origin_ = std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
    raters_.assign(values.size(), 0.0);
  }
  ++cases_;
  double sum = 0;
  for (std::size_t k = 0; k < values.size(); ++k) {
    const double value = values[k] - origin_;
    sum += value;
    squares_ += value * value;
    raters_[k] += value;
  }
  case_squares_ += sum * sum;
}

std::optional<Icc> IccSums::result() const {
  const auto n = static_cast<double>(cases_), k = static_cast<double>(raters_.size());
  if (cases_ < 2 || raters_.size() < 2) return std::nullopt;
  double total = 0, rater_squares = 0;
  for (const double sum : raters_) {
    total += sum;
    rater_squares += sum * sum;
  }
  const double correction = total * total / (n * k);
  const double of_cases = case_squares_ / k - correction, of_raters = rater_squares / n - correction;
  const double rest = std::max(0.0, squares_ - correction - of_cases - of_raters);
  const MeanSquares mean{of_cases / (n - 1), of_raters / (k - 1), rest / ((n - 1) * (k - 1))};
  const double all = mean.cases + (k - 1) * mean.rest + k * (mean.raters - mean.rest) / n;
  if (!(squares_ - correction > 0) || !(all > 0)) return std::nullopt;
  Icc icc{cases_, std::ssize(raters_), (mean.cases - mean.rest) / all, {}, {}};
  add_interval(mean, n, k, icc);
  return icc;
}

}  // namespace crema::study
