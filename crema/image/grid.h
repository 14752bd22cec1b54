// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

namespace crema {

/// Where voxels lie. Axis order is written here only: x runs fastest in memory, then y, then z.
/// A 2-D image has size[2] == 1. A voxel (i,j,k) has its centre at
/// origin + direction · (spacing ∘ (i,j,k)), in millimetres, axes pointing right, anterior, superior.
/// direction is row-major; its columns need not be orthogonal (shear is kept).
struct Grid {
  std::array<std::int32_t, 3> size{0, 0, 1};
  std::array<double, 3> spacing{1, 1, 1};
  std::array<double, 3> origin{0, 0, 0};
  std::array<double, 9> direction{1, 0, 0, 0, 1, 0, 0, 0, 1};
  bool measured = true;  ///< the spacing is known; else it is 1 for want of a better number, and not in mm

  [[nodiscard]] constexpr std::int64_t voxels() const {
    return static_cast<std::int64_t>(size[0]) * size[1] * size[2];
  }
  /// Where a voxel lies, by its place in raster order.
  [[nodiscard]] constexpr std::array<std::int32_t, 3> point(std::int64_t voxel) const {
    const std::int64_t row = voxel / size[0];
    return {static_cast<std::int32_t>(voxel % size[0]), static_cast<std::int32_t>(row % size[1]),
            static_cast<std::int32_t>(row / size[1])};
  }
  [[nodiscard]] constexpr std::int64_t rows() const { return static_cast<std::int64_t>(size[1]) * size[2]; }
  [[nodiscard]] constexpr bool flat() const { return size[2] == 1; }

  /// Volume of one voxel in mm³: |det(direction)| times the spacings.
  [[nodiscard]] double voxel_volume() const {
    const auto& d = direction;
    const double det = d[0] * (d[4] * d[8] - d[5] * d[7]) - d[1] * (d[3] * d[8] - d[5] * d[6]) +
                       d[2] * (d[3] * d[7] - d[4] * d[6]);
    const double volume = det * spacing[0] * spacing[1] * spacing[2];
    return volume < 0 ? -volume : volume;
  }

  /// Area of one pixel in the plane of x and y, in mm²: of a 2-D image, whatever its thickness.
  [[nodiscard]] double voxel_area() const {
    const auto& d = direction;
    const double normal[] = {d[3] * d[7] - d[6] * d[4], d[6] * d[1] - d[0] * d[7], d[0] * d[4] - d[3] * d[1]};
    return std::hypot(normal[0], normal[1], normal[2]) * spacing[0] * spacing[1];
  }

  friend bool operator==(const Grid&, const Grid&) = default;
};

enum class Axis : std::uint8_t { x = 0, y = 1, z = 2 };

/// Half-open box of voxels, low ≤ p < high.
struct Box {
  std::array<std::int32_t, 3> low{0, 0, 0};
  std::array<std::int32_t, 3> high{0, 0, 0};

  [[nodiscard]] constexpr std::array<std::int32_t, 3> size() const {
    return {high[0] - low[0], high[1] - low[1], high[2] - low[2]};
  }
  [[nodiscard]] constexpr std::int64_t voxels() const {
    return std::int64_t{high[0] - low[0]} * (high[1] - low[1]) * (high[2] - low[2]);
  }
  friend bool operator==(const Box&, const Box&) = default;
};

constexpr bool is_empty(const Box& box) {
  return box.low[0] >= box.high[0] || box.low[1] >= box.high[1] || box.low[2] >= box.high[2];
}

/// The smallest box that holds both; an empty one adds nothing.
constexpr Box united(Box a, const Box& b) {
  if (is_empty(b)) return a;
  if (is_empty(a)) return b;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    a.low[axis] = std::min(a.low[axis], b.low[axis]);
    a.high[axis] = std::max(a.high[axis], b.high[axis]);
  }
  return a;
}

}  // namespace crema
