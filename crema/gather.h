// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "crema/fuse.h"

namespace crema {

/// The rater groups of a region with their background, from the tallies alone: no voxel is read again.
/// Throws InputError when the region is empty.
Groups gather(const Reduction& reduction, const Region& region);

/// The options that concern a method for the whole image.
/// Throws UsageError when the prior that the method accepts comes out as no chance between 0 and 1.
GroupOptions group_options(const Groups& groups, const Method& method, const Options& options);

/// The levels of the rows of a component, given those of the groups.
Levels levels_of(const Tally& tally, const Groups& groups, const Levels& levels);

}  // namespace crema
