// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "crema/levels/methods.h"

namespace crema {

/// The layers of a part as counts of rater groups. A voxel is cut at its raters' levels; the layer between
/// two of them belongs to those at or above it. Its height is counted in units of 2⁻³⁰ voxels, in which
/// levels of float32 from 1/64 on are whole numbers. Who is absent is in no group.
Tally layer_tally(const LevelPart& part, int raters);

/// Levels of the groups as levels of the voxels: each the sum of its layers' levels times their heights.
std::vector<double> paint_layers(const LevelPart& part, int raters, const Tally& tally, const Levels& levels);

/// Soergel and 1SD: the group problem of the layers, with its proof.
LevelAnswer solve_layers(const LevelComponent& component, const Distance& distance,
                         const SolveOptions& options);

/// A bound for any levels of the part, masks included. The distance has no squares.
Certificate certify_layers(const LevelComponent& component, const Distance& distance,
                           const SolveOptions& options);

/// Levels that are close to the best ones, without a proof.
std::vector<double> approach_layers(const LevelComponent& component, const Distance& distance,
                                    SolveOptions options);

}  // namespace crema
