// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "files/format.h"
#include "files/png/chunks.h"
#include "files/png/levels.h"

namespace crema::files {

/// What Header::native holds for PNG: the first chunk of the file, checked.
struct PngNative {
  std::int32_t width = 0, height = 0;
  int bits = 8;    ///< of one sample
  int colour = 0;  ///< colour type as in the file
  PngChunks chunks;
  std::optional<LevelCode> code;  ///< of levels that crema wrote
};

bool png_recognises(const Start& start);
bool png_claims(const std::filesystem::path& path);
Header png_read_header(const Source& source, const ReadOptions& options);
/// With a table of colours one for each of its classes.
std::vector<Header> png_read_headers(const Source& source, const ReadOptions& options);

/// Values are samples, 0 … 2^bits − 1; {0, 2^bits − 1} is the usual PNG mask and gives no warning. In a map
/// that crema wrote, values are levels.
Checked png_read_mask(const Header& header, const ReadOptions& options, const MaskSink& sink);
/// Levels are samples divided by 2^bits − 1, and in a map that crema wrote what they stand for.
MapFile png_read_map(const Header& header, const ReadOptions& options);

/// 0/255 in 8-bit grey, or levels in 16-bit grey.
Encoded png_encode(const std::filesystem::path& path, const Image& image, const Header& reference);

}  // namespace crema::files
