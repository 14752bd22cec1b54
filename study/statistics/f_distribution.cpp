// SPDX-License-Identifier: Apache-2.0
#include "study/statistics/f_distribution.h"

#include <cmath>
#include <limits>

namespace crema::study {
namespace {

constexpr double kTiny = 1e-300;

double away_from_zero(double value) { return std::abs(value) < kTiny ? kTiny : value; }

/// The continued fraction of the function, by Lentz's method; converges fast below the mean of the
/// distribution.
double fraction(double a, double b, double x) {
  constexpr int kSteps = 10000;
  double c = 1, d = 1 / away_from_zero(1 - (a + b) * x / (a + 1)), value = d;
  const auto step = [&](double term) {
    d = 1 / away_from_zero(1 + term * d);
    c = away_from_zero(1 + term / c);
    value *= c * d;
    return c * d;
  };
  for (int m = 1; m <= kSteps; ++m) {
    step(m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)));
    const double change = step(-(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1)));
    if (std::abs(change - 1) < 4 * std::numeric_limits<double>::epsilon()) break;
  }
  return value;
}

/// The incomplete beta function at x = 1 − y, both given: the smaller one has digits that the other has lost.
double incomplete_beta(double a, double b, double x, double y) {
  if (x <= 0) return 0;
  if (y <= 0) return 1;
  const double log_x = x < y ? std::log(x) : std::log1p(-y), log_y = x < y ? std::log1p(-x) : std::log(y);
  const double front = std::exp(a * log_x + b * log_y + std::lgamma(a + b) - std::lgamma(a) - std::lgamma(b));
  if (x < (a + 1) / (a + b + 2)) return front * fraction(a, b, x) / a;
  return 1 - front * fraction(b, a, y) / b;
}

}  // namespace

double incomplete_beta(double a, double b, double x) { return incomplete_beta(a, b, x, 1 - x); }

double f_probability(double f, double numerator, double denominator) {
  if (f <= 0) return 0;
  const double sum = numerator * f + denominator;
  return incomplete_beta(numerator / 2, denominator / 2, numerator * f / sum, denominator / sum);
}

double f_tail(double f, double numerator, double denominator) {
  if (f <= 0) return 1;
  const double sum = numerator * f + denominator;
  return incomplete_beta(denominator / 2, numerator / 2, denominator / sum, numerator * f / sum);
}

double f_quantile(double chance, double numerator, double denominator) {
  double low = 0, high = 1;
  while (f_probability(high, numerator, denominator) < chance && high < 1e300) {
    low = high;
    high *= 2;
  }
  for (;;) {
    const double middle = low + (high - low) / 2;
    if (middle <= low || middle >= high) return middle;
    (f_probability(middle, numerator, denominator) < chance ? low : high) = middle;
  }
}

}  // namespace crema::study
