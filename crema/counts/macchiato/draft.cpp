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

Draft::Draft(const Tally& tally, const Distance& distance, const std::vector<double>& weights)
    : formula_(formula_of(distance)),
      overlap_(static_cast<std::size_t>(tally.raters), 0),
      size_(static_cast<std::size_t>(tally.raters), 0),
      weight_(weights.empty() ? std::vector<double>(static_cast<std::size_t>(tally.raters), 1) : weights) {
  for (const Subcrown& row : tally.rows) add_to_raters(size_, row.raters, row.voxels);
}

void Draft::move(const Subcrown& row, std::int64_t voxels) {
  total_ += voxels;
  add_to_raters(overlap_, row.raters, voxels);
}

template <class Real, class Term>
Real Draft::sum_over_raters(Term term) const {
  Real sum = 0;
  for (std::size_t k = 0; k < size_.size(); ++k)
    if (total_ + size_[k] != 0)  // else consensus and rater are empty alike
      sum += term(static_cast<Real>(weight_[k]), overlap_[k], size_[k]);
  return sum;
}

template <class Real>
Real Draft::sum_of_squares() const {
  const auto* ratio = std::get_if<Ratio>(&formula_);
  if (ratio != nullptr && ratio->is_whole())
    return sum_over_raters<Real>([&, ratio = *ratio](Real weight, std::int64_t a, std::int64_t s) {
      return ratio.term(weight, ratio.template inner_of_whole<Real>(a, total_, s));
    });
  return std::visit(
      [&](const auto& formula) {
        return sum_over_raters<Real>([&](Real weight, std::int64_t a, std::int64_t s) {
          return formula.term(weight, formula.template inner_of_counts<Real>(a, total_, s));
        });
      },
      formula_);
}

double Draft::value() const { return sum_of_squares<double>(); }
Precise Draft::precise_value() const { return sum_of_squares<Precise>(); }

}  // namespace crema
