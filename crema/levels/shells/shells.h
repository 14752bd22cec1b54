// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "crema/levels/sparse.h"

namespace crema {

inline constexpr std::uint32_t kNoComponent = 0xFFFFFFFF;

/// Consecutive voxels of the support, on one image row and of one component, or of none.
struct Stretch {
  std::int64_t first;  ///< offset of its first voxel in the image
  std::int32_t length;
  std::uint32_t component;
};

/// The support, in raster order, by the component that each voxel belongs to. A voxel outside all cores joins
/// the core that it reaches in the fewest steps inside the support; of several, the one with the fewest
/// voxels, then the one with the higher levels, put in order from the highest on and compared one by one; the
/// first of those that are alike in that, too. `maps` are the raters' levels.
std::vector<Stretch> share_support(const Grid& grid, std::span<const Run> support,
                                   std::span<const SparseLevels> maps, const Components& components,
                                   const Neighbourhood& neighbourhood);

}  // namespace crema
