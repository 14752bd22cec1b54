// SPDX-License-Identifier: Apache-2.0
#include "annotations/shapes/rle.h"

#include <fmt/format.h>

#include "crema/base/error.h"

namespace crema::annotations {

std::vector<std::uint32_t> unpack_coco(std::string_view text) {
  std::vector<std::uint32_t> counts;
  for (std::size_t at = 0; at < text.size();) {
    std::int64_t value = 0;
    for (int shift = 0;; shift += 5) {
      const int bits = at < text.size() ? text[at++] - '0' : -1;
      if (bits < 0 || bits > 63 || shift > 35)
        throw InputError(fmt::format("the compressed counts are invalid from byte {} on.", at));
      value |= std::int64_t{bits & 0x1F} << shift;
      if ((bits & 0x20) != 0) continue;
      if ((bits & 0x10) != 0) value -= std::int64_t{1} << (shift + 5);
      break;
    }
    if (counts.size() > 2) value += counts[counts.size() - 2];
    if (value < 0 || value > INT32_MAX)
      throw InputError(
          fmt::format("run {} has the length {}; lengths go from 0 to {}.", counts.size(), value, INT32_MAX));
    counts.push_back(static_cast<std::uint32_t>(value));
  }
  return counts;
}

std::string pack_coco(std::span<const std::uint32_t> counts) {
  std::string text;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    std::int64_t rest = counts[i];
    if (i > 2) rest -= counts[i - 2];
    for (bool more = true; more;) {
      const auto bits = static_cast<int>(rest & 0x1F);
      rest >>= 5;
      more = (bits & 0x10) != 0 ? rest != -1 : rest != 0;
      text += static_cast<char>('0' + bits + (more ? 0x20 : 0));
    }
  }
  return text;
}

void check_sum(const Runs& runs) {
  std::int64_t sum = 0;
  for (const std::uint32_t count : runs.counts) sum += count;
  if (sum != runs.box.pixels())
    throw InputError(fmt::format("the runs cover {} pixels, but {} × {} are {}.", sum, runs.box.width,
                                 runs.box.height, runs.box.pixels()));
}

namespace {

/// Bits of bytes, the highest first.
class BitReader {
 public:
  explicit BitReader(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}

  std::uint32_t take(int count) {
    std::uint32_t value = 0;
    for (int i = 0; i < count; ++i, ++at_) {
      if (at_ / 8 >= bytes_.size()) throw InputError("the brush ends within a run.");
      value = value << 1 | (bytes_[at_ / 8] >> (7 - at_ % 8) & 1U);
    }
    return value;
  }

 private:
  std::span<const std::uint8_t> bytes_;
  std::size_t at_ = 0;
};

class BitWriter {
 public:
  void put(std::uint32_t value, int count) {
    for (int i = count - 1; i >= 0; --i, ++at_) {
      if (at_ % 8 == 0) bytes_.push_back(0);
      bytes_.back() = static_cast<std::uint8_t>(bytes_.back() | (value >> i & 1U) << (7 - at_ % 8));
    }
  }
  [[nodiscard]] std::vector<std::uint8_t> bytes() && { return std::move(bytes_); }

 private:
  std::vector<std::uint8_t> bytes_;
  std::size_t at_ = 0;
};

/// Takes the samples of a brush, four for each pixel, and makes runs of the fourth ones.
class Transparency {
 public:
  void add(std::uint32_t value, std::int64_t count) {
    // Of the samples from here on, those at places 3, 7, 11 … are transparencies.
    const std::int64_t fourths = (place_ + count) / 4 - place_ / 4;
    place_ += count;
    if (fourths == 0) return;
    if (const bool inside = value != 0; inside != inside_) {
      counts_.push_back(length_);
      length_ = 0;
      inside_ = inside;
    }
    length_ += static_cast<std::uint32_t>(fourths);
  }

  [[nodiscard]] std::vector<std::uint32_t> counts() && {
    if (length_ > 0) counts_.push_back(length_);
    return std::move(counts_);
  }

 private:
  std::int64_t place_ = 0;
  bool inside_ = false;
  std::uint32_t length_ = 0;
  std::vector<std::uint32_t> counts_;
};

constexpr int kLengthBits[4] = {3, 4, 8, 16};

}  // namespace

Runs unpack_brush(std::span<const std::uint8_t> bytes, Extent image) {
  BitReader bits(bytes);
  const std::int64_t samples = bits.take(32);
  if (samples != 4 * image.pixels())
    throw InputError(fmt::format("the brush has {} samples, but {} × {} pixels have {}.", samples,
                                 image.width, image.height, 4 * image.pixels()));
  const int word = static_cast<int>(bits.take(5)) + 1;
  int sizes[4];
  for (int& size : sizes) size = static_cast<int>(bits.take(4)) + 1;
  Transparency transparency;
  for (std::int64_t at = 0; at < samples;) {
    const bool repeated = bits.take(1) == 1;
    const std::int64_t length = std::int64_t{1} + bits.take(sizes[bits.take(2)]);
    if (length > samples - at)
      throw InputError(fmt::format("the brush goes on behind its {} samples.", samples));
    at += length;
    if (repeated) {
      transparency.add(bits.take(word), length);
      continue;
    }
    for (std::int64_t i = 0; i < length; ++i) transparency.add(bits.take(word), 1);
  }
  return {Runs::Order::rows, 0, 0, image, std::move(transparency).counts()};
}

std::vector<std::uint8_t> pack_brush(const Runs& rows) {
  constexpr std::int64_t kLongest = std::int64_t{1} << 16;
  BitWriter bits;
  bits.put(static_cast<std::uint32_t>(4 * rows.box.pixels()), 32);
  bits.put(7, 5);
  for (const int size : kLengthBits) bits.put(static_cast<std::uint32_t>(size - 1), 4);
  for (std::size_t i = 0; i < rows.counts.size(); ++i)
    for (std::int64_t left = 4 * std::int64_t{rows.counts[i]}; left > 0;) {
      const std::int64_t length = std::min(left, kLongest);
      std::uint32_t size = 0;
      while (length > std::int64_t{1} << kLengthBits[size]) ++size;
      bits.put(1, 1);
      bits.put(size, 2);
      bits.put(static_cast<std::uint32_t>(length - 1), kLengthBits[size]);
      bits.put(i % 2 == 1 ? 255 : 0, 8);
      left -= length;
    }
  return std::move(bits).bytes();
}

}  // namespace crema::annotations
