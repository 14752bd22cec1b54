// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "crema/labels/settle/joint.h"
#include "crema/options.h"

namespace crema {

/// Label maps and their consensus; labels[s] of the consensus belongs to structures[s] of the counts.
struct LabelFusion {
  LabelCounts counts;
  LabelConsensus consensus;
};

/// The whole way for one method: label maps of one grid, one value per voxel, to one map in which no voxel
/// has two labels. Every label that occurs is fused. Throws InputError where none does, or where a map has
/// another size than the grid, and UsageError for a method that does not fuse labels.
LabelFusion fuse_labels(const Grid& grid, std::span<const std::span<const Label>> maps,
                        const Options& options = {});

/// The same for networks: each map has the levels of so many classes, one class after the other, the first of
/// them the background. The others become labels 1, 2 … Where their levels sum to more than 1 they are
/// divided by the sum; the label is the highest, the background's share among them. Throws InputError where a
/// map has another size or holds what is no level, and UsageError for a method that takes masks only.
LabelFusion fuse_classes(const Grid& grid, std::span<const std::span<const float>> maps, int classes,
                         const Options& options = {});

}  // namespace crema
