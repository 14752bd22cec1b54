// SPDX-License-Identifier: Apache-2.0
// files/png/codec.h where there is no libpng.
#include "web/app/png.h"

namespace crema::files {

PngPixels decode_png(std::span<const std::uint8_t> file, const std::filesystem::path& path) {
  return report::unpack_png(file, path);
}

}  // namespace crema::files
