// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "crema/labels/settle/joint.h"
#include "crema/labels/settle/starts.h"

namespace crema {

/// The sums of a mask that takes so many voxels of each row.
Sums sum_inside(const Tally& tally, const std::vector<std::int64_t>& inside);

/// What a hard decision about each component takes in.
Taken taken_by(const StructureCounts& counts, const std::vector<Decision>& components);

/// One label per voxel from what each of the chosen structures takes alone, and from the plurality vote where
/// the method minimises a criterion; says in `consensus` what was disputed. `taken` is by structure.
LabelImage paint_disjoint(const LabelCounts& counts, const std::vector<std::size_t>& chosen,
                          const std::vector<Taken>& taken, const Options& options, LabelConsensus& consensus);

/// The levels that a label has alone.
LabelLevels levels_alone(const StructureCounts& counts, const Solution& alone);

/// The label whose mean signed distance to the raters' is least, the background included.
LabelImage paint_by_distance(const LabelCounts& counts, const Options& options);

/// How much the raters back the i-th voxel of a part of a structure: how many drew it, or their mean level.
float backing_of(const Reduction& reduction, std::size_t part, std::size_t i);

/// Divides levels whose sum is above 1 by it, in `consensus.levels`, which hold what each label has alone;
/// returns the label of the highest level,
/// or 0 where what is left to the background is higher.
LabelImage paint_levels(const LabelCounts& counts, const Options& options, LabelConsensus& consensus);

}  // namespace crema
