// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <utility>

#include "files/tiff/io.h"
#include "files/values/upright.h"
#include "files/values/values.h"

namespace crema::files {

enum class TiffColour : std::uint8_t { black_is_zero, white_is_zero, palette, rgb };

/// What all pages of a stack must have in common.
struct TiffLayout {
  std::int32_t width = 0, height = 0;
  int bits = 8;                   ///< of one sample
  Number number = Number::uint8;  ///< of one sample; fewer than eight bits are widened
  int colours = 1;                ///< channels that are not transparency
  bool alpha = false;             ///< one more channel
  TiffColour colour = TiffColour::black_is_zero;
  std::vector<std::array<std::uint8_t, 3>> palette{};

  [[nodiscard]] int samples() const { return colours + (alpha ? 1 : 0); }
  [[nodiscard]] std::int64_t row_bytes(std::int64_t pixels) const {
    return (pixels * samples() * bits + 7) / 8;
  }
  [[nodiscard]] std::int64_t pixels() const { return std::int64_t{width} * height; }
  [[nodiscard]] std::int64_t page_bytes() const { return row_bytes(width) * height; }
  friend bool operator==(const TiffLayout&, const TiffLayout&) = default;
};

/// One page: strips are pieces as wide as the page.
struct TiffPage {
  std::uint64_t directory = 0;  ///< where it lies in the file
  TiffLayout layout;
  bool tiled = false;
  bool reduced = false;  ///< a smaller copy of another page
  bool compressed = false;
  bool deflated = false;  ///< compressed with deflate, in zlib's form
  Orientation orientation{};
  std::int32_t across = 0, down = 0;  ///< pixels of one piece

  /// The layout of the page as it is to be seen.
  [[nodiscard]] TiffLayout upright() const {
    TiffLayout seen = layout;
    if (orientation.exchanged()) std::swap(seen.width, seen.height);
    return seen;
  }
  [[nodiscard]] std::int64_t piece_bytes() const { return layout.row_bytes(across) * down; }
  [[nodiscard]] std::int64_t columns() const { return (layout.width + std::int64_t{across} - 1) / across; }
  [[nodiscard]] std::int64_t rows() const { return (layout.height + std::int64_t{down} - 1) / down; }
  friend bool operator==(const TiffPage&, const TiffPage&) = default;
};

/// Goes to the page whose directory lies there, and checks all it declares against the file's size. Throws
/// InputError when it is damaged or of a kind that holds no mask.
TiffPage read_page(OpenTiff& open, std::uint64_t directory, const Source& source);

/// "tiff 8-bit grey".
std::string type_text(const TiffLayout& layout);

}  // namespace crema::files
