// SPDX-License-Identifier: Apache-2.0
// From label maps to counts: each structure is reduced as a mask of its own.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "crema/labels/label_maps.h"
#include "crema/reduction.h"
#include "crema/solution.h"
#include "crema/tables/method.h"

namespace crema {

/// One or several labels that are fused as one mask.
struct Structure {
  Label value = 0;   ///< what its voxels get in the consensus
  std::string name;  ///< may be empty
  std::vector<Label> labels;
  int parent = -1;  ///< the place of the structure it lies inside
  int channel = 0;  ///< of raters' maps that have several, the one with its levels

  static constexpr int kNone = -1;
};

/// A structure, counted.
struct StructureCounts {
  Structure structure;
  std::int64_t drawn = 0;  ///< voxels, Σ over the raters
  std::vector<std::int64_t> voxels_of_rater = {};
  Reduction reduction = {};  ///< on the grid of the case
};

/// How many threads are worth while for a structure: to start them takes longer than to do a small one.
inline int threads_for(const StructureCounts& counts, int threads) {
  constexpr std::int64_t kFewVoxels = 1 << 15;
  return counts.drawn < kFewVoxels ? 1 : threads;
}

/// The counts of a case: n structures on one grid. A mask is one structure without a name, and has no maps.
struct LabelCounts {
  std::shared_ptr<const LabelMaps> maps = {};  ///< where raters gave labels
  std::vector<StructureCounts> structures;     ///< at least one
  bool regions = false;                        ///< they may lie inside each other

  [[nodiscard]] bool nested() const { return regions; }
  [[nodiscard]] bool overlapping() const { return maps && maps->overlapping; }
  [[nodiscard]] const Grid& grid() const { return structures.front().reduction.grid; }
  [[nodiscard]] int raters() const { return structures.front().reduction.raters; }
  /// Whether raters gave levels of classes; `maps` are then what they hold from ½ on.
  [[nodiscard]] bool of_levels() const { return maps && structures.front().reduction.levels; }
};

/// Counts each structure once, one after the other; all of them share one reading of the maps.
LabelCounts count_labels(std::shared_ptr<const LabelMaps> maps, std::vector<Structure> structures,
                         Needs needs, const Options& options);

/// Who drew any of these labels, on a box that holds them all.
Votes votes_on(const LabelMaps& maps, const std::vector<Label>& labels, const Box& box);

/// Where a structure may have levels: in its components, or in the parts of its support, of which the rest
/// that belongs to no component comes last.
inline std::size_t level_parts(const Reduction& reduction) {
  return reduction.crowns.size() + (reduction.levels ? 1 : 0);
}
std::span<const Run> level_runs(const Reduction& reduction, std::size_t part);

/// Calls f(voxel, i) for all voxels of a part, in raster order; i counts them.
template <class F>
void for_each_in_part(const Reduction& reduction, std::size_t part, F f) {
  std::size_t i = 0;
  for (const Run& run : level_runs(reduction, part))
    for (std::int32_t d = 0; d < run.length; ++d) f(static_cast<std::size_t>(run.first + d), i++);
}

/// Calls f(voxel, row) for all voxels of a component, in raster order.
template <class F>
void for_each_voxel(const StructureCounts& counts, std::size_t component, F f) {
  const Components& components = counts.reduction.components;
  const std::uint32_t* row = counts.reduction.crowns[component].row_of_voxel.data();
  for (const Run& run : components.runs_of(components.list[component])) {
    const auto first = static_cast<std::size_t>(run.first);
    for (std::size_t i = 0; i < static_cast<std::size_t>(run.length); ++i) f(first + i, *row++);
  }
}

/// The same for the voxels that a hard decision takes in.
template <class F>
void for_each_inside(const StructureCounts& counts, std::size_t component, const Decision& decision, F f) {
  if (decision.voxels == 0) return;
  std::vector<std::int64_t> left = decision.inside;
  for_each_voxel(counts, component, [&](std::size_t voxel, std::uint32_t row) {
    if (left[row] == 0) return;
    --left[row];
    f(voxel);
  });
}

}  // namespace crema
