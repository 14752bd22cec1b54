// SPDX-License-Identifier: Apache-2.0
#include "files/tiff/pixels.h"

#include <algorithm>

#include <tiffio.h>

#include "files/io/sentence.h"
#include "files/io/stream.h"

namespace crema::files {

namespace {

using Bytes = std::vector<std::uint8_t>;
using Path = std::filesystem::path;

/// A piece that is shorter than it should be, or that libtiff had to guess at, is damage.
void check_decoded(const OpenTiff& open, tmsize_t got, std::size_t wanted, const Path& path) {
  const TiffWords& words = *open.words;
  const bool complete = got >= 0 && static_cast<std::size_t>(got) == wanted;
  if (words.thrown || !words.error.empty() || !words.warning.empty()) refuse_tiff(words, path);
  if (!complete) refuse(path, "is cut short: a strip or tile ends too early; copy or download it again");
}

/// Inflates a strip or tile for its checksum, at which libtiff does not look. The last strip may be as long
/// as the others.
void check_sum(const OpenTiff& open, const TiffPage& page, std::size_t piece, std::size_t wanted,
               const Source& source) {
  const auto index = static_cast<std::uint32_t>(piece);
  const auto at = static_cast<std::int64_t>(TIFFGetStrileOffset(open.handle.get(), index));
  const auto stored = static_cast<std::int64_t>(TIFFGetStrileByteCount(open.handle.get(), index));
  Stream stream(source, {at, at + stored, Packing::zlib});
  const auto most = static_cast<std::size_t>(page.piece_bytes());
  Bytes scratch(std::min<std::size_t>(most + 1, 256 * 1024));
  std::size_t total = 0, got = scratch.size();
  for (; got == scratch.size() && total <= most; total += got) got = stream.read(scratch);
  if (total != wanted && total != most) {
    refuse(source.path(), "is damaged: strip or tile {} holds {} bytes where {} belong; copy it again", piece,
           total, wanted);
  }
}

Bytes decode_strips(OpenTiff& open, const TiffPage& page, const Source& source) {
  const auto row = static_cast<std::size_t>(page.layout.row_bytes(page.layout.width));
  Bytes pixels(static_cast<std::size_t>(page.layout.page_bytes()));
  const std::size_t whole = row * static_cast<std::size_t>(page.down);
  for (std::size_t at = 0, strip = 0; at < pixels.size(); at += whole, ++strip) {
    const std::size_t wanted = std::min(whole, pixels.size() - at);
    if (page.deflated) check_sum(open, page, strip, wanted, source);
    const tmsize_t got = TIFFReadEncodedStrip(open.handle.get(), static_cast<std::uint32_t>(strip),
                                              pixels.data() + at, static_cast<tmsize_t>(wanted));
    check_decoded(open, got, wanted, source.path());
  }
  return pixels;
}

/// Lays a tile into the page; what stands out over its edges is left away.
void lay(const Bytes& tile, const TiffPage& page, std::int64_t column, std::int64_t row, Bytes& pixels) {
  const std::int64_t page_row = page.layout.row_bytes(page.layout.width);
  const std::int64_t tile_row = page.layout.row_bytes(page.across);
  const std::int64_t left = column * tile_row, top = row * page.down;
  const std::int64_t bytes = std::min(tile_row, page_row - left);
  const std::int64_t rows = std::min<std::int64_t>(page.down, page.layout.height - top);
  for (std::int64_t y = 0; y < rows; ++y) {
    std::copy_n(tile.begin() + y * tile_row, bytes, pixels.begin() + (top + y) * page_row + left);
  }
}

Bytes decode_tiles(OpenTiff& open, const TiffPage& page, const Source& source) {
  Bytes pixels(static_cast<std::size_t>(page.layout.page_bytes()));
  Bytes tile(static_cast<std::size_t>(page.piece_bytes()));
  for (std::int64_t i = 0; i < page.columns() * page.rows(); ++i) {
    if (page.deflated) check_sum(open, page, static_cast<std::size_t>(i), tile.size(), source);
    const tmsize_t got = TIFFReadEncodedTile(open.handle.get(), static_cast<std::uint32_t>(i), tile.data(),
                                             static_cast<tmsize_t>(tile.size()));
    check_decoded(open, got, tile.size(), source.path());
    lay(tile, page, i % page.columns(), i / page.columns(), pixels);
  }
  return pixels;
}

/// One byte for each sample of fewer than eight bits.
Bytes widen(const Bytes& packed, const TiffLayout& layout) {
  const auto width = static_cast<std::size_t>(layout.width), height = static_cast<std::size_t>(layout.height);
  const auto bits = static_cast<std::size_t>(layout.bits), row = packed.size() / height;
  Bytes samples(width * height);
  for (std::size_t y = 0; y < height; ++y) {
    for (std::size_t x = 0; x < width; ++x) {
      const unsigned byte = packed[y * row + x * bits / 8];
      samples[y * width + x] =
          static_cast<std::uint8_t>((byte >> (8 - bits - x * bits % 8)) & ((1u << bits) - 1));
    }
  }
  return samples;
}

}  // namespace

Bytes decode_page(OpenTiff& open, const TiffPage& page, const Source& source) {
  *open.words = {};
  Bytes pixels = page.tiled ? decode_tiles(open, page, source) : decode_strips(open, page, source);
  if (page.layout.bits < 8) pixels = widen(pixels, page.layout);
  const std::size_t each = static_cast<std::size_t>(page.layout.samples()) * bytes_of(page.layout.number);
  return turned_upright(std::move(pixels), static_cast<std::size_t>(page.layout.width),
                        static_cast<std::size_t>(page.layout.height), each, page.orientation);
}

double decoding_bytes(const TiffPage& page) {
  const auto decoded = static_cast<double>(page.layout.page_bytes());
  const auto tile = page.tiled ? static_cast<double>(page.piece_bytes()) : 0.0;
  const auto widened = page.layout.bits < 8 ? static_cast<double>(page.layout.pixels()) : 0.0;
  const auto turned = page.orientation.upright() ? 0.0 : widened > 0 ? widened : decoded;
  return decoded + tile + widened + turned;
}

}  // namespace crema::files
