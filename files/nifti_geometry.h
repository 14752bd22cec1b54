// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "files/nifti_header.h"

namespace crema::files {

/// Where the voxels lie, by sform, else qform, else spacing alone. Never refuses.
struct NiftiGeometry {
  Grid grid;
  bool positioned = false;
  std::vector<std::string> notes;
};

NiftiGeometry nifti_geometry(const NiftiHeader& header, const std::filesystem::path& path);

}  // namespace crema::files
