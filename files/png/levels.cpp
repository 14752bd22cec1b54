// SPDX-License-Identifier: Apache-2.0
#include "files/png/levels.h"

#include <algorithm>
#include <cmath>
#include <unordered_set>
#include <vector>

namespace crema::files {

namespace {

constexpr std::size_t kMaxDistinct = 4096;  ///< levels; more are no shares of a few raters
constexpr int kSmallest = LevelCode::kLargest - 256;

/// The levels that occur; nothing when there are too many.
std::vector<float> distinct(std::span<const float> levels) {
  std::unordered_set<float> seen;
  float last = -1;
  for (const float level : levels) {
    if (level == last) continue;
    last = level;
    seen.insert(level);
    if (seen.size() > kMaxDistinct) return {};
  }
  return {seen.begin(), seen.end()};
}

}  // namespace

LevelCode LevelCode::fit(std::span<const float> levels) {
  const std::vector<float> all = distinct(levels);
  if (all.empty()) return LevelCode();
  for (int scale = kLargest; scale >= kSmallest; scale -= 2) {
    const LevelCode code(scale);
    if (std::all_of(all.begin(), all.end(), [&](float level) { return code.exact(level); })) return code;
  }
  return LevelCode();
}

std::uint16_t LevelCode::sample(float level) const {
  if (!(level > 0)) return 0;
  if (level >= 1) return 65535;
  const long half = scale_ / 2;
  long nearest = std::lround(static_cast<double>(level) * scale_);
  if (level < 0.5F) nearest = std::clamp(nearest, 1L, half - 1);
  if (level == 0.5F) nearest = half;
  if (level > 0.5F) nearest = std::clamp(nearest, half + 1, scale_ - 1L);
  return static_cast<std::uint16_t>(nearest);
}

float LevelCode::level(std::uint16_t sample) const {
  return sample >= scale_ ? 1.0F : static_cast<float>(static_cast<double>(sample) / scale_);
}

}  // namespace crema::files
