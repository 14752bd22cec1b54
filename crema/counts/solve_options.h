// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "crema/counts/budget.h"
#include "crema/counts/distance.h"

namespace crema {

/// Which voxels share one decision.
enum class Blocks : std::uint8_t { subcrown, crown, voxel, group };

/// What decides an exact tie: the voxel, or the component, is left out or taken in.
enum class Tie : std::uint8_t { background, foreground };

/// Whether a consensus gives way to the empty one where that is better.
enum class EmptyTest : std::uint8_t { apply, skip };

/// The options of a solver.
struct SolveOptions {
  Tie tie = Tie::background;
  Blocks blocks = Blocks::subcrown;
  std::vector<double> weights = {};  ///< one per rater, or none: all count alike
  EmptyTest empty_test = EmptyTest::apply;
  Budget budget = {};    ///< for what needs a proof
  Tversky tversky = {};  ///< for the distances that take it
};

/// How far the criterion of a component could be lowered by any consensus whatever, the empty one included.
struct Certificate {
  double lower_bound = 0;
  bool proven = false;  ///< the bound is within the tolerance of the best consensus that was found
  int nodes = 0;
};

}  // namespace crema
