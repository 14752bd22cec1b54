// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "files/values/values.h"

namespace crema::files {

/// Levels this far outside [0,1] are rounding and are clamped.
inline constexpr double kLevelTolerance = 1e-6;

/// What to do about values that are no levels, for the end of a sentence: logits lie on both sides of 0 and
/// are not as large as the values of an image; `logits` is the kind of them to announce.
std::string advice_on_range(double least, double most, std::string_view logits);

/// What is announced as logits, but looks like levels.
Warnings warn_of_levels(double least, double most, const std::string& name);

/// Turns values, handed over piece by piece, into levels. Memory: four bytes per voxel, whatever the type.
class MapBuilder {
 public:
  /// Where the options have a sink for levels it gets them, and no map is held.
  MapBuilder(const ValueType& type, std::int64_t voxels, const ReadOptions& options);

  /// Takes stored bytes, a whole number of values.
  void take(std::span<const std::uint8_t> stored);

  /// The levels, or InputError when values are not finite or lie outside [0,1]. Where any values are allowed,
  /// they are handed on as they are.
  MapFile finish(const std::filesystem::path& path, const Grid& grid) &&;

 private:
  void take_any(std::span<const std::uint8_t> stored);
  void take_floats(std::span<const std::uint8_t> stored);
  void take_values(std::span<const double> values);

  ValueType type_;
  MapValues allowed_;
  const LevelSink* sink_;
  std::string_view suggested_;  ///< what would make levels of logits
  std::int64_t handed_ = 0;     ///< to the sink
  Census census_;
  bool infinite_ = false;
  std::vector<float> levels_;
};

}  // namespace crema::files
