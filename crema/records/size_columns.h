// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "crema/records/column.h"
#include "crema/records/units.h"

namespace crema {

/// A size in both units that it may have: one of them is filled.
template <class Row>
struct SizeColumns {
  Column<Row> volume;  ///< name_mm3, of 3-D images
  Column<Row> area;    ///< name_mm2, of 2-D images
};

struct SizeNames {
  std::string volume, area, text;
  Shown shown_volume = {"mm³", 0}, shown_area = {"mm²", 0};
};

template <class Row>
SizeColumns<Row> size_columns(const SizeNames& names, const Grid& (*grid)(const Row&),
                              double (*voxels)(const Row&)) {
  return {{names.volume + "_mm3",
           names.text + ", in mm³; empty for 2-D images and where no file states the size of a voxel",
           [grid, voxels](const Row& row) { return cell(cubic_millimetres(grid(row), voxels(row))); },
           names.shown_volume},
          {names.area + "_mm2", names.text + ", in mm²; of 2-D images only",
           [grid, voxels](const Row& row) { return cell(square_millimetres(grid(row), voxels(row))); },
           names.shown_area}};
}

/// Of a difference of sizes.
inline SizeNames difference_names(const std::string& text) {
  return {"volume_difference", "area_difference", text, {"Δ mm³", 0}, {"Δ mm²", 0}};
}

}  // namespace crema
