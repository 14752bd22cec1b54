// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "files/png/codec.h"

namespace crema::report {

/// As decode_png() of files/png/codec.h without libpng: as strict, and where it can be in the same words.
files::PngPixels unpack_png(std::span<const std::uint8_t> file, const std::filesystem::path& path);

}  // namespace crema::report
