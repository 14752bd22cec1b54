// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "crema/agreement/surfaces/voxel_set.h"
#include "crema/base/memory.h"

namespace crema {

/// From every voxel of one set to the nearest of another; the numbers of both.
struct Way {
  std::size_t from, to;
};

/// Takes the distances of a way, in raster order and in the unit of the spacing. Called on several threads,
/// once for each way, unless the set that it leads to is empty.
using TakeDistances = std::function<void(std::size_t way, const std::vector<double>& distances)>;

/// The distances to a set are found once: in a map of the bounding box of all sets, or, where that holds much
/// more than the sets or is more than `memory` allows, in a tree of the set's voxels. Both give the same
/// numbers.
void directed_distances(const Grid& grid, const std::array<double, 3>& spacing,
                        std::span<const VoxelSet> sets, std::span<const Way> ways,
                        const MemoryAccount* memory, const TakeDistances& take);

}  // namespace crema
