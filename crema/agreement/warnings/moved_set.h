// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "crema/agreement/surfaces/voxel_set.h"

/// Sets of voxels as they lie after what may happen to a mask on its way: mirrored, turned, shifted.
namespace crema {

using Point = std::array<std::int32_t, 3>;

/// The set where axes of the image run the other way.
VoxelSet flip(const Grid& grid, const VoxelSet& set, const std::array<bool, 3>& axes);

/// The set with two axes exchanged, which have the same size.
VoxelSet exchange(const Grid& grid, const VoxelSet& set, std::size_t a, std::size_t b);

/// What is moved out of the grid is lost; the size of the set stays what it was.
VoxelSet move(const Grid& grid, const VoxelSet& set, const Point& shift);

struct Landmarks {
  Point corner{};  ///< of the bounding box
  Point far{};     ///< its opposite
  std::array<double, 3> centre{};
};

Landmarks find_landmarks(const Grid& grid, const VoxelSet& set);

/// Shifts that bring the centres, or one of the corners, together.
std::vector<Point> shifts_between(const Landmarks& from, const Landmarks& to);

/// Requests the memory for the sets of all raters, and one mask voxel by voxel, twice.
void require_sets(const Reduction& reduction, const MemoryAccount& memory);

}  // namespace crema
