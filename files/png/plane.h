// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "crema/base/warning.h"
#include "files/files.h"
#include "files/png/codec.h"

namespace crema::files {

/// The one plane of a PNG that holds the mask.
struct PngPlane {
  std::vector<std::uint8_t> samples;  ///< as many bytes per sample as in the pixels
  Warnings warnings;
};

/// What the samples are wanted for: a mask that shows by itself, values to be chosen from by label or
/// threshold, or levels.
enum class PlaneUse : std::uint8_t { mask, numbers, levels };

/// Grey where the colours are grey; alpha where nothing else varies. In a coloured palette, the one black or
/// transparent entry is background, and 0; values to choose from are the numbers of the entries. Throws
/// InputError when colours would have to be interpreted, or a sample is no entry of the palette.
PngPlane mask_plane(const PngPixels& pixels, PlaneUse use, const ReadOptions& options,
                    const std::filesystem::path& path);

}  // namespace crema::files
