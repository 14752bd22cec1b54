// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace crema::phantom {

/// What a random number decides; a number drawn for one purpose never shifts those of another.
enum class Draw : std::uint64_t {
  size,
  shape,
  axis,
  place,
  host,
  count,
  order,
  bias,
  scale,
  shift,
  surface,
  contour,
  curve,
  slice,
  ends,
  habit,
  field
};

/// The finaliser of splitmix64: every bit of the argument moves every bit of the result.
constexpr std::uint64_t mix(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15U;
  x = (x ^ (x >> 30U)) * 0xbf58476d1ce4e5b9U;
  x = (x ^ (x >> 27U)) * 0x94d049bb133111ebU;
  return x ^ (x >> 31U);
}

/// The random bits of one purpose, one rater, one lesion …; the same keys give the same bits everywhere.
template <class... Keys>
constexpr std::uint64_t bits(std::uint64_t seed, Draw draw, Keys... keys) {
  std::uint64_t h = mix(mix(seed) ^ static_cast<std::uint64_t>(draw));
  ((h = mix(h ^ static_cast<std::uint64_t>(keys))), ...);
  return h;
}

/// 53 of the bits as a number in [0, 1).
constexpr double unit(std::uint64_t h) { return static_cast<double>(h >> 11U) * 0x1p-53; }

/// The same in [-1, 1).
constexpr double spread(std::uint64_t h) { return 2 * unit(h) - 1; }

}  // namespace crema::phantom
