// SPDX-License-Identifier: Apache-2.0
#include "crema/records/units.h"

#include <fmt/format.h>

namespace crema {

Measured cubic_millimetres(const Grid& grid, double voxels) {
  if (!grid.measured) return Undefined::no_voxel_size;
  if (grid.flat()) return Undefined::flat_image;
  return voxels * grid.voxel_volume();
}

Measured square_millimetres(const Grid& grid, double voxels) {
  if (!grid.measured) return Undefined::no_voxel_size;
  if (!grid.flat()) return Undefined::solid_image;
  return voxels * grid.voxel_area();
}

Measured millimetres(const Grid& grid, const Measured& length) {
  return grid.measured || !length.defined() ? length : Undefined::no_voxel_size;
}

Measured in_voxels(const Grid& grid, const Measured& length) {
  return grid.measured ? Undefined::in_millimetres : length;
}

bool concerns_units(Undefined reason) {
  return reason == Undefined::no_voxel_size || reason == Undefined::in_millimetres ||
         reason == Undefined::flat_image || reason == Undefined::solid_image;
}

std::string_view size_unit(const Grid& grid) {
  if (!grid.measured) return "";
  return grid.flat() ? "mm²" : "mm³";
}

Measured physical_size(const Grid& grid, double voxels) {
  return grid.flat() ? square_millimetres(grid, voxels) : cubic_millimetres(grid, voxels);
}

std::string_view length_unit(const Grid& grid) {
  if (grid.measured) return "mm";
  return grid.flat() ? "pixels" : "voxels";
}

std::string size_text(const Grid& grid, double voxels) {
  const Measured size = physical_size(grid, voxels);
  return size.defined() ? fmt::format("{:.1f} {}", *size, size_unit(grid)) : "";
}

}  // namespace crema
