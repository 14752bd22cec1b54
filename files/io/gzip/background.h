// SPDX-License-Identifier: Apache-2.0
// Long stretches of background, which most of an image is: found without reading what nobody painted, packed
// and summed without a look at them.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "crema/image/canvas.h"

namespace crema::files {

/// Four bytes over and over, the lowest first: what an image has where nobody drew.
using Pattern = std::uint32_t;

/// Bytes to be packed.
struct Piece {
  std::span<const std::uint8_t> bytes;
  const PaintedBlocks* painted = nullptr;  ///< of a whole Canvas: blocks that are not are background
  Pattern background = 0;                  ///< the pattern begins with the first byte

  Piece(std::span<const std::uint8_t> content) : bytes(content) {}
  template <class Value>
  explicit Piece(const Canvas<Value>& canvas)
      : bytes(reinterpret_cast<const std::uint8_t*>(canvas.data()), canvas.size() * sizeof(Value)),
        painted(&canvas.painted()),
        background(canvas.pattern()) {}
};

/// A part of a piece: patterns of its background and nothing else, or not worth to be treated as such.
struct Stretch {
  std::span<const std::uint8_t> bytes;
  bool is_background = false;
  Pattern background = 0;
};

/// The pieces cut into stretches, in order. Where they are cut depends on nothing but sizes and content.
std::vector<Stretch> find_background(std::span<const Piece> pieces);

/// Makes deflate blocks of one pattern.
class BackgroundBlocks {
 public:
  explicit BackgroundBlocks(Pattern pattern);

  [[nodiscard]] Pattern pattern() const { return pattern_; }

  /// Appends a block of the pattern, so many times, at least once, which ends with a whole byte and is not
  /// the last one.
  void append(std::int64_t times, std::vector<std::uint8_t>& out) const;

 private:
  /// Bits of a deflate stream, the first in the lowest place.
  struct Word {
    std::uint32_t bits = 0;
    int count = 0;
  };

  Pattern pattern_;
  std::vector<Word> beginning_;  ///< the block's header, and the pattern once
  std::array<Word, 4> bytes_;    ///< of the pattern
  Word end_;
};

/// The CRC-32 of gzip, and the Adler-32 of zlib, of content followed by a pattern so many times.
std::uint32_t crc32_of_background(std::uint32_t crc, Pattern pattern, std::int64_t times);
std::uint32_t adler32_of_background(std::uint32_t adler, Pattern pattern, std::int64_t times);

}  // namespace crema::files
