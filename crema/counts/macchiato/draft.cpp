// SPDX-License-Identifier: Apache-2.0
#include "crema/counts/macchiato/draft.h"

namespace crema {

Draft::Draft(const Tally& tally, Distance distance, const std::vector<double>& weights)
    : jaccard_(distance == Distance::jaccard),
      overlap_(static_cast<std::size_t>(tally.raters), 0),
      size_(static_cast<std::size_t>(tally.raters), 0),
      weight_(weights.empty() ? std::vector<double>(static_cast<std::size_t>(tally.raters), 1) : weights) {
  for (const Subcrown& row : tally.rows)
    for (std::size_t k = 0; k < size_.size(); ++k)
      if ((row.raters >> k & 1) != 0) size_[k] += row.voxels;
}

void Draft::move(const Subcrown& row, std::int64_t voxels) {
  total_ += voxels;
  for (std::size_t k = 0; k < overlap_.size(); ++k)
    if ((row.raters >> k & 1) != 0) overlap_[k] += voxels;
}

template <class Real>
Real Draft::sum_of_squares() const {
  Real sum = 0;
  for (std::size_t k = 0; k < size_.size(); ++k) {
    const std::int64_t both = total_ + size_[k];
    if (both == 0) continue;  // consensus and rater are empty alike
    const Real d =
        static_cast<Real>(both - 2 * overlap_[k]) / static_cast<Real>(jaccard_ ? both - overlap_[k] : both);
    sum += static_cast<Real>(weight_[k]) * d * d;
  }
  return sum;
}

double Draft::value() const { return sum_of_squares<double>(); }
Precise Draft::precise_value() const { return sum_of_squares<Precise>(); }

}  // namespace crema
