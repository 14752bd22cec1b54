// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "crema/agreement/measured.h"
#include "crema/image/grid.h"

/// Sizes and lengths in units that are true: no millimetres where no file states the size of a voxel, areas
/// for 2-D images and volumes for others.
namespace crema {

Measured cubic_millimetres(const Grid& grid, double voxels);
Measured square_millimetres(const Grid& grid, double voxels);

/// A length that was computed with the grid's spacing: in millimetres, or undefined where the spacing is not
/// known; and in voxels only there.
Measured millimetres(const Grid& grid, const Measured& length);
Measured in_voxels(const Grid& grid, const Measured& length);

/// Whether it says that another unit is the true one.
bool concerns_units(Undefined reason);

/// "mm³" or "mm²"; empty where only voxels can be counted.
std::string_view size_unit(const Grid& grid);

/// In size_unit(); undefined where that is empty.
Measured physical_size(const Grid& grid, double voxels);

/// "mm", "pixels" or "voxels".
std::string_view length_unit(const Grid& grid);

/// "35171.0 mm³"; empty where only voxels can be counted.
std::string size_text(const Grid& grid, double voxels);

}  // namespace crema
