// SPDX-License-Identifier: Apache-2.0
// Outlines as masks on the grid of another file.
#pragma once

#include "files/dicom/outlines/polygons.h"
#include "files/format.h"

namespace crema::files::dicom {

/// The outlines of one structure, by slice.
using OutlinedSlices = std::vector<std::vector<Polygon>>;

/// All structures of a file on one grid.
struct Outlined {
  Grid grid;
  std::vector<OutlinedSlices> structures;
};

/// One header for each structure of an RT structure set, on the grid of `options.like`. Refuses outlines
/// without such a grid, outlines that lie in none of its slices, and those of another frame of reference.
std::vector<Header> outlined_headers(const Source& source, std::string_view syntax,
                                     const ReadOptions& options);

/// Structure `number` as zeros and ones, slice by slice.
void draw_slices(const Outlined& outlined, std::size_t number,
                 const std::function<void(std::span<const std::uint8_t>)>& take);

}  // namespace crema::files::dicom
