// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "crema/voxels/components.h"

namespace crema {

/// One rater's map of levels where it is not below a floor: what lies below counts as 0 and is not held.
class SparseLevels {
 public:
  explicit SparseLevels(double floor);

  /// The next levels in raster order, from voxel `first` on; levels are in [0,1]. Parts may be left out.
  void add(std::int64_t first, std::span<const float> part);

  /// Gives back memory that was held for more.
  void finish();

  /// Consecutive voxels, in raster order; unlike those of a component they may cross image rows.
  [[nodiscard]] std::span<const Run> runs() const { return runs_; }
  /// In the order of the runs.
  [[nodiscard]] std::span<const float> values() const { return values_; }
  [[nodiscard]] std::int64_t bytes() const;

 private:
  void add_run(std::int64_t first, std::span<const float> part);

  std::int32_t least_;  ///< the bits of the least level that is held: levels are in the order of their bits
  std::vector<Run> runs_;
  std::vector<float> values_;
};

/// The voxels of any of the maps.
std::vector<Run> unite(std::span<const SparseLevels> maps);

}  // namespace crema
