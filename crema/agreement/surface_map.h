// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "crema/agreement/voxel_set.h"

namespace crema {

/// The numbers of two sets.
using SetPair = std::pair<std::size_t, std::size_t>;

/// The distance of every voxel of one set to the nearest of another, in raster order: from the first set to
/// the second, and the other way.
struct Directed {
  std::vector<double> there, back;
};

/// For each pair of sets, in the unit of the spacing; nothing where the other set is empty. The distances to
/// a set are found once, in the bounding box of all sets.
std::vector<Directed> directed_distances(const Grid& grid, const std::array<double, 3>& spacing,
                                         std::span<const VoxelSet> sets, std::span<const SetPair> pairs);

}  // namespace crema
