// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <span>

#include "crema/image/grid.h"

namespace crema::phantom {

/// What the raters look at, before any of them has drawn it.
struct Scene {
  Grid grid;
  /// Draws one rater's mask onto zeros. Raters may draw at the same time.
  std::function<void(int rater, std::span<std::uint8_t> mask)> draw;
};

/// One massive organ, smooth and lobed; contours differ most at its two ends along z.
Scene organ_scene(const std::array<std::int32_t, 3>& size, std::uint64_t seed);

/// Many lesions over three decades of size, some drawn by few raters, some touching a larger one.
/// lesions: how many; 0 for a number that suits the size.
Scene lesion_scene(const std::array<std::int32_t, 3>& size, int raters, int lesions, std::uint64_t seed);

/// A four-horned tube through thick slices, which shifts from slice to slice.
Scene cord_scene(const std::array<std::int32_t, 3>& size, std::uint64_t seed);

}  // namespace crema::phantom
