// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "crema/agreement/surfaces/voxel_set.h"

namespace crema {

/// How many faces of a set's voxels have no voxel of the set behind them, those on the border of the grid
/// included; of a flat grid how many edges. Divided by voxels^(2/3), of a flat grid by their square root, it
/// says how regular the boundary is, whatever the size.
std::int64_t count_faces(const Grid& grid, const VoxelSet& set);

}  // namespace crema
