// SPDX-License-Identifier: Apache-2.0
// Outlines as masks on the grid of another file.
#pragma once

#include "files/dicom/outlines/polygons.h"
#include "files/format.h"

namespace crema::files::dicom {

/// The outlines of one structure, by slice.
using OutlinedSlices = std::vector<std::vector<Polygon>>;

/// One structure on that grid.
struct PlacedStructure {
  OutlinedSlices slices;
  std::string refusal;  ///< why it cannot be drawn there; empty: it can
  Warnings warnings;
};

/// All structures of a file on one grid.
struct Outlined {
  Grid grid;
  std::vector<PlacedStructure> structures;
};

/// One header for each structure of an RT structure set, on the grid of `options.like`. Refuses a file
/// without such a grid. A structure that lies in none of its slices, or in another frame of reference, is
/// refused when it is drawn, as nobody may ask for it.
std::vector<Header> outlined_headers(const Source& source, std::string_view syntax,
                                     const ReadOptions& options);

/// Structure `number` as zeros and ones, slice by slice. Throws InputError where it cannot be drawn.
void draw_slices(const Outlined& outlined, std::size_t number,
                 const std::function<void(std::span<const std::uint8_t>)>& take);

}  // namespace crema::files::dicom
