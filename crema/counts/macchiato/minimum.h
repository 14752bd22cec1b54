// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "crema/counts/problem.h"

namespace crema {

/// The criterion as a function of the level y of one block, all others fixed.
struct Line {
  const Problem* problem = nullptr;
  std::size_t block = 0;
  State rest = {};  ///< the sums without the block
};

/// The criterion at level y, less the constant share of the absent raters, which would drown small values.
double value_at(const Line& line, double y);

/// The level in [0,1] at which the criterion is least: the global minimum; 0 and 1 win ties.
///
/// Stretches of [0,1] on which bounds of the first and second derivative show the criterion to be monotone,
/// concave or convex are settled at their ends or by Newton's method; others are halved.
double minimise(const Line& line);

}  // namespace crema
