// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "crema/image/grid.h"
#include "crema/phantom/blob.h"

namespace crema::phantom {

/// Raters who are persons: the same in all cases of a panel.
struct Panel {
  std::uint64_t key = 0;
  double shared = 0.3;  ///< correlation of two raters' errors at the same place, 0 to 1
};

/// What a rater does in every case.
struct Habit {
  double bias = 0;        ///< draws large or small; standard normal, within ±2.5
  double steadiness = 1;  ///< factor of the errors, 0.75 to 1.25
  double keenness = 0;    ///< sees more lesions than others; -1 to 1
};
Habit habit_of(const Panel& panel, int rater);

/// A size that varies from case to case by up to `spread` times in both directions.
double varied_size(std::uint64_t seed, double spread);

/// A number like one of a standard normal distribution: the sum of twelve uniform ones, so that every machine
/// gets the same bits.
double normal(std::uint64_t h);

/// A Gaussian random field of displacements: normal values on a lattice of control points, joined by cubic
/// B-splines. Raters of one case have a part of it in common.
class Deformation {
 public:
  static constexpr double kMax = 3;  ///< no component of at() is larger

  /// step: voxels between control points, at least a 48th of the axis.
  Deformation(const Grid& grid, const Vector& step, const Panel& panel, std::uint64_t seed, int rater);

  /// With a standard deviation of about 1 along each axis.
  [[nodiscard]] Vector at(const Vector& point) const;

 private:
  struct Weights {
    std::size_t first = 0, count = 1;
    std::array<double, 4> values{1, 0, 0, 0};
  };
  [[nodiscard]] Weights weights(std::size_t axis, double x) const;
  void fill(const Panel& panel, std::uint64_t seed, int rater);

  std::array<double, 3> cells_{};       ///< per voxel; 0 on an axis of one voxel
  std::array<std::size_t, 3> nodes_{};  ///< along each axis
  double scale_ = 1;                    ///< that makes the standard deviation 1
  std::vector<Vector> values_;
};

struct Radii {
  double low, high;
};

struct Polar {
  Vector direction;
  double radius;
};
/// The direction of the centre is the first axis.
Polar polar(const Vector& point);

/// How far a blob's unit coordinates move when voxels move by up to that much.
double unit_reach(const Blob& blob, const Vector& most);

/// As draw(), for a rater who sees each voxel displaced by field.at() times amplitude(direction), which is at
/// most `most` on each axis. All radii below `low` are inside, and all from `high` on outside, before that.
template <class Amplitude, class Within>
void draw_displaced(const Grid& grid, std::span<std::uint8_t> mask, const Blob& blob,
                    const Deformation& field, const Vector& most, Radii radii, Amplitude&& amplitude,
                    Within&& within) {
  const double reach = unit_reach(blob, most);
  const double low = radii.low - reach, high = radii.high + reach;
  const auto sees = [&](const Vector& voxel) {
    Vector offset{};
    for (std::size_t a = 0; a < 3; ++a) offset[a] = voxel[a] - blob.centre[a];
    const Polar seen = polar(blob.unit_of(offset));
    if (seen.radius < low) return true;
    if (seen.radius >= high) return false;
    const Vector factor = amplitude(seen.direction), move = field.at(voxel);
    for (std::size_t a = 0; a < 3; ++a) offset[a] += factor[a] * move[a];
    const Polar moved = polar(blob.unit_of(offset));
    return within(moved.direction, moved.radius);
  };
  const Box box = box_of(grid, blob, high);
  for (std::int32_t z = box.low[2]; z < box.high[2]; ++z)
    for (std::int32_t y = box.low[1]; y < box.high[1]; ++y) {
      auto* row = &mask[static_cast<std::size_t>((std::int64_t{z} * grid.size[1] + y) * grid.size[0])];
      const RowPart part = row_part(blob, y, z, high, {box.low[0], box.high[0]});
      for (std::int32_t x = part.begin; x < part.end; ++x)
        if (sees({static_cast<double>(x), static_cast<double>(y), static_cast<double>(z)})) row[x] = 1;
    }
  draw_centre(grid, mask, blob);
}

}  // namespace crema::phantom
