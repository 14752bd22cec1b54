// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

#include "crema/image/image.h"

namespace crema {

struct Components;

/// Which voxels take part where the background counts.
struct Region {
  enum class Kind : std::uint8_t { full, box, near_union, mask };
  static constexpr std::string_view kWords = "full|box|union|mask";

  Kind kind = Kind::full;
  std::int32_t margin = 0;  ///< voxels around the box, or steps along and across the axes around the union
  Mask mask = {};           ///< for Kind::mask: borrowed, one byte per voxel of the grid
};

std::string_view to_string(Region::Kind kind);

/// How many voxels take part. The union of the raters must lie inside, as Votes::keep_inside() sees to.
std::int64_t region_voxels(const Grid& grid, const Components& components, const Region& region);

/// Gives every voxel of the region the level.
void fill_region(const Grid& grid, const Components& components, const Region& region, double level,
                 Image& image);

}  // namespace crema
