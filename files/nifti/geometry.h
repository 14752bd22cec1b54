// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "crema/base/warning.h"
#include "files/nifti/header.h"

namespace crema::files {

/// Where the voxels lie, by sform, else qform, else spacing alone. Never refuses.
struct NiftiGeometry {
  Grid grid;
  bool positioned = false;
  bool measured = false;  ///< the spacing is the file's own
  Warnings warnings;
};

NiftiGeometry nifti_geometry(const NiftiHeader& header, const std::filesystem::path& path);

/// Which of the ways to say where an image lies can be used, and the spacing that can, in the file's units.
struct NiftiUsable {
  bool sform = false, qform = false;
  std::array<double, 3> spacing{1, 1, 1};
};
NiftiUsable nifti_usable(const NiftiHeader& header);

}  // namespace crema::files
