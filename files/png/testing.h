// SPDX-License-Identifier: Apache-2.0
// A PNG file made chunk by chunk, so that every one can be wrong.
#pragma once

#include <libdeflate.h>

#include "files/testing.h"

namespace crema::files::testing {

inline Bytes big(std::uint32_t value) {
  return {static_cast<std::uint8_t>(value >> 24), static_cast<std::uint8_t>(value >> 16),
          static_cast<std::uint8_t>(value >> 8), static_cast<std::uint8_t>(value)};
}

inline Bytes chunk(const std::string& name, const Bytes& data) {
  const Bytes body = joined({Bytes(name.begin(), name.end()), data});
  return joined({big(static_cast<std::uint32_t>(data.size())), body,
                 big(libdeflate_crc32(0, body.data(), body.size()))});
}

inline Bytes zlib_of(const Bytes& data) {
  auto* const compressor = libdeflate_alloc_compressor(6);
  Bytes out(libdeflate_zlib_compress_bound(compressor, data.size()));
  out.resize(libdeflate_zlib_compress(compressor, data.data(), data.size(), out.data(), out.size()));
  libdeflate_free_compressor(compressor);
  return out;
}

struct Png {
  std::uint32_t width = 4, height = 2;
  std::uint8_t bits = 8, colour = 0, interlace = 0;
  Bytes extra{};  ///< chunks before the data
  Bytes rows{};   ///< with the filter byte of each row

  [[nodiscard]] Bytes start() const {
    return joined({{0x89, 'P', 'N', 'G', '\r', '\n', 0x1A, '\n'},
                   chunk("IHDR", joined({big(width), big(height), {bits, colour, 0, 0, interlace}}))});
  }
  [[nodiscard]] Bytes bytes() const {
    return joined({start(), extra, chunk("IDAT", zlib_of(rows)), chunk("IEND", {})});
  }
};

/// A mask of 4×2 pixels.
inline const Bytes kPngMask{0, 1, 0, 1, 1, 0, 0, 0};

/// Rows of eight pixels of `size` bytes each, drawn as kPngMask from two pixels.
inline Bytes drawn(const Bytes& outside, const Bytes& inside) {
  Bytes rows;
  for (std::size_t i = 0; i < kPngMask.size(); ++i) {
    if (i % 4 == 0) rows.push_back(0);
    const Bytes& pixel = kPngMask[i] != 0 ? inside : outside;
    rows.insert(rows.end(), pixel.begin(), pixel.end());
  }
  return rows;
}

}  // namespace crema::files::testing
