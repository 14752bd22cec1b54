// SPDX-License-Identifier: Apache-2.0
// Regions that hold each other, such as the whole tumour, its core and what enhances of it.
#pragma once

#include "crema/labels/choice.h"
#include "crema/labels/joint.h"

namespace crema {

/// Regions as structures, each behind the one it lies inside. A region is written as the smallest of its
/// labels that no region inside it has; says which labels the result can no longer tell apart.
std::vector<Structure> nest(const std::vector<NamedLabels>& regions, Warnings& warnings);

/// One label per voxel from what each region takes alone: a region is cut to the one it lies inside, and
/// regions beside each other are settled as labels are.
LabelImage paint_nested(const LabelCounts& counts, const Options& options, LabelConsensus& consensus);

}  // namespace crema
