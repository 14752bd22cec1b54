// SPDX-License-Identifier: Apache-2.0
#include "study/statistics/icc.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <numeric>

#include "study/statistics/f_distribution.h"

namespace crema::study {
namespace {

/// Mean squares of cases, raters and what is left, with the degrees of freedom of the last.
struct MeanSquares {
  double cases = 0, raters = 0, rest = 0, freedom = 0;
  double n = 0, k = 0;
};

/// Sums are of values less the first case's mean, so that few digits are lost.
double origin_of(const std::vector<CaseValues>& cases) {
  const CaseValues& first = cases.front();
  return std::accumulate(first.begin(), first.end(), 0.0) / static_cast<double>(first.size());
}

struct Totals {
  double count = 0, sum = 0, squares = 0, case_squares = 0, counts_squared = 0;
};

Totals totals_of(const std::vector<CaseValues>& cases, double origin) {
  Totals all;
  for (const CaseValues& values : cases) {
    const auto k = static_cast<double>(values.size());
    double sum = 0;
    for (const double value : values) {
      sum += value - origin;
      all.squares += (value - origin) * (value - origin);
    }
    all.count += k;
    all.counts_squared += k * k;
    all.sum += sum;
    all.case_squares += sum * sum / k;
  }
  return all;
}

std::optional<MeanSquares> one_way(const std::vector<CaseValues>& cases) {
  const Totals all = totals_of(cases, origin_of(cases));
  const auto n = static_cast<double>(cases.size());
  if (all.count - n < 1) return std::nullopt;
  MeanSquares mean{.freedom = all.count - n, .n = n};
  mean.k = (all.count - all.counts_squared / all.count) / (n - 1);
  mean.cases = (all.case_squares - all.sum * all.sum / all.count) / (n - 1);
  mean.rest = std::max(0.0, all.squares - all.case_squares) / mean.freedom;
  return mean;
}

std::optional<MeanSquares> two_way(const std::vector<CaseValues>& cases) {
  const std::size_t raters = cases.front().size();
  const double origin = origin_of(cases);
  const Totals all = totals_of(cases, origin);
  const auto n = static_cast<double>(cases.size()), k = static_cast<double>(raters);
  if (raters < 2) return std::nullopt;
  double rater_squares = 0;
  for (std::size_t r = 0; r < raters; ++r) {
    double sum = 0;
    for (const CaseValues& values : cases) sum += values[r] - origin;
    rater_squares += sum * sum / n;
  }
  const double correction = all.sum * all.sum / (n * k);
  const double of_cases = all.case_squares - correction, of_raters = rater_squares - correction;
  MeanSquares mean{.freedom = (n - 1) * (k - 1), .n = n, .k = k};
  mean.cases = of_cases / (n - 1);
  mean.raters = of_raters / (k - 1);
  mean.rest = std::max(0.0, all.squares - correction - of_cases - of_raters) / mean.freedom;
  return mean;
}

/// One rater's correlation as that of the mean of all, by Spearman and Brown.
double of_mean(double single, double k) { return k * single / (1 + (k - 1) * single); }

/// Without raters' own part: a ratio of two mean squares, with an exact interval.
void fill_ratio(const MeanSquares& mean, Icc& found) {
  const auto from = [&](double f) { return (f - 1) / (f + mean.k - 1); };
  found.value = (mean.cases - mean.rest) / (mean.cases + (mean.k - 1) * mean.rest);
  if (mean.rest <= 0) return;
  const double f = mean.cases / mean.rest;
  found.low = from(f / f_quantile(0.975, mean.n - 1, mean.freedom));
  found.high = from(f * f_quantile(0.975, mean.freedom, mean.n - 1));
}

/// Absolute agreement, whose interval is approximate (Satterthwaite).
void fill_agreement(const MeanSquares& mean, Icc& found) {
  const double n = mean.n, k = mean.k;
  const double all = mean.cases + (k - 1) * mean.rest + k * (mean.raters - mean.rest) / n;
  found.value = (mean.cases - mean.rest) / all;
  if (mean.rest <= 0) return;
  const double f = mean.raters / mean.rest, r = found.value;
  const double spread = n * (1 + (k - 1) * r) - k * r;
  const double above = (k - 1) * (n - 1) * (k * r * f + spread) * (k * r * f + spread);
  const double below = (n - 1) * k * k * r * r * f * f + spread * spread;
  const double freedom = above / below;
  if (!(freedom > 0)) return;
  const double upper = f_quantile(0.975, n - 1, freedom), lower = f_quantile(0.975, freedom, n - 1);
  const double noise = k * mean.raters + (k * n - k - n) * mean.rest;
  found.low = n * (mean.cases - upper * mean.rest) / (upper * noise + n * mean.cases);
  found.high = n * (lower * mean.cases - mean.rest) / (noise + n * lower * mean.cases);
}

bool all_equal(const std::vector<CaseValues>& cases) {
  const double first = cases.front().front();
  return std::all_of(cases.begin(), cases.end(), [&](const CaseValues& values) {
    return std::all_of(values.begin(), values.end(), [&](double value) { return value == first; });
  });
}

}  // namespace

const char* to_string(IccForm form, IccUnit unit) {
  const bool one = unit == IccUnit::single;
  if (form == IccForm::one_way) return one ? "ICC(1,1)" : "ICC(1,k)";
  if (form == IccForm::agreement) return one ? "ICC(A,1)" : "ICC(A,k)";
  return one ? "ICC(C,1)" : "ICC(C,k)";
}

std::optional<Icc> icc(const std::vector<CaseValues>& cases, IccForm form, IccUnit unit) {
  if (cases.size() < 2 || all_equal(cases)) return std::nullopt;
  const std::optional<MeanSquares> mean = form == IccForm::one_way ? one_way(cases) : two_way(cases);
  if (!mean) return std::nullopt;
  Icc found{.cases = std::ssize(cases), .raters = mean->k};
  if (form == IccForm::agreement)
    fill_agreement(*mean, found);
  else
    fill_ratio(*mean, found);
  if (unit == IccUnit::single) return found;
  found.value = of_mean(found.value, mean->k);
  if (found.low) found.low = of_mean(*found.low, mean->k);
  if (found.high) found.high = of_mean(*found.high, mean->k);
  return found;
}

}  // namespace crema::study
