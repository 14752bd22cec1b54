// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <utility>
#include <vector>

#include "crema/agreement/surfaces/voxel_set.h"
#include "crema/base/memory.h"

namespace crema {

/// The numbers of two sets.
using SetPair = std::pair<std::size_t, std::size_t>;

/// From the first set of a pair to the second, or the other way.
enum class Direction : std::uint8_t { there, back };

/// Takes the distance of every voxel of one set to the nearest of the other, in raster order and in the unit
/// of the spacing. Called on several threads, once for each pair and direction, unless the set that distances
/// lead to is empty.
using TakeDistances =
    std::function<void(std::size_t pair, Direction direction, const std::vector<double>& distances)>;

/// The distances to a set are found once: in a map of the bounding box of all sets, or, where that holds much
/// more than the sets or is more than `memory` allows, in a tree of the set's voxels. Both give the same
/// numbers.
void directed_distances(const Grid& grid, const std::array<double, 3>& spacing,
                        std::span<const VoxelSet> sets, std::span<const SetPair> pairs,
                        const MemoryAccount* memory, const TakeDistances& take);

}  // namespace crema
