// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "files/dicom/segmentation.h"

namespace crema::files::dicom {

/// How all frames lie in space, in DICOM's coordinates.
struct Plane {
  Vec row = {}, column = {};  ///< unit vectors along a row and along a column
  Vec normal = {};
};

/// The lattice of slices on which frames lie.
struct Steps {
  Vec first{}, step{};              ///< position of the first slice, and from one slice to the next
  std::int32_t count = 1;           ///< from the first to the last
  std::vector<std::int32_t> index;  ///< of each frame
};

/// The spacing is the one the file states; else that of the image that was segmented, if it is known, else
/// what a slice is thick, where frames lie at whole multiples of it; else the smallest between two frames of
/// one segment. Refuses frames that do not lie at whole multiples of it, or beside the line of the others.
Steps find_steps(const Segmentation& file, const Plane& plane, const Grid* image,
                 const std::filesystem::path& path, Warnings& warnings);

}  // namespace crema::files::dicom
