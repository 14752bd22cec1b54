// SPDX-License-Identifier: Apache-2.0
#include "crema/counts/macchiato/draft.h"

namespace crema {
namespace {

/// Without a branch: which raters drew a row cannot be foretold, and guessing wrong costs more than adding 0.
void add_to_raters(std::vector<std::int64_t>& sums, Raters raters, std::int64_t voxels) {
  for (std::int64_t& sum : sums) {
    sum += voxels & -static_cast<std::int64_t>(raters & 1);
    raters >>= 1;
  }
}

}  // namespace

Draft::Draft(const Tally& tally, Distance distance, const std::vector<double>& weights)
    : jaccard_(!row_of(distance).dice),
      overlap_(static_cast<std::size_t>(tally.raters), 0),
      size_(static_cast<std::size_t>(tally.raters), 0),
      weight_(weights.empty() ? std::vector<double>(static_cast<std::size_t>(tally.raters), 1) : weights) {
  for (const Subcrown& row : tally.rows) add_to_raters(size_, row.raters, row.voxels);
}

void Draft::move(const Subcrown& row, std::int64_t voxels) {
  total_ += voxels;
  add_to_raters(overlap_, row.raters, voxels);
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
