// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "files/values/values.h"

namespace crema::files {

/// The header of a NumPy array: what the values are, and how many.
struct NpyHeader {
  std::vector<std::uint8_t> raw;    ///< as it stands in the file
  std::vector<std::int64_t> shape;  ///< all positive
  Number number = Number::uint8;    ///< of one value; of a half, what it is widened to
  bool half = false;                ///< stored in 16-bit floats
  bool swapped = false;             ///< in the other byte order than this machine's
  bool fortran = false;             ///< the first index runs fastest

  [[nodiscard]] std::int64_t item_bytes() const {
    return half ? 2 : static_cast<std::int64_t>(bytes_of(number));
  }
  [[nodiscard]] std::int64_t values() const {
    std::int64_t product = 1;
    for (const std::int64_t extent : shape) product *= extent;
    return product;
  }
  [[nodiscard]] std::int64_t data_bytes() const { return values() * item_bytes(); }
};

/// No header that NumPy writes for a mask is nearly as long.
inline constexpr std::size_t kNpyLongestHeader = 64 * 1024;

bool looks_like_npy(std::span<const std::uint8_t> start);

/// From the first bytes of an array, at most kNpyLongestHeader of them. The header is a Python literal; it is
/// read by a grammar of three keys, and nothing in it is ever run. Throws InputError when it is anything
/// else.
NpyHeader parse_npy(std::span<const std::uint8_t> start, const std::filesystem::path& path);

/// "(20, 256, 256)".
std::string shape_text(const std::vector<std::int64_t>& shape);

/// "float32 big-endian".
std::string type_text(const NpyHeader& header);

}  // namespace crema::files
