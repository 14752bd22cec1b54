// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <span>

#include "crema/image/grid.h"

namespace crema::phantom {

using Vector = std::array<double, 3>;

/// base^exponent for 0 ≤ exponent < 1, from square roots alone: IEEE 754 fixes each bit of it, unlike
/// std::pow.
double power(double base, double exponent);

/// A smooth function of direction with values in [-1, 1): random heights on a lattice around the unit sphere.
class Rough {
 public:
  /// cells: lattice cells across the sphere, 1 … 4; more is rougher.
  Rough(std::uint64_t key, int cells);
  [[nodiscard]] double at(const Vector& direction) const;
  [[nodiscard]] double lowest() const { return lowest_; }
  [[nodiscard]] double highest() const { return highest_; }

 private:
  int cells_;
  double lowest_ = 0, highest_ = 0;  ///< bounds of at()
  std::array<double, 125> heights_{};
};

/// An ellipsoid in voxel coordinates. An outline around it is a radius for each direction, 1 being its
/// surface.
struct Blob {
  Vector centre{};
  std::array<Vector, 3> to_unit{};  ///< rows of the map that takes the ellipsoid to the unit sphere
  Vector reach{};                   ///< half of its bounding box

  [[nodiscard]] Vector unit_of(const Vector& offset) const {
    Vector q{};
    for (std::size_t a = 0; a < 3; ++a)
      q[a] = to_unit[a][0] * offset[0] + to_unit[a][1] * offset[1] + to_unit[a][2] * offset[2];
    return q;
  }
};

/// With semi-axes along those of the grid; a semi-axis of 0 makes it flat: it lies in one slice.
Blob straight_blob(const Vector& centre, const Vector& semi);

/// With semi-axes turned at random; only in plane when the last one is 0.
Blob turned_blob(const Vector& centre, const Vector& semi, std::uint64_t key);

/// Distance in voxels from the centre to the surface along a unit vector.
double surface_along(const Blob& blob, const Vector& direction);

/// The voxels of the grid that an outline of largest radius `high` may cover.
Box box_of(const Grid& grid, const Blob& blob, double high);

/// Where one row of voxels runs: x in [begin, end).
struct RowPart {
  std::int32_t begin, end;
};

/// The part of a row, cut to `limits`, that may lie within the radius: at most two voxels too long at each
/// end.
RowPart row_part(const Blob& blob, std::int32_t y, std::int32_t z, double radius, RowPart limits);

/// Sets the voxel nearest to the centre.
void draw_centre(const Grid& grid, std::span<std::uint8_t> mask, const Blob& blob);

/// Sets the voxels for which within(direction, radius) holds, and the one at the centre.
/// All radii below `low` are taken to be inside and all from `high` on outside, without asking.
template <class Within>
void draw(const Grid& grid, std::span<std::uint8_t> mask, const Blob& blob, double low, double high,
          Within&& within) {
  const Box box = box_of(grid, blob, high);
  const auto inside = [&](const Vector& q) {
    const double square = q[0] * q[0] + q[1] * q[1] + q[2] * q[2];
    if (square >= high * high) return false;
    if (square < low * low) return true;
    const double length = std::sqrt(square);
    return within(Vector{q[0] / length, q[1] / length, q[2] / length}, length);
  };
  for (std::int32_t z = box.low[2]; z < box.high[2]; ++z)
    for (std::int32_t y = box.low[1]; y < box.high[1]; ++y) {
      auto* row = &mask[static_cast<std::size_t>((std::int64_t{z} * grid.size[1] + y) * grid.size[0])];
      const RowPart part = row_part(blob, y, z, high, {box.low[0], box.high[0]});
      for (std::int32_t x = part.begin; x < part.end; ++x) {
        const Vector offset{x - blob.centre[0], y - blob.centre[1], z - blob.centre[2]};
        if (inside(blob.unit_of(offset))) row[x] = 1;
      }
    }
  draw_centre(grid, mask, blob);
}

}  // namespace crema::phantom
