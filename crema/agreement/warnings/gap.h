// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "crema/fuse.h"

namespace crema {

/// How far a result is from one that is known to be better.
struct Gap {
  double lmsd = 0;          ///< of the better one: per component the lower of the two criteria, summed
  std::int64_t voxels = 0;  ///< of the better one, above one half
};

/// Looks, without proof, for a consensus that is constant on rater groups. For methods that minimise a
/// distance.
Gap find_gap(const Reduction& reduction, const Solution& solution, const Options& options);

/// One sentence when the result of a method with a criterion is far from the best one known: when a consensus
/// has an LMSD more than 5 % lower, or a lower one with a size more than a fifth different. None for other
/// methods, and none for the true minimiser, which has nothing to be compared with.
Warnings warnings_about_gap(const Reduction& reduction, const Solution& solution, const Options& options);

}  // namespace crema
