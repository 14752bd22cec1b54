// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <limits>
#include <span>
#include <vector>

#include "crema/labels/label_maps.h"

namespace crema {

/// Walks over all raters' runs side by side. No rater's own runs may overlap.
class SideBySide {
 public:
  explicit SideBySide(const LabelMaps& maps) : labels(maps.raters.size(), 0), maps_(maps) {
    place_.assign(labels.size(), 0);
  }

  /// Fills in what each rater says of this voxel; voxels are requested in raster order. Returns the first
  /// voxel behind it of which some rater says something else.
  std::int64_t look_at(std::int64_t voxel) {
    std::int64_t end = std::numeric_limits<std::int64_t>::max();
    for (std::size_t k = 0; k < labels.size(); ++k) {
      const std::span<const LabelRun> runs = maps_.raters[k].runs();
      std::size_t& place = place_[k];
      while (place < runs.size() && runs[place].first + runs[place].length <= voxel) ++place;
      const bool inside = place < runs.size() && runs[place].first <= voxel;
      labels[k] = inside ? runs[place].label : Label{0};
      if (place < runs.size())
        end = std::min(end, inside ? runs[place].first + runs[place].length : runs[place].first);
    }
    return end;
  }

  std::vector<Label> labels;  ///< what each rater said of the voxel that was requested

 private:
  const LabelMaps& maps_;
  std::vector<std::size_t> place_;
};

/// Calls f(first, length, labels) for the longest stretches of voxels of which no rater changes their mind,
/// but for those that nobody drew.
template <class F>
void for_each_stretch(const LabelMaps& maps, F f) {
  SideBySide walk(maps);
  constexpr std::int64_t kEnd = std::numeric_limits<std::int64_t>::max();
  for (std::int64_t voxel = 0; voxel < maps.grid.voxels();) {
    const std::int64_t end = walk.look_at(voxel);
    const bool drawn =
        std::any_of(walk.labels.begin(), walk.labels.end(), [](Label label) { return label != 0; });
    if (drawn) f(voxel, end - voxel, std::span<const Label>(walk.labels));
    if (end == kEnd) return;
    voxel = end;
  }
}

}  // namespace crema
