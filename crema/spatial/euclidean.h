// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "crema/image/grid.h"

namespace crema {

/// Millimetres between neighbouring voxel centres along each axis.
/// Throws InputError when the axes are not at right angles, where spacings alone do not give distances.
std::array<double, 3> right_angled_spacing(const Grid& grid);

/// Exact squared distances in mm² from every voxel of a box to the nearest site, centre to centre.
///
/// On entry the map, x running fastest, is 0 at sites and infinite elsewhere; without any site it stays
/// infinite. One axis after the other, each line by the lower envelope of its parabolas: linear in the
/// voxels.
void spread_squared_distances(const std::array<std::int32_t, 3>& size, const std::array<double, 3>& spacing,
                              std::span<double> map);

/// The first step of that: distances to sites of the same row, which runs along x.
void spread_along_rows(const std::array<std::int32_t, 3>& size, double spacing, std::span<double> map);

/// All other steps. Only voxels that are not 0 in `requested` are looked at afterwards, if it is not empty.
void spread_across_rows(const std::array<std::int32_t, 3>& size, const std::array<double, 3>& spacing,
                        std::span<double> map, std::span<const std::uint8_t> requested);

/// The same for those who look at some voxels only, which are not 0 in `requested`; elsewhere the map holds
/// anything afterwards.
void spread_squared_distances(const std::array<std::int32_t, 3>& size, const std::array<double, 3>& spacing,
                              std::span<double> map, std::span<const std::uint8_t> requested);

}  // namespace crema
