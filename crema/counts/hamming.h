// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "crema/counts/ratio.h"

namespace crema {

/// d² = e + s − 2a: the number of voxels in which consensus and rater differ, or the sum of the differences
/// of their levels. The criterion is linear in the levels, so that each block is decided on by itself and a
/// vote is its minimum; no search and no bound is needed, and an empty consensus is one like any other.
struct Hamming {
  /// The squared distance: what the criterion is linear in.
  static double inner(double a, double e, double s) { return std::max(0.0, e + s - 2 * a); }
  template <class Real>
  static Real inner_of_counts(std::int64_t a, std::int64_t e, std::int64_t s) {
    return static_cast<Real>(e + s - 2 * a);
  }

  template <class Real>
  static constexpr Real term(Real weight, Real square) {
    return weight * square;
  }
  static double distance(double square) { return std::sqrt(square); }
  static constexpr double outer(double /*square*/) { return 1; }
  static constexpr Fall fall(double outer, double /*a*/, double /*e*/, double /*s*/) {
    return {2 * outer, outer};
  }
};

}  // namespace crema
