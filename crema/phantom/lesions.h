// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "crema/image/grid.h"
#include "crema/phantom/blob.h"

namespace crema::phantom {

struct Lesion {
  Blob blob;
  double radius = 0;  ///< of the ball of the same size, in voxels; a single slice cuts it through the middle
  std::uint64_t key = 0;  ///< source of its random numbers
};

/// How many lesions suit a grid: 100 in the full phantom, as the square root of the volume otherwise, at
/// least 3.
int lesion_count(const std::array<std::int32_t, 3>& size);

/// Sizes spread evenly over the decades, largest first. They keep apart, except that one in ten lies against
/// a larger one, so that some raters draw the two as one.
std::vector<Lesion> place_lesions(const std::array<std::int32_t, 3>& size, int count, std::uint64_t seed);

}  // namespace crema::phantom
