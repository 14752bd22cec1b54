// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "crema/voxels/components.h"
#include "crema/voxels/neighbourhood.h"
#include "crema/voxels/votes/votes.h"

namespace crema {

/// Total distance of each voxel of a component, in the order of its runs: the sum over the raters present of
/// the number of neighbourhood steps to the rater's nearest voxel in the component. Steps go over the plain
/// grid.
std::vector<std::uint32_t> total_distances(const Grid& grid, const Votes& votes, const Components& components,
                                           const Component& component, const Neighbourhood& neighbourhood);

/// What that takes in bytes while it is done with so many threads, beside what it returns.
std::int64_t distance_bytes(const Component& component, const Neighbourhood& neighbourhood, int raters,
                            int threads);

}  // namespace crema
