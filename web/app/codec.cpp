// SPDX-License-Identifier: Apache-2.0
// files/png/codec.h where there is no libpng.
#include <stdexcept>

#include "web/app/png.h"

namespace crema::files {

PngPixels decode_png(std::span<const std::uint8_t> file, const std::filesystem::path& path) {
  return report::unpack_png(file, path);
}

std::vector<std::uint8_t> encode_png(std::vector<std::uint8_t> /*samples*/, std::uint32_t /*width*/,
                                     std::uint32_t /*height*/, int /*bits*/,
                                     const std::vector<PngText>& /*texts*/) {
  throw std::logic_error("the page writes NIfTI alone");
}

}  // namespace crema::files
