// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "crema/base/warning.h"
#include "files/files.h"

namespace crema::files {

/// Says how a picture lies in its file, by the numbers that TIFF and EXIF share: 1 is upright, 2 to 4 are
/// mirrored or upside down, 5 to 8 have rows for columns. Any other number is as good as 1.
struct Orientation {
  int stated = 1;

  [[nodiscard]] bool valid() const { return stated >= 1 && stated <= 8; }
  [[nodiscard]] bool upright() const { return !valid() || stated == 1; }
  [[nodiscard]] bool exchanged() const { return valid() && stated >= 5; }
  friend bool operator==(const Orientation&, const Orientation&) = default;
};

/// The pixels of a picture of width × height, of so many bytes each, as they are to be seen.
std::vector<std::uint8_t> turned_upright(std::vector<std::uint8_t> pixels, std::size_t width,
                                         std::size_t height, std::size_t pixel_bytes,
                                         const Orientation& orientation);

/// One warning where the picture is not upright, or the number cannot be.
Warnings orientation_warnings(const Orientation& orientation, const std::filesystem::path& path);

}  // namespace crema::files
