// SPDX-License-Identifier: Apache-2.0
// Regions that hold each other, such as the whole tumour, its core and what enhances of it.
#pragma once

#include <functional>

#include "crema/labels/settle/joint.h"
#include "crema/labels/settle/starts.h"
#include "crema/tables/label_choice.h"

namespace crema {

/// Regions as structures, each behind the one it lies inside. A region is written as the smallest of its
/// labels that no region inside it has; says which labels the result can no longer distinguish.
std::vector<Structure> nest(const std::vector<NamedLabels>& regions, Warnings& warnings);

/// One region alone.
struct RegionAlone {
  Solution solution;
  Taken taken;
};

/// Fuses a region as a mask, and cuts levels at 0.5.
RegionAlone solve_region(const StructureCounts& counts, const LabelMaps& maps, const Method& method,
                         const Options& options);

/// One label per voxel of regions that do not lie inside each other; they are given by their places.
using PaintLayer = std::function<LabelImage(const std::vector<std::size_t>& chosen)>;

/// One label per voxel of all regions: each is cut to the one it lies inside.
LabelImage paint_nested(const LabelCounts& counts, const PaintLayer& paint, LabelConsensus& consensus);

}  // namespace crema
