// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "crema/image/grid.h"

namespace crema {

/// A stretch of windows or voxels along one axis, first ≤ i < last.
struct Stretch {
  std::int32_t first, last;
};

/// Windows along one axis of n voxels: their centres are `step` apart and lie in the middle of the axis as
/// far as whole voxels allow. Every voxel is covered when step ≤ 2·half + 1.
struct WindowAxis {
  std::int32_t n, half, step;

  /// Windows that reach from end to end wherever their centre lies are all the same: one will do.
  [[nodiscard]] std::int32_t count() const { return half >= n - 1 ? 1 : (n - 1) / step + 1; }

  [[nodiscard]] std::int32_t offset() const { return (n - 1 - (count() - 1) * step) / 2; }

  [[nodiscard]] Stretch voxels_of(std::int32_t window) const {
    const std::int64_t centre = offset() + std::int64_t{window} * step;
    return {static_cast<std::int32_t>(std::max<std::int64_t>(0, centre - half)),
            static_cast<std::int32_t>(std::min<std::int64_t>(n, centre + half + 1))};
  }

  [[nodiscard]] Stretch windows_over(std::int32_t voxel) const {
    const std::int64_t from = std::int64_t{voxel} - half - offset(),
                       to = std::int64_t{voxel} + half - offset();
    const std::int64_t first = from <= 0 ? 0 : (from + step - 1) / step;
    const std::int64_t last = std::min<std::int64_t>(count(), to / step + 1);
    return {static_cast<std::int32_t>(first), static_cast<std::int32_t>(last)};
  }
};

/// The windows of an image; like voxels they are numbered with x running fastest.
struct Windows {
  std::array<WindowAxis, 3> axis;

  [[nodiscard]] std::int64_t count() const {
    return std::int64_t{axis[0].count()} * axis[1].count() * axis[2].count();
  }

  [[nodiscard]] std::int64_t number(std::int32_t x, std::int32_t y, std::int32_t z) const {
    return x + std::int64_t{axis[0].count()} * (y + std::int64_t{axis[1].count()} * z);
  }

  [[nodiscard]] Box box_of(std::int64_t window) const {
    const std::int64_t nx = axis[0].count(), ny = axis[1].count();
    const std::array<std::int64_t, 3> at{window % nx, window / nx % ny, window / nx / ny};
    Box box;
    for (std::size_t a = 0; a < 3; ++a) {
      const Stretch s = axis[a].voxels_of(static_cast<std::int32_t>(at[a]));
      box.low[a] = s.first;
      box.high[a] = s.last;
    }
    return box;
  }
};

}  // namespace crema
