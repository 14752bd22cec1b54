// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>

namespace crema {

/// All numbers from low to high. Rounding is not directed: used to choose a way, never to prove a bound.
struct Interval {
  double low = 0, high = 0;

  friend Interval operator+(Interval a, Interval b) { return {a.low + b.low, a.high + b.high}; }
  friend Interval operator-(Interval a, Interval b) { return {a.low - b.high, a.high - b.low}; }
  friend Interval operator*(Interval a, Interval b) {
    const double p = a.low * b.low, q = a.low * b.high, r = a.high * b.low, s = a.high * b.high;
    return {std::min(std::min(p, q), std::min(r, s)), std::max(std::max(p, q), std::max(r, s))};
  }
  friend Interval operator*(double f, Interval a) {
    return f >= 0 ? Interval{f * a.low, f * a.high} : Interval{f * a.high, f * a.low};
  }
};

inline Interval square(Interval a) {
  const double l = a.low * a.low, h = a.high * a.high;
  if (a.low <= 0 && a.high >= 0) return {0, std::max(l, h)};
  return {std::min(l, h), std::max(l, h)};
}

}  // namespace crema
