// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "crema/image/grid.h"
#include "crema/voxels/votes/votes.h"

namespace crema {

/// The whole grid as a box.
inline Box whole_box(const Grid& grid) { return {.low = {0, 0, 0}, .high = grid.size}; }

/// What two boxes share; empty if nothing.
Box common(const Box& a, const Box& b);

/// The smallest box in `within` that holds every voxel there that one of `raters` marked; empty if none.
Box extent_of(const Grid& grid, const Votes& votes, const Box& within, Raters raters);

/// The box with that many voxels more on each side, as far as the grid goes.
Box padded(const Grid& grid, const Box& box, const std::array<std::int32_t, 3>& margin);

}  // namespace crema
