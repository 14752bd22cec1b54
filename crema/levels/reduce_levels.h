// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "crema/fuse.h"
#include "crema/levels/sparse.h"

namespace crema {

/// Maps of levels to the waist: the cores {level ≥ ½} are counted like masks, and each component gets the
/// raters' levels on its part of the support. A voxel of the support outside all cores joins the core that it
/// reaches in the fewest steps inside the support; of several, the one with the fewest voxels, then the
/// first. The maps are freed as they are placed.
Reduction reduce_levels(const Grid& grid, std::vector<SparseLevels> maps, double floor, Needs needs,
                        const Options& options);

}  // namespace crema
