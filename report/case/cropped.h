// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>

#include "crema/image/grid.h"
#include "crema/voxels/components.h"

namespace crema::report {

/// Where a voxel of the image lies in the box, or nothing.
class Cropped {
 public:
  Cropped(const Grid& grid, const Box& box) : grid_(grid), box_(box), size_(box.size()) {}

  [[nodiscard]] std::size_t voxels() const { return static_cast<std::size_t>(box_.voxels()); }

  /// Calls f(place in the box, place in the run) for those voxels of a run that lie in the box.
  template <class F>
  void each(const Run& run, F f) const {
    const auto [x, y, z] = grid_.point(run.first);
    if (y < box_.low[1] || y >= box_.high[1] || z < box_.low[2] || z >= box_.high[2]) return;
    const std::int32_t from = std::max(x, box_.low[0]), to = std::min(x + run.length, box_.high[0]);
    const std::int64_t line = (std::int64_t{z - box_.low[2]} * size_[1] + (y - box_.low[1])) * size_[0];
    for (std::int32_t i = from; i < to; ++i)
      f(static_cast<std::size_t>(line + i - box_.low[0]), static_cast<std::size_t>(i - x));
  }

  /// All voxels of the box as runs of the image.
  template <class F>
  void each_row(F f) const {
    for (std::int32_t z = box_.low[2]; z < box_.high[2]; ++z)
      for (std::int32_t y = box_.low[1]; y < box_.high[1]; ++y)
        f(Run{(std::int64_t{z} * grid_.size[1] + y) * grid_.size[0] + box_.low[0], size_[0]});
  }

 private:
  const Grid& grid_;
  const Box& box_;
  std::array<std::int32_t, 3> size_;
};

}  // namespace crema::report
