// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "crema/levels/methods.h"

namespace crema {

/// Jaccard and Dice: a mask, in where the raters' levels outvote the price of a voxel. Takes the votes of a
/// mask, votes, and so on while the criterion falls. Starts are the consensus of the cores, the majority and
/// the soft consensus cut at ½; the best is kept, never above the empty one.
LevelAnswer solve_level_vote(const LevelComponent& component, const Distance& distance,
                             const SolveOptions& options);

/// Levels of the rows of the core as levels of the component's voxels; of a row that a hard consensus takes
/// in part, the first voxels.
std::vector<double> spread_core(const LevelComponent& component, const Levels& levels, Distance distance);

}  // namespace crema
