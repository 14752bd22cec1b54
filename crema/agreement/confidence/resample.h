// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "crema/fuse.h"

namespace crema {

/// The consensus of the same components when every rater counts `times` as often; 0 leaves a rater out.
/// Methods that know weights get them times these; those that estimate performance see the rater's mask so
/// often (the numbers are then whole, and at most 64 in all). Nothing but counts is looked at, and of levels
/// their maps; those have their image with them. Throws UsageError when nobody counts, and for methods that
/// look at neighbouring voxels.
Solution solve_resampled(const Reduction& reduction, const Method& method, const Options& options,
                         const std::vector<double>& times);

}  // namespace crema
