// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <cstdint>
#include <limits>
#include <vector>

#include "crema/counts/discrepancy.h"
#include "crema/counts/tally.h"

namespace crema {

/// Twice the precision of double, for telling a tie from a difference.
#if defined(__SIZEOF_FLOAT128__)
__extension__ typedef __float128 Precise;
#else
using Precise = long double;
static_assert(std::numeric_limits<long double>::digits >= 113);
#endif

/// A hard consensus of one component under construction, known by whole numbers: nothing drifts, and a
/// change costs O(K) however many voxels it moves.
class Draft {
 public:
  /// Starts empty. distance is jaccard or dice; no weights: all raters count alike.
  Draft(const Tally& tally, Distance distance, const std::vector<double>& weights = {});

  void add(const Subcrown& row) { move(row, row.voxels); }
  void remove(const Subcrown& row) { move(row, -row.voxels); }

  [[nodiscard]] std::int64_t voxels() const { return total_; }

  /// Weighted Σ of the squared distances to the raters, correct to about 1e-14 of itself.
  [[nodiscard]] double value() const;
  [[nodiscard]] Precise precise_value() const;

 private:
  void move(const Subcrown& row, std::int64_t voxels);
  template <class Real>
  [[nodiscard]] Real sum_of_squares() const;

  bool jaccard_;
  std::int64_t total_ = 0;
  std::vector<std::int64_t> overlap_, size_;
  std::vector<double> weight_;
};

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
