// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "files/values/values.h"

namespace crema::files {

/// Levels this far outside [0,1] are rounding and are clamped.
inline constexpr double kLevelTolerance = 1e-6;

/// Turns values, handed over piece by piece, into levels. Memory: four bytes per voxel, whatever the type.
class MapBuilder {
 public:
  MapBuilder(const ValueType& type, std::int64_t voxels, MapValues allowed = MapValues::levels);

  /// Takes stored bytes, a whole number of values.
  void take(std::span<const std::uint8_t> stored);

  /// The levels, or InputError when values are not finite or lie outside [0,1]. Where any values are allowed,
  /// they are handed on as they are.
  MapFile finish(const std::filesystem::path& path, const Grid& grid) &&;

 private:
  void take_values(std::span<const double> values);

  ValueType type_;
  MapValues allowed_;
  Census census_;
  std::vector<float> levels_;
};

}  // namespace crema::files
