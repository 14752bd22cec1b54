// SPDX-License-Identifier: Apache-2.0
// A TIFF file made entry by entry, so that every one can be wrong.
#pragma once

#include <map>

#include <libdeflate.h>

#include "files/testing.h"

namespace crema::files::testing {

/// The value of one tag. Types: 2 text, 3 and 4 whole numbers, 5 fractions (two numbers each), 16 wide ones.
struct TiffValue {
  int type = 4;
  std::vector<std::uint64_t> numbers{};
};

inline TiffValue tiff_text(const std::string& text) {
  TiffValue value{2, {}};
  for (const char c : text) value.numbers.push_back(static_cast<std::uint8_t>(c));
  value.numbers.push_back(0);
  return value;
}

/// One page: tags, and strips or tiles as they lie in the file.
struct TiffMadePage {
  std::map<int, TiffValue> tags;
  std::vector<Bytes> pieces;

  TiffMadePage& set(int tag, std::vector<std::uint64_t> numbers, int type = 4) {
    tags[tag] = {type, std::move(numbers)};
    return *this;
  }
};

class TiffMade {
 public:
  bool big_endian = false;
  bool wide = false;  ///< BigTIFF
  std::vector<TiffMadePage> pages{};
  int loop_to = -1;  ///< the last page leads back to this one

  [[nodiscard]] Bytes bytes() const {
    Bytes out = number(big_endian ? 0x4D4D : 0x4949, 2);
    append(out, number(wide ? 43 : 42, 2));
    if (wide) append(out, joined({number(8, 2), number(0, 2)}));
    std::vector<std::size_t> places;
    std::size_t link = out.size();
    append(out, number(0, slot()));
    for (const TiffMadePage& page : pages) link = add(out, page, link, places);
    if (loop_to >= 0) patch(out, link, places.at(static_cast<std::size_t>(loop_to)));
    return out;
  }

  [[nodiscard]] Bytes number(std::uint64_t value, std::size_t width) const {
    Bytes bytes;
    for (std::size_t i = 0; i < width; ++i) bytes.push_back(static_cast<std::uint8_t>(value >> (8 * i)));
    if (big_endian) std::reverse(bytes.begin(), bytes.end());
    return bytes;
  }

 private:
  [[nodiscard]] std::size_t slot() const { return wide ? 8 : 4; }

  static void append(Bytes& out, const Bytes& more) { out.insert(out.end(), more.begin(), more.end()); }

  void patch(Bytes& out, std::size_t at, std::uint64_t value) const {
    const Bytes bytes = number(value, slot());
    std::copy(bytes.begin(), bytes.end(), out.begin() + static_cast<std::ptrdiff_t>(at));
  }

  [[nodiscard]] Bytes value_bytes(const TiffValue& value) const {
    Bytes bytes;
    const std::size_t width = value.type == 2 ? 1 : value.type == 3 ? 2 : value.type == 16 ? 8 : 4;
    for (const std::uint64_t one : value.numbers) append(bytes, number(one, width));
    return bytes;
  }

  std::size_t add(Bytes& out, const TiffMadePage& page, std::size_t link,
                  std::vector<std::size_t>& places) const {
    std::map<int, TiffValue> tags = page.tags;
    const bool tiled = tags.count(322) > 0;
    TiffValue offsets, counts;
    for (const Bytes& piece : page.pieces) {
      offsets.numbers.push_back(out.size());
      counts.numbers.push_back(piece.size());
      append(out, piece);
    }
    if (!page.pieces.empty()) {
      tags.insert({tiled ? 324 : 273, offsets});
      tags.insert({tiled ? 325 : 279, counts});
    }
    Bytes directory = number(tags.size(), wide ? 8 : 2);
    for (const auto& [tag, value] : tags) {
      Bytes bytes = value_bytes(value);
      const std::size_t count = value.numbers.size() / (value.type == 5 ? 2 : 1);
      append(directory, joined({number(static_cast<std::uint64_t>(tag), 2),
                                number(static_cast<std::uint64_t>(value.type), 2), number(count, slot())}));
      if (bytes.size() > slot()) {
        const std::size_t at = out.size();
        append(out, bytes);
        bytes = number(at, slot());
      }
      bytes.resize(slot());
      append(directory, bytes);
    }
    out.resize(out.size() + out.size() % 2);
    places.push_back(out.size());
    patch(out, link, out.size());
    append(out, directory);
    append(out, number(0, slot()));
    return out.size() - slot();
  }
};

/// A page of one strip: 8-bit grey, 0 is black, not packed.
inline TiffMadePage tiff_page(std::uint64_t width, std::uint64_t height, const Bytes& strip) {
  TiffMadePage page;
  page.set(256, {width}).set(257, {height}).set(258, {8}, 3).set(259, {1}, 3).set(262, {1}, 3);
  page.set(277, {1}, 3).set(278, {height});
  page.pieces = {strip};
  return page;
}

/// The mask of sound_tiff(): 4×2 pixels.
inline const Bytes kTiffMask{0, 1, 0, 1, 1, 0, 0, 0};

/// The same pixels, drawn from two.
inline Bytes tiff_drawn(const Bytes& outside, const Bytes& inside) {
  Bytes samples;
  for (const std::uint8_t voxel : kTiffMask) {
    const Bytes& pixel = voxel != 0 ? inside : outside;
    samples.insert(samples.end(), pixel.begin(), pixel.end());
  }
  return samples;
}

inline TiffMade sound_tiff() {
  TiffMade tiff;
  tiff.pages = {tiff_page(4, 2, tiff_drawn({0}, {255}))};
  return tiff;
}

inline Bytes zlib_packed(const Bytes& data) {
  auto* const compressor = libdeflate_alloc_compressor(6);
  Bytes out(libdeflate_zlib_compress_bound(compressor, data.size()));
  out.resize(libdeflate_zlib_compress(compressor, data.data(), data.size(), out.data(), out.size()));
  libdeflate_free_compressor(compressor);
  return out;
}

}  // namespace crema::files::testing
