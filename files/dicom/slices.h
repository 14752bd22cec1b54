// SPDX-License-Identifier: Apache-2.0
// From frames that lie anywhere in space to the slices of a grid.
#pragma once

#include <vector>

#include "files/dicom/segmentation.h"

namespace crema::files::dicom {

/// Where one frame lies.
struct Slice {
  std::int32_t z = 0;
  std::int64_t frame = 0;
};

/// The grid of all segments, and the frames of each from the first slice to the last; slices in between that
/// have no frame are empty.
struct Stack {
  Grid grid;
  bool positioned = false, measured = false;
  std::vector<std::vector<Slice>> of_segment;  ///< one list for a label map
  Warnings warnings;
};

/// Sorts frames along the normal of their planes. Refuses frames that lie on no common lattice and two frames
/// of one segment in one place. `image` is the grid of what was segmented; null: it is not known.
Stack stack_frames(const Segmentation& file, const std::filesystem::path& path, const Grid* image = nullptr);

}  // namespace crema::files::dicom
