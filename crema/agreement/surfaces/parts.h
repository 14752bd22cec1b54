// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "crema/agreement/surfaces/voxel_set.h"

namespace crema {

/// One connected component of a set.
struct Part {
  Box box;
  std::int64_t voxels = 0;
};

/// A set cut into its connected components, numbered by their first voxel in raster order.
struct Parts {
  std::vector<Run> runs;            ///< in raster order
  std::vector<std::uint32_t> part;  ///< of each run
  std::vector<Part> list;

  /// Parts of a single voxel.
  [[nodiscard]] std::int64_t isolated() const;
};

Parts find_parts(const Grid& grid, const VoxelSet& set, const Neighbourhood& neighbourhood);

/// A part of one set and a part of another that have voxels in common.
struct Meeting {
  std::uint32_t a, b;
  std::int64_t voxels;
};

/// All of them, by a, then by b.
std::vector<Meeting> find_meetings(const Parts& a, const Parts& b);

}  // namespace crema
