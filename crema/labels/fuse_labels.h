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

}  // namespace crema
