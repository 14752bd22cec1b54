// SPDX-License-Identifier: Apache-2.0
// From label maps to counts: each structure is reduced as a mask of its own, on the box it lies in.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "crema/fuse.h"
#include "crema/labels/label_maps.h"

namespace crema {

/// One or several labels that are fused as one mask.
struct Structure {
  Label value = 0;   ///< what its voxels get in the consensus
  std::string name;  ///< may be empty
  std::vector<Label> labels;
  int parent = -1;  ///< the place of the structure it lies inside

  static constexpr int kNone = -1;
};

/// A structure, counted.
struct StructureCounts {
  Structure structure;
  Box box;                 ///< of what was drawn; one more slice where a 3-D image would look flat
  std::int64_t drawn = 0;  ///< voxels, Σ over the raters
  std::vector<std::int64_t> voxels_of_rater = {};
  Reduction reduction;  ///< on the grid of the box
};

struct LabelCounts {
  std::shared_ptr<const LabelMaps> maps;
  std::vector<StructureCounts> structures;  ///< in the order they were asked for

  bool regions = false;  ///< they may lie inside each other

  [[nodiscard]] bool nested() const { return regions; }
  [[nodiscard]] const Grid& grid() const { return maps->grid; }
  [[nodiscard]] int raters() const { return static_cast<int>(maps->raters.size()); }
};

/// Counts each structure once, one after the other; all of them share one reading of the maps.
LabelCounts count_labels(std::shared_ptr<const LabelMaps> maps, std::vector<Structure> structures,
                         Needs needs, const Options& options);

/// Who drew any of these labels, on a box that holds them all.
Votes votes_on(const LabelMaps& maps, const std::vector<Label>& labels, const Box& box);

/// Voxels of a box as voxels of the whole grid.
class Placing {
 public:
  Placing(const Grid& grid, const Box& box) : grid_(grid), low_(box.low), size_(box.size()) {}

  [[nodiscard]] std::int64_t operator()(std::int64_t voxel) const {
    const std::int64_t x = voxel % size_[0], y = voxel / size_[0] % size_[1], z = voxel / size_[0] / size_[1];
    return x + low_[0] + grid_.size[0] * (y + low_[1] + grid_.size[1] * (z + low_[2]));
  }

 private:
  const Grid& grid_;
  std::array<std::int32_t, 3> low_, size_;
};

/// Calls f(voxel of the whole grid, row) for all voxels of a component, in raster order.
template <class F>
void for_each_voxel(const Grid& grid, const StructureCounts& counts, std::size_t component, F f) {
  const Placing place(grid, counts.box);
  const Components& components = counts.reduction.components;
  const std::uint32_t* row = counts.reduction.crowns[component].row_of_voxel.data();
  for (const Run& run : components.runs_of(components.list[component])) {
    const auto first = static_cast<std::size_t>(place(run.first));
    for (std::size_t i = 0; i < static_cast<std::size_t>(run.length); ++i) f(first + i, *row++);
  }
}

/// The same for the voxels that a hard decision takes in.
template <class F>
void for_each_inside(const Grid& grid, const StructureCounts& counts, std::size_t component,
                     const Decision& decision, F f) {
  if (decision.voxels == 0) return;
  std::vector<std::int64_t> left = decision.inside;
  for_each_voxel(grid, counts, component, [&](std::size_t voxel, std::uint32_t row) {
    if (left[row] == 0) return;
    --left[row];
    f(voxel);
  });
}

}  // namespace crema
