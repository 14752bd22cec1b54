// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "files/format.h"
#include "files/nifti/header.h"
#include "files/values/voxel_store.h"

namespace crema::files {

/// What Header::native holds for NIfTI.
struct NiftiNative {
  NiftiHeader header;
  std::filesystem::path header_path;
  VoxelStore store;  ///< in the same file, or in the .img of a pair
};

bool nifti_recognises(const Start& start);
bool nifti_claims(const std::filesystem::path& path);

/// For the .img of a pair its .hdr; the path itself otherwise.
std::filesystem::path nifti_header_path(const std::filesystem::path& path);

Header nifti_read_header(const Source& source, const ReadOptions& options);
Checked nifti_read_mask(const Header& header, const ReadOptions& options, const MaskSink& sink);
MapFile nifti_read_map(const Header& header, const ReadOptions& options);

Encoded nifti_encode(const std::filesystem::path& path, const Image& image, const Header& reference);
std::vector<std::filesystem::path> nifti_parts(const std::filesystem::path& path);

}  // namespace crema::files
