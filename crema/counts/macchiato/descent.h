// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "crema/counts/problem.h"

namespace crema {

/// Levels per block of a local minimum and how it was reached.
struct Descent {
  std::vector<double> levels;
  double criterion = 0;  ///< of these levels, taken as not empty
  int sweeps = 0;
};

/// Sets each block in turn, in their order, to the level that is best with the others fixed, until a sweep
/// lowers the criterion by less than 1e-12 of itself. `start` has a level per row, which need not be constant
/// on a block: what a block holds at first is what its rows hold.
Descent descend(const Problem& problem, const Tally& tally, const Levels& start);

}  // namespace crema
