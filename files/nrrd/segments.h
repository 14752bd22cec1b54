// SPDX-License-Identifier: Apache-2.0
// Slicer's segmentations: NRRD images whose keys say which layer and which value each segment has.
#pragma once

#include "files/nrrd/nrrd.h"

namespace crema::files {

struct Segment {
  std::string id;
  std::string name;
  std::string colour;
  std::int64_t layer = 0;
  double label = 1;
};

/// What Header::native holds for a segment.
struct SegmentNative {
  std::shared_ptr<const NrrdNative> file;
  Segment segment;
  Header stored;        ///< the image as it is stored, which may be a part of the header's grid
  Placement placement;  ///< of that image on the header's grid
};

/// Whether the keys of the file name a segment.
bool has_segments(const NrrdHeader& header);

/// The segments in the order of their numbers. Refuses equal ids, a label value of 0 and a layer that is not
/// there.
std::vector<Segment> parse_segments(const NrrdHeader& header, std::int64_t layers,
                                    const std::filesystem::path& path);

/// The image the segments were drawn on, where the file says so and its voxels lie on that grid.
std::optional<Grid> reference_grid(const NrrdHeader& header, const Grid& stored);

/// One header per segment, all on one grid: that of the image they were drawn on, where the file states it.
std::vector<Header> segment_headers(const Source& source, NrrdHeader parsed, const ReadOptions& options);

Checked seg_nrrd_read_mask(const Header& header, const ReadOptions& options, const MaskSink& sink);
MapFile seg_nrrd_read_map(const Header& header, const ReadOptions& options);

/// The segments of the reference; where it has none, one that is named after the file. Refuses levels, which
/// a segment cannot hold.
Encoded seg_nrrd_encode(const std::filesystem::path& path, const Image& image, const Header& reference);

}  // namespace crema::files
