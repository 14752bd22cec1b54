// SPDX-License-Identifier: Apache-2.0
// Ties of criteria, as opposed to differences that rounding hides.
#pragma once

#include <compare>
#include <limits>

namespace crema {

/// Twice the precision of double, for telling a tie from a difference.
#if defined(__SIZEOF_FLOAT128__)
__extension__ typedef __float128 Precise;
#else
using Precise = long double;
static_assert(std::numeric_limits<long double>::digits >= 113);
#endif

/// True where two values lie so close that rounding may have decided their order.
inline bool nearly_equal(double a, double b) { return (a < b ? b - a : a - b) <= 1e-12 * (a < b ? b : a); }

/// The order of two precise values, those closer than their rounding errors being equal.
inline std::weak_ordering compare_precise(Precise a, Precise b) {
  const Precise difference = a - b;
  const Precise error = static_cast<Precise>(1e-28) * (a < b ? b : a);
  if (difference > error) return std::weak_ordering::greater;
  if (difference < -error) return std::weak_ordering::less;
  return std::weak_ordering::equivalent;
}

}  // namespace crema
