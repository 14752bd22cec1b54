// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "crema/counts/discrepancy.h"
#include "crema/counts/tally.h"

namespace crema {

/// What decides an exact tie: the voxel, or the component, is left out or taken in.
enum class Tie : std::uint8_t { background, foreground };

/// What a solver is told besides the counts.
struct SolveOptions {
  Tie tie = Tie::background;
};

using Solver = Levels (*)(const Tally&, const SolveOptions&);

Levels solve_jaccard(const Tally& tally, const SolveOptions& options);
Levels solve_dice(const Tally& tally, const SolveOptions& options);
Levels solve_majority(const Tally& tally, const SolveOptions& options);
Levels solve_average(const Tally& tally, const SolveOptions& options);

}  // namespace crema
