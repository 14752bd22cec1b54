// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

namespace crema::files {

/// The name of the text chunk that marks a map of levels as crema's own; its text is the scale.
inline constexpr const char* kLevelMark = "crema levels";

/// How crema writes levels with 16 bits. A sample s is the level s/scale, or 1 where s is larger. The scale
/// is even, so that one half is a sample; 0, one half and 1 are read back as such, and nothing else is.
class LevelCode {
 public:
  static constexpr int kLargest = 65534;

  explicit LevelCode(int scale = kLargest) : scale_(scale) {}

  /// The largest scale that gives all these levels back to the bit; the largest at all where none does.
  static LevelCode fit(std::span<const float> levels);

  [[nodiscard]] int scale() const { return scale_; }
  [[nodiscard]] std::uint16_t sample(float level) const;
  [[nodiscard]] float level(std::uint16_t sample) const;
  [[nodiscard]] bool exact(float value) const { return level(sample(value)) == value; }

 private:
  int scale_;
};

}  // namespace crema::files
