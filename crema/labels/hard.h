// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "crema/labels/joint.h"

namespace crema {

/// The sums of a mask that takes so many voxels of each row.
Sums sum_inside(const Tally& tally, const std::vector<std::int64_t>& inside);

/// One label per voxel from what each of the chosen structures takes alone; tells in `consensus` what was
/// disputed.
LabelImage paint_disjoint(const LabelCounts& counts, const std::vector<std::size_t>& chosen,
                          const Options& options, LabelConsensus& consensus);

/// The levels that a label has alone.
LabelLevels levels_alone(const StructureCounts& counts, const Solution& alone);

/// The label whose mean signed distance to the raters' is least, the background included.
LabelImage paint_by_distance(const LabelCounts& counts, const Options& options);

/// Divides levels whose sum is above 1 by it, in `consensus.levels`; returns the label of the highest level,
/// or 0 where what is left to the background is higher.
LabelImage paint_levels(const LabelCounts& counts, const Options& options, LabelConsensus& consensus);

}  // namespace crema
