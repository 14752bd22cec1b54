// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "crema/agreement/measured.h"
#include "crema/agreement/surfaces/voxel_set.h"
#include "crema/base/memory.h"
#include "crema/base/sentence.h"

namespace crema {

/// The voxels of a set with a face neighbour outside it or outside the grid. A 2-D image has four neighbours
/// to a voxel: the axis along which it is one voxel thick is not looked at.
VoxelSet surface_of(const Grid& grid, const VoxelSet& set);

/// How far apart the surfaces of two masks are, in millimetres between the centres of their voxels. A
/// directed set holds, for every voxel of one surface, the distance to the nearest voxel of the other.
struct SurfaceDistances {
  Measured hausdorff;    ///< the larger of the two directed maxima
  Measured hd95;         ///< the larger of the two directed 95th percentiles (linear interpolation)
  Measured hd95_pooled;  ///< the 95th percentile of both directed sets together, as MedPy has it
  Measured assd;         ///< the mean of both directed sets together
  Measured masd;         ///< the mean of the two directed means
  Measured nsd;          ///< the share of both surfaces that lies within the tolerance of the other
  /// The larger of the two directed 95th percentiles by area, as the library surface-distance has it:
  /// surfaces are the cells between 2×2×2 voxels that are not all alike, outside the grid being outside the
  /// mask, and each counts by the area that a mask with such corners has in it. Undefined unless requested.
  Measured hd95_area = Undefined::not_requested;
};

struct SurfaceOptions {
  double tolerance = 1;             ///< millimetres, for nsd
  bool area = false;                ///< hd95_area is wanted, which takes another distance map for each set
  MemoryAccount* memory = nullptr;  ///< what may be taken; none: as much as there is
};

/// The numbers of two sets.
using SetPair = std::pair<std::size_t, std::size_t>;

/// What to do where they take more memory than there is.
Sentence without_surfaces();

/// (0,1), (0,2) … (1,2) …
std::vector<SetPair> all_pairs(std::size_t sets);

/// For each pair of sets. Every set's surface is found once, and so are the distances to it. Undefined where
/// a set is empty and where the axes of the grid are not at right angles. Throws UsageError when the
/// tolerance is no number of at least 0.
std::vector<SurfaceDistances> compare_surfaces(const Grid& grid, std::span<const VoxelSet> sets,
                                               std::span<const SetPair> pairs,
                                               const SurfaceOptions& options = {});

}  // namespace crema
