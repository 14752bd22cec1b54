// SPDX-License-Identifier: Apache-2.0
// DICOM segmentations (SEG and label maps), each of whose segments can be a rater.
#pragma once

#include "files/format.h"

namespace crema::files {

bool dicom_recognises(const Start& start);

/// One header per segment, all on one grid.
std::vector<Header> dicom_read_headers(const Source& source, const ReadOptions& options);

/// Refuses a file with several segments.
Header dicom_read_header(const Source& source, const ReadOptions& options);
Checked dicom_read_mask(const Header& header, const ReadOptions& options, const MaskSink& sink);
MapFile dicom_read_map(const Header& header, const ReadOptions& options);

/// The grid of the image series in a folder, with what a segmentation of it has to say. Its voxels can be
/// read as any values, never as a mask.
Header dicom_read_series(const std::filesystem::path& folder);

/// What the reference lacks: a segmentation needs a series and its identifiers. Empty: nothing.
std::string dicom_lacks(const Header& reference);

/// One segment for each of the reference's; where it has none, one that is named after the file. BINARY, and
/// FRACTIONAL for levels. Refuses a reference that is no series.
Encoded dicom_encode(const std::filesystem::path& path, const Image& image, const Header& reference);

}  // namespace crema::files
