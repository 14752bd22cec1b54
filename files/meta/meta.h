// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "files/format.h"
#include "files/meta/header.h"

namespace crema::files {

/// What Header::native holds for MetaImage.
struct MetaNative {
  MetaHeader header;
  std::filesystem::path header_path;
  VoxelStore store;
};

bool meta_recognises(const Start& start);
bool meta_claims(const std::filesystem::path& path);

Header meta_read_header(const Source& source, const ReadOptions& options);
Checked meta_read_mask(const Header& header, const ReadOptions& options, const MaskSink& sink);
MapFile meta_read_map(const Header& header, const ReadOptions& options);

Encoded meta_encode(const std::filesystem::path& path, const Image& image, const Header& reference);
std::vector<std::filesystem::path> meta_parts(const std::filesystem::path& path);

/// The file itself and, where its header names one, the file of its voxels.
std::vector<std::filesystem::path> meta_sources(const std::filesystem::path& path);

}  // namespace crema::files
