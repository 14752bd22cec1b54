// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "files/format.h"
#include "files/nrrd/geometry.h"

namespace crema::files {

/// What Header::native holds for NRRD.
struct NrrdNative {
  NrrdHeader header;
  std::filesystem::path header_path;
  VoxelStore store;
};

bool nrrd_recognises(const Start& start);
bool nrrd_claims(const std::filesystem::path& path);

/// One header; for a file with segments (Slicer's .seg.nrrd) one per segment.
std::vector<Header> nrrd_read_headers(const Source& source, const ReadOptions& options);

/// Refuses a file with several segments.
Header nrrd_read_header(const Source& source, const ReadOptions& options);
Checked nrrd_read_mask(const Header& header, const ReadOptions& options, const MaskSink& sink);
MapFile nrrd_read_map(const Header& header, const ReadOptions& options);

Encoded nrrd_encode(const std::filesystem::path& path, const Image& image, const Header& reference);
std::vector<std::filesystem::path> nrrd_parts(const std::filesystem::path& path);

/// The file itself and, where its header names one, the file of its voxels.
std::vector<std::filesystem::path> nrrd_sources(const std::filesystem::path& path);

/// The parsed header, where its voxels lie, and whether the file can hold them.
NrrdNative open_nrrd(const Source& source, NrrdHeader header);

/// Refuses when the header is no longer what it was.
void check_unchanged(const NrrdNative& native);

/// The fields that say where a grid lies, as lines; "space: left-posterior-superior" and what follows.
std::string nrrd_geometry_lines(const Header& reference);

/// The key whose value is the mark of a consensus.
inline constexpr std::string_view kNrrdMarkKey = "crema";
/// The line with it; empty where there is nothing to mark.
std::string nrrd_mark_line(const Header& reference);

}  // namespace crema::files
