// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "crema/sentence.h"
#include "files/png/codec.h"

namespace crema::files {

/// The one plane of a PNG that holds the mask.
struct PngPlane {
  std::vector<std::uint8_t> samples;  ///< as many bytes per sample as in the pixels
  Warnings warnings;
  bool numbered = false;  ///< samples are numbers of colours, not levels
};

/// Grey where the colours are grey; alpha where nothing else varies; palette indices where the palette is
/// coloured. Throws InputError when colours would have to be interpreted.
PngPlane mask_plane(const PngPixels& pixels, const std::filesystem::path& path);

}  // namespace crema::files
