// SPDX-License-Identifier: Apache-2.0
#include "files/values/upright.h"

#include <cstring>

#include "files/io/sentence.h"

namespace crema::files {

std::vector<std::uint8_t> turned_upright(std::vector<std::uint8_t> pixels, std::size_t width,
                                         std::size_t height, std::size_t pixel_bytes,
                                         const Orientation& orientation) {
  if (orientation.upright()) return pixels;
  const int stated = orientation.stated;
  const bool exchanged = orientation.exchanged();
  const bool from_right = stated == 2 || stated == 3 || stated == 7 || stated == 8;
  const bool from_below = stated == 3 || stated == 4 || stated == 6 || stated == 7;
  const std::size_t across = exchanged ? height : width, down = exchanged ? width : height;
  std::vector<std::uint8_t> seen(pixels.size());
  std::uint8_t* to = seen.data();
  for (std::size_t y = 0; y < down; ++y) {
    for (std::size_t x = 0; x < across; ++x, to += pixel_bytes) {
      const std::size_t column = exchanged ? y : x, row = exchanged ? x : y;
      const std::size_t from =
          (from_below ? height - 1 - row : row) * width + (from_right ? width - 1 - column : column);
      std::memcpy(to, pixels.data() + from * pixel_bytes, pixel_bytes);
    }
  }
  return seen;
}

Warnings orientation_warnings(const Orientation& orientation, const std::filesystem::path& path) {
  if (!orientation.valid())
    return {
        {sentence(path, "states the orientation {}, not 1 to 8; it is read as stored", orientation.stated),
         WarningKind::file}};
  if (orientation.upright()) return {};
  return {{sentence(path, "is stored {} (orientation {}); it is turned upright",
                    orientation.exchanged() ? "on its side" : "mirrored or upside down", orientation.stated),
           WarningKind::reoriented}};
}

}  // namespace crema::files
