// SPDX-License-Identifier: Apache-2.0
#include "web/app/deflate.h"

#include <algorithm>
#include <array>

namespace crema::report {
namespace {

constexpr int kLongest = 258, kShortest = 3;
/// The least length of each code from 257 on, and how many bits follow it.
constexpr std::array<int, 29> kLeast{3,  4,  5,  6,  7,  8,  9,  10, 11,  13,  15,  17,  19,  23, 27,
                                     31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258};
constexpr int bits_of(std::size_t code) {
  return code < 8 || code == 28 ? 0 : static_cast<int>(code) / 4 - 1;
}

}  // namespace

Deflater::Deflater() { put(0b011, 3); }  // the last block, of fixed codes

/// The lowest bit first.
void Deflater::put(std::uint32_t bits, int count) {
  hold_ |= std::uint64_t{bits} << held_;
  for (held_ += count; held_ >= 8; held_ -= 8, hold_ >>= 8) out_.push_back(static_cast<std::uint8_t>(hold_));
}

/// The highest bit first.
void Deflater::put_code(std::uint32_t code, int count) {
  std::uint32_t turned = 0;
  for (int bit = 0; bit < count; ++bit) turned |= (code >> bit & 1U) << (count - 1 - bit);
  put(turned, count);
}

void Deflater::put_literal(std::uint8_t byte) {
  if (byte < 144)
    put_code(0x30U + byte, 8);
  else
    put_code(0x190U + byte - 144U, 9);
}

/// So many bytes as the one before.
void Deflater::put_match(int length) {
  const auto code =
      static_cast<std::size_t>(std::upper_bound(kLeast.begin(), kLeast.end(), length) - kLeast.begin()) - 1;
  const auto symbol = static_cast<std::uint32_t>(code + 1);
  if (code < 23)
    put_code(symbol, 7);
  else
    put_code(0xC0U + symbol - 24U, 8);
  put(static_cast<std::uint32_t>(length - kLeast[code]), bits_of(code));
  put_code(0, 5);  // one byte back
}

void Deflater::put_run() {
  while (run_ >= kShortest) {
    const auto length = static_cast<int>(std::min<std::int64_t>(run_, kLongest));
    put_match(length);
    run_ -= length;
  }
  for (; run_ > 0; --run_) put_literal(static_cast<std::uint8_t>(last_));
}

void Deflater::add(std::span<const std::uint8_t> bytes) {
  for (const std::uint8_t byte : bytes) {
    if (byte == last_) {
      ++run_;
      continue;
    }
    put_run();
    put_literal(byte);
    last_ = byte;
  }
}

std::vector<std::uint8_t> Deflater::finish() {
  put_run();
  put_code(0, 7);
  if (held_ > 0) put(0, 8 - held_);
  return std::move(out_);
}

}  // namespace crema::report
