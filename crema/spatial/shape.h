// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <vector>

#include "crema/base/memory.h"
#include "crema/counts/solvers.h"
#include "crema/image/image.h"
#include "crema/voxels/votes/votes.h"

namespace crema {

struct ShapeOptions {
  Tie tie = Tie::background;         ///< for voxels whose mean distance is nothing
  std::vector<double> weights = {};  ///< one per rater, or none: all count alike
  double softness = 0;  ///< of shape_levels, in mm; 0: the cube root of a voxel's volume, or in 2-D the
                        ///< square root of its area
  const MemoryAccount* memory = nullptr;
  std::function<bool()> stop = {};  ///< called now and then; true: give up
};

/// Shape-based averaging (Rohlfing and Maurer, 2007): the voxels whose mean signed distance D to the raters'
/// masks, in millimetres, is below zero.
///
/// The distance of a voxel to a mask is that of its centre to the nearest centre inside when it lies outside,
/// and minus that to the nearest centre outside when it lies inside. A mask that is empty or fills the grid
/// has no boundary: its distance is plus or minus the diagonal of the grid. When all are empty, so is the
/// result.
/// Throws InputError on a grid whose axes are not at right angles, on weights that do not fit; Cancelled when
/// stopped.
HardImage shape_average(const Grid& grid, const Votes& votes, const ShapeOptions& options);

/// D in every voxel of a grid, x running fastest. `diagonal` is the distance to a mask without a boundary.
std::vector<double> mean_signed_distances(const Grid& grid, const Votes& votes, const ShapeOptions& options,
                                          double diagonal);

/// The length of the grid's diagonal, and how near to each other two mean distances are the same, in mm.
double grid_diagonal(const Grid& grid);
double distance_rounding(const Grid& grid);

/// 1/(1 + exp(D/softness)) per voxel. Levels as near to 0 as those that a float32 rounds to 1 are to 1 are 0.
SoftImage shape_levels(const Grid& grid, const Votes& votes, const ShapeOptions& options);

}  // namespace crema
