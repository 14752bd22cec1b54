// SPDX-License-Identifier: Apache-2.0
// Long stretches of zeros, which most of an image is: found without reading pages nobody touched, packed and
// summed without a look at them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace crema::files {

/// Bytes to be packed.
struct Piece {
  std::span<const std::uint8_t> bytes;
  bool canvas = false;  ///< they are a Canvas: pages that were never touched are zeros

  Piece(std::span<const std::uint8_t> content, bool of_canvas = false) : bytes(content), canvas(of_canvas) {}
};

/// A part of a piece, all zeros or not worth to be treated as such.
struct Stretch {
  std::span<const std::uint8_t> bytes;
  bool zeros = false;
};

/// The pieces cut into stretches, in order. Where they are cut depends on nothing but sizes and content.
std::vector<Stretch> find_zeros(std::span<const Piece> pieces);

/// Appends deflate blocks of so many zeros, at least one, which end with a whole byte and are not the last
/// ones.
void append_zeros(std::int64_t count, std::vector<std::uint8_t>& out);

/// The CRC-32 of gzip, and the Adler-32 of zlib, of content followed by so many zeros.
std::uint32_t crc32_of_zeros(std::uint32_t crc, std::int64_t count);
std::uint32_t adler32_of_zeros(std::uint32_t adler, std::int64_t count);

}  // namespace crema::files
