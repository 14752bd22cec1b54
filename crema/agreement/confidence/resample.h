// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
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

/// Raters' weights times how often they count; times alone where there are no weights. Throws UsageError when
/// nobody counts.
std::vector<double> multiply_weights(const std::vector<double>& weights, const std::vector<double>& times);

/// Raters by their numbers, so often as they are drawn.
std::vector<std::size_t> drawn_raters(const std::vector<double>& times);

/// Why a method that looks at neighbouring voxels cannot be resampled.
std::string needs_voxels(const Method& method);

}  // namespace crema
