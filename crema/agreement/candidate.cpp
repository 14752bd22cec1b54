// SPDX-License-Identifier: Apache-2.0
#include "crema/agreement/candidate.h"

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

}  // namespace

CandidateIndex compare_candidate(const Reduction& reduction, const Image& mask) {
  CandidateIndex found{.mean_candidate = mean_dice(compare_with_consensus(reduction, mask)),
                       .mean_pairs = Undefined::one_rater,
                       .index = Undefined::one_rater,
                       .difference = Undefined::one_rater};
  if (reduction.raters < 2) return found;
  const double mean = mean_dice(compare_pairs(reduction));
  found.mean_pairs = mean;
  found.difference = *found.mean_candidate - mean;
  found.index = mean > 0 ? Measured(*found.mean_candidate / mean) : Measured(Undefined::no_overlap);
  return found;
}

}  // namespace crema
