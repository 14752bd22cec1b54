// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "crema/agreement/surfaces/voxel_set.h"

namespace crema {

/// The grid of cells between voxels: cell (i, j, k) has the voxels (i−1…i, j−1…j, k−1…k) at its corners. In a
/// 2-D image it has four corners.
Grid cell_grid(const Grid& grid);

/// The area of the surface through a cell that bounds the corners in `code`; bit dx + 2dy + 4dz stands for
/// the corner (dx, dy, dz). The surface meets edges in their middle. The corners of the smaller side fall
/// into pieces joined by edges, each of which is bounded by itself: a triangle around a corner, a rectangle
/// along an edge, and so on. That is the surface of marching cubes.
double surface_area(unsigned code, const std::array<double, 3>& spacing);

/// The length of the outline through a cell of a 2-D image, in the same way.
double outline_length(unsigned code, const std::array<double, 3>& spacing);

/// The cells through which the surface of a set runs, and how much of it each holds.
struct Surfels {
  VoxelSet cells;             ///< on the grid of cells
  std::vector<double> areas;  ///< of each, in raster order; lengths for a 2-D image
};

Surfels find_surfels(const Grid& grid, const std::array<double, 3>& spacing, const VoxelSet& set);

/// The least of the distances up to which a share of all area lies; 0 where there is none.
double percentile_by_area(const std::vector<double>& distances, const std::vector<double>& areas,
                          double share);

}  // namespace crema
