// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "crema/fuse.h"

namespace crema {

/// Throws UsageError unless there are no weights, or one per rater: finite, at least 0, not all 0, and of a
/// size that can be added up. What is below 1e-300, or that small a share of the largest, is refused:
/// distances weighted by it would be lost, and with them the order of criteria.
void check_weights(const std::vector<double>& weights, int raters);

/// Weights that agree with the consensus they lead to.
struct WeightSearch {
  std::vector<double> weights;  ///< one per rater, the largest being 1
  int rounds = 0;
  bool converged = false;
  double change = 0;  ///< of the weight that moved most in the last round
};

/// Alternates between the consensus of given weights and the weights of a given consensus until neither
/// moves. A rater's weight is the F1 score, the harmonic mean of precision and recall, of the rater's mask
/// against the consensus: no true negative enters, so the background does not count.
WeightSearch find_weights(const Reduction& reduction, const Method& method, const Options& options);

}  // namespace crema
