// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "crema/counts/solvers.h"

namespace crema {

/// A block that a pass tried to remove or to add.
struct Step {
  std::int32_t distance = 0;  ///< of its crown
  std::int64_t voxels = 0;    ///< of the consensus with the block changed
  double criterion = 0;       ///< of that consensus
  bool accepted = false;
  std::size_t row = 0;  ///< the first of its rows in the tally
};

/// One pass of Alg. 1, in the order in which it went.
struct PassTrace {
  std::int64_t voxels = 0;  ///< of what it started with
  double criterion = 0;
  std::vector<Step> steps;
};

/// All that Alg. 1 looked at on its way.
struct Trace {
  PassTrace shrinking, growing;
  double empty = 0;  ///< the criterion of the empty consensus
};

/// Whether results in that distance come from these passes.
inline bool goes_in_passes(const Distance& distance, Blocks blocks) {
  return is_hard(distance) && !is_linear(distance) && blocks != Blocks::group;
}

/// How solve_greedily() goes, for what goes in passes.
Trace trace_greedily(const Tally& tally, const Distance& distance, const SolveOptions& options);

/// Where a pass ended: the last step that was accepted, or its start.
Step end_of(const PassTrace& pass);

}  // namespace crema
