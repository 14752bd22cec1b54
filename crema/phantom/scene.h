// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <span>

#include "crema/image/grid.h"
#include "crema/phantom/deformation.h"

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

/// As above for the raters of a panel: persons with habits, whose errors are smooth deformations that they
/// have in common in part. Sizes vary from case to case; the organ fills about 2 % of its image, and half of
/// the lesions are drawn by a minority.
Scene organ_scene(const std::array<std::int32_t, 3>& size, const Panel& panel, std::uint64_t seed);
Scene lesion_scene(const std::array<std::int32_t, 3>& size, int raters, int lesions, const Panel& panel,
                   std::uint64_t seed);

/// The grey matter of a spinal cord, four-horned, or the whole of it, nearly elliptical.
enum class Matter : std::uint8_t { grey, whole };
Scene cord_scene(const std::array<std::int32_t, 3>& size, Matter matter, const Panel& panel,
                 std::uint64_t seed);

/// A four-horned tube through thick slices, which shifts from slice to slice.
Scene cord_scene(const std::array<std::int32_t, 3>& size, std::uint64_t seed);

/// A block for each rater, side by side: no voxel has two votes, and together they are one component. The
/// average cut at one half is empty; a consensus that looks at the overlap is not.
Scene toy_scene(const std::array<std::int32_t, 3>& size, int raters, std::uint64_t seed);

}  // namespace crema::phantom
