// SPDX-License-Identifier: Apache-2.0
#include "files/io/zeros.h"

#include <algorithm>
#include <array>
#include <cstring>

#include <fcntl.h>
#include <unistd.h>

namespace crema::files {
namespace {

constexpr std::size_t kUnit = 16 * 1024;
constexpr std::size_t kLeastUnits = 4;  ///< in a row: a flush and two headers of blocks cost some forty bytes

/// What the kernel says of the pages of a memory; of none where it says nothing.
class PageFlags {
 public:
  explicit PageFlags(const Piece& piece) {
    if (!piece.canvas || piece.bytes.size() < kLeastUnits * kUnit) return;
    const auto begin = reinterpret_cast<std::uintptr_t>(piece.bytes.data());  // NOLINT: an address is meant
    first_ = begin / page_;
    flags_.resize((begin + piece.bytes.size() - 1) / page_ - first_ + 1);
    const int file = ::open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
    const auto wanted = static_cast<ssize_t>(flags_.size() * sizeof(flags_[0]));
    if (file < 0 || ::pread(file, flags_.data(), static_cast<std::size_t>(wanted),
                            static_cast<off_t>(first_ * sizeof(flags_[0]))) != wanted)
      flags_.clear();
    if (file >= 0) ::close(file);
  }

  /// A page that is neither in memory nor swapped out was never touched.
  [[nodiscard]] bool untouched(std::span<const std::uint8_t> bytes) const {
    if (flags_.empty()) return false;
    constexpr std::uint64_t kTouched = std::uint64_t{3} << 62;
    const auto begin = reinterpret_cast<std::uintptr_t>(bytes.data());  // NOLINT: an address is meant
    for (std::uintptr_t page = begin / page_; page <= (begin + bytes.size() - 1) / page_; ++page)
      if ((flags_[page - first_] & kTouched) != 0) return false;
    return true;
  }

 private:
  std::uintptr_t page_ = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
  std::uintptr_t first_ = 0;
  std::vector<std::uint64_t> flags_;
};

bool all_zeros(std::span<const std::uint8_t> bytes) {
  return bytes[0] == 0 && std::memcmp(bytes.data(), bytes.data() + 1, bytes.size() - 1) == 0;
}

/// Appends a stretch, to the last one where both are of a kind and lie side by side.
void append(std::vector<Stretch>& stretches, std::size_t first_of_piece, const Stretch& next) {
  if (next.bytes.empty()) return;
  if (stretches.size() > first_of_piece && stretches.back().zeros == next.zeros) {
    auto& last = stretches.back().bytes;
    last = {last.data(), last.size() + next.bytes.size()};
  } else {
    stretches.push_back(next);
  }
}

void cut(const Piece& piece, std::vector<Stretch>& stretches) {
  const PageFlags pages(piece);
  const std::size_t first = stretches.size(), units = piece.bytes.size() / kUnit;
  std::size_t done = 0;
  for (std::size_t unit = 0; unit < units;) {
    std::size_t end = unit;
    while (end < units) {
      const auto bytes = piece.bytes.subspan(end * kUnit, kUnit);
      if (!pages.untouched(bytes) && !all_zeros(bytes)) break;
      ++end;
    }
    if (end - unit >= kLeastUnits) {
      append(stretches, first, {piece.bytes.subspan(done, unit * kUnit - done), false});
      append(stretches, first, {piece.bytes.subspan(unit * kUnit, (end - unit) * kUnit), true});
      done = end * kUnit;
    }
    unit = end + 1;
  }
  append(stretches, first, {piece.bytes.subspan(done), false});
}

/// Bits of a deflate stream, the first in the lowest place.
class Bits {
 public:
  explicit Bits(std::vector<std::uint8_t>& out) : out_(out) {}
  void put(std::uint32_t value, int count) {
    for (int i = 0; i < count; ++i) put_bit((value >> i) & 1);
  }
  void put_bit(std::uint32_t bit) {
    if (used_ == 0) out_.push_back(0);
    out_.back() = static_cast<std::uint8_t>(out_.back() | (bit << used_));
    used_ = (used_ + 1) % 8;
  }
  void put_zero_bits(std::int64_t count) {
    for (; count > 0 && used_ != 0; --count) put_bit(0);
    out_.insert(out_.end(), static_cast<std::size_t>(count / 8), 0);
    for (count %= 8; count > 0; --count) put_bit(0);
  }
  void align() { used_ = 0; }

 private:
  std::vector<std::uint8_t>& out_;
  int used_ = 0;  ///< bits of the last byte
};

/// The header of a block that knows three symbols: a match of 258 bytes as 0, the byte 0 as 10, the end as
/// 11; and two distances: one byte back as 0.
void put_header(Bits& bits) {
  bits.put(0, 1);          // not the last block
  bits.put(2, 2);          // with codes of its own
  bits.put(286 - 257, 5);  // symbols
  bits.put(2 - 1, 5);      // distances
  bits.put(18 - 4, 4);     // lengths of the code below
  // Lengths of the codes of 16 17 18 0 8 7 9 6 10 5 11 4 12 3 13 2 14 1: a length of 1 is 0, of 2 is 10,
  // zeros are 11.
  for (const std::uint32_t length : {0u, 0u, 2u, 0u, 0u, 0u, 0u, 0u, 0u, 0u, 0u, 0u, 0u, 0u, 0u, 2u, 0u, 1u})
    bits.put(length, 3);
  const auto one = [&] { bits.put(0, 1); };
  const auto two = [&] { bits.put(1, 2); };
  const auto zeros = [&](std::uint32_t count) { bits.put(3, 2), bits.put(count - 11, 7); };
  two(), zeros(138), zeros(117);  // the byte 0, and no other
  two(), zeros(28), one();        // the end, and the longest match
  one(), one();                   // the distances 1 and 2
}

/// Polynomials over two elements modulo that of CRC-32, the coefficient of 1 in the highest bit.
std::uint32_t multiply(std::uint32_t a, std::uint32_t b) {
  std::uint32_t product = 0;
  for (; a != 0; a <<= 1) {
    if ((a >> 31) != 0) product ^= b;
    b = (b >> 1) ^ ((b & 1) != 0 ? 0xEDB8'8320u : 0);
  }
  return product;
}

}  // namespace

std::vector<Stretch> find_zeros(std::span<const Piece> pieces) {
  std::vector<Stretch> stretches;
  for (const Piece& piece : pieces) cut(piece, stretches);
  return stretches;
}

void append_zeros(std::int64_t count, std::vector<std::uint8_t>& out) {
  constexpr std::int64_t kMatch = 258;
  Bits bits(out);
  put_header(bits);
  bits.put(1, 2);
  bits.put_zero_bits(2 * ((count - 1) / kMatch));
  for (std::int64_t i = 0; i < (count - 1) % kMatch; ++i) bits.put(1, 2);
  bits.put(3, 2);
  // A stored block of nothing ends with a whole byte.
  bits.put(0, 3);
  bits.align();
  bits.put(0xFFFF'0000u, 32);
}

std::uint32_t crc32_of_zeros(std::uint32_t crc, std::int64_t count) {
  // A zero byte multiplies what is under the two inversions by x to the 8th.
  std::uint32_t power = 1u << 23, factor = 1u << 31;
  for (; count > 0; count >>= 1) {
    if ((count & 1) != 0) factor = multiply(factor, power);
    power = multiply(power, power);
  }
  return ~multiply(factor, ~crc);
}

std::uint32_t adler32_of_zeros(std::uint32_t adler, std::int64_t count) {
  constexpr std::int64_t kModulus = 65521;
  const std::int64_t low = adler & 0xFFFF, high = adler >> 16;
  return static_cast<std::uint32_t>((high + count % kModulus * low) % kModulus << 16 | low);
}

}  // namespace crema::files
