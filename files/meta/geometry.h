// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "crema/base/warning.h"
#include "files/meta/header.h"

namespace crema::files {

struct MetaGeometry {
  Grid grid;
  bool positioned = false;
  bool measured = false;  ///< the spacing is the file's own
  Warnings warnings;
};

/// Where the voxels lie. Trailing axes of one voxel are dropped, more volumes than one are refused. Throws
/// InputError on a matrix or offset that is not finite, that is stated twice and differently, or a matrix
/// that is flat.
MetaGeometry meta_geometry(const MetaHeader& header, const std::filesystem::path& path);

}  // namespace crema::files
