// SPDX-License-Identifier: Apache-2.0
// What raters say who give every voxel one of several labels.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "crema/counts/tally.h"
#include "crema/image/grid.h"
#include "crema/image/image.h"

namespace crema {

/// 0 is background.
using Label = std::uint16_t;

/// Labels are numbered from 1 in 16 bits, and one number is needed to mark what is disputed.
inline constexpr std::size_t kMaxLabels = 65534;

/// Consecutive voxels that one rater gave one label; may go on over the end of an image row.
struct LabelRun {
  std::int64_t first;
  std::int32_t length;
  Label label;

  friend bool operator==(const LabelRun&, const LabelRun&) = default;
};

/// One rater's label map without its background, so that memory grows with what was drawn.
class LabelRuns {
 public:
  /// The labels of the voxels from `first` on. Parts come in raster order.
  void take(std::int64_t first, std::span<const Label> part);
  /// One more run, behind all others, or of another label than those it overlaps.
  void add(LabelRun run) { runs_.push_back(run); }

  /// Puts runs of several layers into raster order. Returns how many voxels have several labels.
  std::int64_t sort();

  [[nodiscard]] std::span<const LabelRun> runs() const { return runs_; }

 private:
  std::vector<LabelRun> runs_;
};

struct LabelMaps {
  Grid grid;
  std::vector<LabelRuns> raters;
  bool overlapping = false;  ///< a rater gave some voxel several labels
};

/// What the raters together drew of one label.
struct LabelExtent {
  Label label = 0;
  Box box = {};
  Raters raters = 0;        ///< who drew any of it
  std::int64_t voxels = 0;  ///< Σ over the raters
};

/// All labels that occur, by value.
std::vector<LabelExtent> labels_in(const LabelMaps& maps);

/// Label maps in memory, one value per voxel. Throws InputError where a map has another size than the grid.
LabelMaps take_labels(const Grid& grid, std::span<const std::span<const Label>> maps);

}  // namespace crema
