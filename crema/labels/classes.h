// SPDX-License-Identifier: Apache-2.0
// Probability maps of several classes: each class is a structure whose raters hold levels.
#pragma once

#include <vector>

#include "crema/labels/settle/joint.h"
#include "crema/levels/sparse.h"

namespace crema {

/// Levels of each structure, rater by rater.
using ClassLevels = std::vector<std::vector<SparseLevels>>;

/// Counts each class once. The label maps of the result are what raters hold from ½ on, the smaller label of
/// two; of regions inside each other the innermost. The levels are freed as they are placed.
LabelCounts count_classes(const Grid& grid, std::vector<Structure> structures, ClassLevels levels,
                          Needs needs, const Options& options);

/// Each class alone. Levels of classes whose sum is above 1 are divided by it, and the highest is the label,
/// the background's share among them. A voxel that several masks take goes to the class with the highest mean
/// level. Regions are cut at ½ and to the region they lie inside; their levels stay as they are.
LabelConsensus solve_classes(const LabelCounts& counts, const Method& method, const Options& options);

/// What a class got of what is painted; `shown` are the values of its voxels.
Solution measure_class(const LabelCounts& counts, std::size_t s, const std::vector<Label>& shown,
                       const Distance& distance, const std::vector<double>& weights,
                       const LabelConsensus& consensus);

}  // namespace crema
