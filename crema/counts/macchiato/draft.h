// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "crema/counts/discrepancy.h"
#include "crema/counts/precise.h"
#include "crema/counts/tally.h"

namespace crema {

/// A hard consensus of one component under construction, known by whole numbers: nothing drifts, and a
/// change costs O(K) however many voxels it moves.
class Draft {
 public:
  /// Starts empty. The distance compares masks; no weights: all raters count alike.
  Draft(const Tally& tally, const Distance& distance, const std::vector<double>& weights = {});

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
  template <class Real, class Term>
  [[nodiscard]] Real sum_over_raters(Term term) const;

  Formula formula_;
  std::int64_t total_ = 0;
  std::vector<std::int64_t> overlap_, size_;
  std::vector<double> weight_;
};

}  // namespace crema
