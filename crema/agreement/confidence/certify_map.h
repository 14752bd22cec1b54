// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "crema/fuse.h"

namespace crema {

/// What the raters say about a map from anywhere.
struct MapCertificate {
  std::vector<Decision> components;  ///< without levels: a map need not be constant on rows
  double lmsd = 0;
  double lower_bound = 0;                 ///< no consensus has a lower LMSD in this distance
  std::optional<double> best_known = {};  ///< where the distance has no bound: the least LMSD found, no proof
  std::size_t unproven = 0;               ///< components whose proof ran out of budget
  std::int64_t voxels = 0;                ///< voxels above 0.5
  std::int64_t outside =
      0;  ///< voxels above 0 that no rater drew, or no core of levels reaches; they belong to no component
};

/// LMSD of a map, one level in [0,1] per voxel of the grid, and how far it is from the best. Hard distances
/// want levels 0 and 1. Uses threads, weights and budget of the options. Throws InputError on another size
/// and on levels outside [0,1] or between 0 and 1 for a hard distance; UsageError where raters gave levels
/// and the distance neither has a bound on them nor a method.
MapCertificate certify_map(const Reduction& reduction, std::span<const float> map, Distance distance,
                           const Options& options);

}  // namespace crema
