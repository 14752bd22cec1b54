// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "crema/fuse.h"

namespace crema {

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
