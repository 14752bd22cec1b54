// SPDX-License-Identifier: Apache-2.0
#include "crema/agreement/candidate.h"

#include <cstddef>

#include "crema/agreement/pairs.h"
#include "crema/reduction.h"

namespace crema {
namespace {

/// Two empty masks agree.
template <class Pairs>
double mean_dice(const Pairs& pairs) {
  double sum = 0;
  for (const auto& pair : pairs) sum += pair.dice.value_or(1);
  return sum / static_cast<double>(pairs.size());
}

template <class Pairs>
Raters same_mask(const Pairs& pairs) {
  Raters same = 0;
  for (std::size_t k = 0; k < pairs.size(); ++k)
    if (pairs[k].dice.defined() && *pairs[k].dice == 1) same |= Raters{1} << k;
  return same;
}

}  // namespace

CandidateIndex compare_candidate(const Reduction& reduction, const Image& mask) {
  const auto with_raters = compare_with_consensus(reduction, mask);
  CandidateIndex found{.mean_candidate = mean_dice(with_raters),
                       .mean_pairs = Undefined::one_rater,
                       .index = Undefined::one_rater,
                       .difference = Undefined::one_rater,
                       .copies = same_mask(with_raters)};
  if (reduction.raters < 2) return found;
  const double mean = mean_dice(compare_pairs(reduction));
  found.mean_pairs = mean;
  found.difference = *found.mean_candidate - mean;
  found.index = mean > 0 ? Measured(*found.mean_candidate / mean) : Measured(Undefined::no_overlap);
  return found;
}

}  // namespace crema
