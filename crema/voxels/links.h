// SPDX-License-Identifier: Apache-2.0
// Which runs of voxels touch: of the union of raters, and of any set of voxels.
#pragma once

#include <vector>

#include "crema/voxels/forest.h"
#include "crema/voxels/runs.h"

namespace crema {

/// One tree for each connected component. No run crosses the end of an image row, nor a slice where x is
/// closed.
Forest link_runs(const RunTable& table, const Grid& grid, const Neighbourhood& neighbourhood);

/// The rows of runs in raster order, closed by one that is behind all others.
std::vector<Row> rows_of(const Grid& grid, const std::vector<Run>& runs);

}  // namespace crema
