// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "crema/base/warning.h"
#include "files/nrrd/header.h"

namespace crema::files {

/// Which axes of the file are those of the image; the others have one sample, but for layers.
struct NrrdAxes {
  std::vector<std::size_t> space;  ///< at most three, in the order of the file
  std::int64_t layers = 1;         ///< samples along a first axis of layers, stored side by side
};

enum class Layers : std::uint8_t { refused, allowed };

/// Drops axes of one sample that say nothing about space, and refuses what is no single volume.
NrrdAxes nrrd_axes(const NrrdHeader& header, Layers layers, const std::filesystem::path& path);

struct NrrdGeometry {
  Grid grid;
  bool positioned = false;
  bool measured = false;  ///< the spacing is the file's own
  Warnings warnings;
};

/// Where the voxels lie. Throws InputError on vectors that are not finite or lie in a plane, and on fields
/// that contradict them.
NrrdGeometry nrrd_geometry(const NrrdHeader& header, const NrrdAxes& axes, const std::filesystem::path& path);

}  // namespace crema::files
