// SPDX-License-Identifier: Apache-2.0
// PNG is written here: libpng's filters and its deflate took fifty times as long on a mask.
#include <algorithm>
#include <array>
#include <bit>
#include <string_view>
#include <utility>

#include <libdeflate.h>

#include "files/io/gzip/gzip.h"
#include "files/png/codec.h"

namespace crema::files {
namespace {

constexpr std::uint8_t kGrey = 0;  ///< the kind of colour

using PngBytes = std::vector<std::uint8_t>;

constexpr std::array<std::uint8_t, 8> kSignature{0x89, 'P', 'N', 'G', '\r', '\n', 0x1A, '\n'};

void append_number(PngBytes& bytes, std::uint32_t number) {
  for (int shift = 24; shift >= 0; shift -= 8) bytes.push_back(static_cast<std::uint8_t>(number >> shift));
}

void append_chunk(PngBytes& file, std::string_view name, std::span<const std::uint8_t> content) {
  append_number(file, static_cast<std::uint32_t>(content.size()));
  const std::size_t begin = file.size();
  file.insert(file.end(), name.begin(), name.end());
  file.insert(file.end(), content.begin(), content.end());
  append_number(file, libdeflate_crc32(0, &file[begin], file.size() - begin));
}

/// Numbers of two bytes, the highest first.
void swap_pairs(PngBytes& samples) {
  for (std::size_t i = 0; i + 1 < samples.size(); i += 2) std::swap(samples[i], samples[i + 1]);
}

/// The rows, each after a byte that says that it is not filtered: masks and levels are long runs of equal
/// samples.
PngBytes pack_rows(std::span<const std::uint8_t> samples, std::size_t row_bytes) {
  static constexpr std::uint8_t unfiltered = 0;
  std::vector<Piece> pieces;
  pieces.reserve(2 * (samples.size() / row_bytes));
  for (; !samples.empty(); samples = samples.subspan(row_bytes)) {
    pieces.emplace_back(std::span(&unfiltered, 1));
    pieces.emplace_back(samples.first(row_bytes));
  }
  return zlib(pieces);
}

}  // namespace

std::vector<std::uint8_t> encode_png(std::vector<std::uint8_t> samples, std::uint32_t width,
                                     std::uint32_t height, int bits, const std::vector<PngText>& texts) {
  constexpr std::size_t kMaxChunk = std::size_t{1} << 30;
  if (bits == 16 && std::endian::native == std::endian::little) swap_pairs(samples);
  PngBytes file(kSignature.begin(), kSignature.end()), header;
  append_number(header, width);
  append_number(header, height);
  header.insert(header.end(), {static_cast<std::uint8_t>(bits), kGrey, 0, 0, 0});
  append_chunk(file, "IHDR", header);
  for (const PngText& text : texts) {
    PngBytes content(text.keyword.begin(), text.keyword.end());
    content.push_back(0);
    content.insert(content.end(), text.text.begin(), text.text.end());
    append_chunk(file, "tEXt", content);
  }
  const PngBytes packed = pack_rows(samples, std::size_t{width} * static_cast<std::size_t>(bits / 8));
  samples = {};
  for (std::span<const std::uint8_t> left = packed; !left.empty();) {
    const auto part = left.first(std::min(left.size(), kMaxChunk));
    append_chunk(file, "IDAT", part);
    left = left.subspan(part.size());
  }
  append_chunk(file, "IEND", {});
  return file;
}

}  // namespace crema::files
