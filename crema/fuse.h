// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "crema/image/image.h"
#include "crema/options.h"
#include "crema/reduction.h"
#include "crema/solution.h"
#include "crema/tables/method.h"

namespace crema {

struct Consensus {
  Image image;
  Reduction reduction;
  Solution solution;
};

/// Voxels to counts: votes outside a region that is a mask are forgotten, then components, distances where
/// `needs` requests them, crowns. The votes live on only where neighbours are needed.
Reduction reduce(const Grid& grid, Votes votes, Needs needs, const Options& options);

/// Counts to levels, for one method.
/// Throws UsageError on weights that do not fit, on a prior outside (0,1), and on certifying a method that
/// has no criterion.
Solution solve(const Reduction& reduction, const Method& method, const Options& options);

/// Levels to voxels. An image that the method painted itself is handed on: the solution no longer holds it.
/// `canvas` may be an image of the same reduction that was painted here before and is no longer needed: where
/// it fits it is painted over, which is cheaper than fresh memory.
Image paint(const Reduction& reduction, Solution& solution, const Options& options, Image canvas = {});

/// Soft levels as a mask of what lies above the threshold; the tie policy has what lies at it. Masks stay.
Image cut(Image image, double threshold, Tie tie);

/// The whole way for one method: masks of one grid to their consensus.
Consensus fuse(const Grid& grid, std::span<const Mask> masks, const Options& options = {});

/// The same for raters who give levels from 0 to 1, one per voxel, borrowed; those below `Options::floor`
/// count as 0. `Solution::votes` say how much each rater counts. Throws InputError where a map has another
/// size or holds what is no level, and UsageError for a method that takes masks only.
Consensus fuse_levels(const Grid& grid, std::span<const std::span<const float>> maps,
                      const Options& options = {});

}  // namespace crema
