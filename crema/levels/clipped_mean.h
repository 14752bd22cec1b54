// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "crema/levels/methods.h"

namespace crema {

/// Tanimoto and 2SD: a minimiser is min(1, Σ λₖ sₖ) with one weight per rater. The weights are found by
/// passes over the voxels: with those that are clipped held, the criterion is a function of the raters'
/// products alone, which is minimised, and so on until nothing falls. Starts are the mean and, where raters
/// overlap little, each of them alone and the median; the best is kept, never above the empty consensus.
LevelAnswer solve_clipped_mean(const LevelComponent& component, const Distance& distance,
                               const SolveOptions& options);

}  // namespace crema
