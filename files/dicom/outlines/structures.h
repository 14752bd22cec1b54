// SPDX-License-Identifier: Apache-2.0
// An RT structure set: outlines in millimetres, without a grid.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "files/affine.h"
#include "files/files.h"
#include "files/io/source.h"

namespace crema::files::dicom {

/// One outline, from point to point and back to the first; towards left, posterior, superior.
using Outline = std::vector<Vec>;

/// One region of interest.
struct Structure {
  std::int64_t number = 0;
  std::string name, frame_of_reference;
  std::string colour;  ///< three numbers from 0 to 1; empty: none
  std::vector<Outline> outlines;
  std::string unfilled;       ///< a kind of outline it has that bounds no area; empty: none
  std::int64_t left_out = 0;  ///< outlines that bound no area, by their kind or with fewer than three points
};

struct StructureSet {
  std::vector<Structure> structures;  ///< in the order in which they are described
  Warnings warnings;
};

/// Reads all outlines that bound an area. Refuses damage; a structure whose outlines are all of another kind
/// is left out, with a warning. `syntax` is the file's transfer syntax.
StructureSet read_structures(const Source& source, std::string_view syntax, const ReadOptions& options);

}  // namespace crema::files::dicom
