// SPDX-License-Identifier: Apache-2.0
#include "crema/agreement/surfaces/faces.h"

namespace crema {
namespace {

/// The set one row further on, less what would leave its slice.
VoxelSet next_row(const Grid& grid, const VoxelSet& set) {
  VoxelSet moved;
  for (const Run& run : set.runs)
    if ((run.first / grid.size[0]) % grid.size[1] + 1 < grid.size[1])
      moved.runs.push_back({run.first + grid.size[0], run.length});
  return moved;
}

VoxelSet next_slice(const Grid& grid, const VoxelSet& set) {
  VoxelSet moved;
  const std::int64_t slice = std::int64_t{grid.size[0]} * grid.size[1];
  for (const Run& run : set.runs) moved.runs.push_back({run.first + slice, run.length});
  return moved;
}

}  // namespace

std::int64_t count_faces(const Grid& grid, const VoxelSet& set) {
  std::int64_t voxels = 0, runs = 0;
  for (const Run& run : set.runs) {
    voxels += run.length;
    ++runs;
  }
  std::int64_t faces = 0;
  if (grid.size[0] > 1) faces += 2 * runs;  // a run has nothing at its ends
  if (grid.size[1] > 1) faces += 2 * (voxels - count_common(set, next_row(grid, set)));
  if (grid.size[2] > 1) faces += 2 * (voxels - count_common(set, next_slice(grid, set)));
  return faces;
}

}  // namespace crema
