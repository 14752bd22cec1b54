// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "crema/counts/tally.h"
#include "crema/image/canvas.h"
#include "crema/voxels/components.h"

namespace crema {

/// The raters' levels on a part of the support: one component, or what belongs to none.
struct LevelPart {
  std::vector<Run> runs;  ///< its voxels in raster order, each in one image row
  std::int64_t voxels = 0;
  Raters present = 0;    ///< who reaches ½ in it; the levels of others count as 0 for a distance
  Canvas<float> values;  ///< rater by rater, each in the order of the runs; 0 below the floor

  [[nodiscard]] std::span<const float> of(int rater) const {
    const auto n = static_cast<std::size_t>(voxels);
    return std::span(values.data(), values.size()).subspan(static_cast<std::size_t>(rater) * n, n);
  }
};

/// What raters hold who give levels instead of masks: their maps on the support, the voxels where any of them
/// is not below the floor. A component is a core, connected voxels where some rater reaches ½, with the
/// voxels of the support that are nearer to it than to other cores.
struct LevelMaps {
  int raters = 0;
  double floor = 0;
  std::vector<LevelPart> parts;  ///< one for each component
  LevelPart rest;                ///< of the support: no core is connected with it, nobody is present

  [[nodiscard]] std::int64_t voxels() const;
  [[nodiscard]] std::int64_t bytes() const;
};

/// From which level on a rater marks a voxel: cores are made of it, and presence.
inline constexpr float kCoreLevel = 0.5F;

}  // namespace crema
