// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "files/format.h"
#include "files/tiff/page.h"

namespace crema::files {

/// What Header::native holds for TIFF: the pages that make the image, checked.
struct TiffNative {
  std::vector<TiffPage> pages;
};

bool tiff_recognises(const Start& start);
Header tiff_read_header(const Source& source, const ReadOptions& options);
/// With a table of colours one for each of its classes.
std::vector<Header> tiff_read_headers(const Source& source, const ReadOptions& options);

/// Values are samples; of unsigned ones {0, the largest their bits can hold} is the usual mask and gives no
/// note. Where 0 is white, samples are counted from the other end.
Checked tiff_read_mask(const Header& header, const ReadOptions& options, const MaskSink& sink);
/// Levels are unsigned samples divided by the largest their bits can hold, and all others as they are.
MapFile tiff_read_map(const Header& header, const ReadOptions& options);

/// 0/255 in 8-bit grey, or levels in 32-bit floats; deflated, a page for each slice.
Encoded tiff_encode(const std::filesystem::path& path, const Image& image, const Header& reference);

}  // namespace crema::files
