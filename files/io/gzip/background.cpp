// SPDX-License-Identifier: Apache-2.0
#include "files/io/gzip/background.h"

#include <algorithm>
#include <array>
#include <cstring>

#include <sys/mman.h>
#include <unistd.h>

namespace crema::files {
namespace {

constexpr std::size_t kUnit = PaintedBlocks::kBytes;
constexpr std::size_t kMinUnits = 8;  ///< in a row: to begin anew after them takes as long as to pack so many

std::array<std::uint8_t, 4> bytes_of(Pattern pattern) {
  std::array<std::uint8_t, 4> bytes{};
  for (std::uint8_t& byte : bytes) {
    byte = static_cast<std::uint8_t>(pattern);
    pattern >>= 8;
  }
  return bytes;
}

bool is_all(Pattern pattern, std::span<const std::uint8_t> bytes) {
  const std::array first = bytes_of(pattern);
  return std::memcmp(bytes.data(), first.data(), first.size()) == 0 &&
         std::memcmp(bytes.data(), bytes.data() + first.size(), bytes.size() - first.size()) == 0;
}

/// Memory that is going to be read and was never written, all at once: page by page takes longer.
void populate(std::span<const std::uint8_t> bytes) {
#ifdef MADV_POPULATE_READ
  static const auto page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
  if (bytes.size() < PaintedBlocks::kBytes) return;
  const auto begin = reinterpret_cast<std::uintptr_t>(bytes.data()) / page * page;  // NOLINT: an address
  const auto end = reinterpret_cast<std::uintptr_t>(bytes.data() + bytes.size()) / page * page;  // NOLINT
  if (begin < end) ::madvise(reinterpret_cast<void*>(begin), end - begin, MADV_POPULATE_READ);   // NOLINT
#else
  static_cast<void>(bytes);
#endif
}

/// Appends a stretch, to the last one where both are of a kind and lie side by side.
void append(std::vector<Stretch>& stretches, std::size_t first_of_piece, const Stretch& next) {
  if (next.bytes.empty()) return;
  if (stretches.size() > first_of_piece && stretches.back().is_background == next.is_background) {
    auto& last = stretches.back().bytes;
    last = {last.data(), last.size() + next.bytes.size()};
  } else {
    stretches.push_back(next);
  }
}

void cut(const Piece& piece, std::vector<Stretch>& stretches) {
  const auto is_background = [&](std::size_t unit) {
    return (piece.painted != nullptr && !piece.painted->is_painted(unit)) ||
           is_all(piece.background, piece.bytes.subspan(unit * kUnit, kUnit));
  };
  const std::size_t first = stretches.size(), units = piece.bytes.size() / kUnit;
  std::size_t done = 0;
  for (std::size_t unit = 0; unit < units;) {
    std::size_t end = unit;
    while (end < units && is_background(end)) ++end;
    if (end - unit >= kMinUnits) {
      append(stretches, first, {piece.bytes.subspan(done, unit * kUnit - done)});
      append(stretches, first,
             {piece.bytes.subspan(unit * kUnit, (end - unit) * kUnit), true, piece.background});
      done = end * kUnit;
    }
    unit = end + 1;
  }
  append(stretches, first, {piece.bytes.subspan(done)});
  if (piece.painted != nullptr)
    for (std::size_t i = first; i < stretches.size(); ++i)
      if (!stretches[i].is_background) populate(stretches[i].bytes);
}

/// Appends bits, the first in the lowest place.
class Bits {
 public:
  explicit Bits(std::vector<std::uint8_t>& out) : out_(out) {}

  /// At most 32.
  void put(std::uint32_t bits, int count) {
    waiting_ |= std::uint64_t{bits} << used_;
    for (used_ += count; used_ >= 8; used_ -= 8, waiting_ >>= 8)
      out_.push_back(static_cast<std::uint8_t>(waiting_));
  }
  void put_zeros(std::int64_t count) {
    const auto first = static_cast<int>(std::min<std::int64_t>(count, (8 - used_) % 8));
    put(0, first);
    out_.insert(out_.end(), static_cast<std::size_t>((count - first) / 8), 0);
    put(0, static_cast<int>((count - first) % 8));
  }
  /// Fills the last byte up.
  void align() { put(0, (8 - used_) % 8); }

 private:
  std::vector<std::uint8_t>& out_;
  std::uint64_t waiting_ = 0;
  int used_ = 0;  ///< bits that wait for a whole byte
};

/// The code of a symbol in the code of deflate that symbols with these lengths have: the highest bit first.
std::uint32_t code_of(std::size_t symbol, std::span<const std::uint8_t> lengths) {
  std::uint32_t code = 0;
  for (std::uint8_t length = 1; length <= lengths[symbol]; ++length) {
    const std::size_t end = length < lengths[symbol] ? lengths.size() : symbol;
    code = (code << 1) + static_cast<std::uint32_t>(std::count(
                             lengths.begin(), lengths.begin() + static_cast<std::ptrdiff_t>(end), length));
  }
  std::uint32_t turned = 0;
  for (int bit = 0; bit < lengths[symbol]; ++bit) turned = turned << 1 | (code >> bit & 1);
  return turned;
}

constexpr std::size_t kEnd = 256, kLongest = 285, kSymbols = 286, kDistances = 5;
constexpr std::int64_t kMatch = 258;  ///< bytes of the longest match

/// Lengths of the codes of a block of a pattern: its bytes, the end, and the longest match, which is one bit;
/// then those of distances, of which the fourth is four bytes back, also one bit.
std::vector<std::uint8_t> lengths_for(Pattern pattern) {
  std::vector<std::uint8_t> lengths(kSymbols + kDistances, 0);
  for (const std::uint8_t byte : bytes_of(pattern)) lengths[byte] = 3;
  lengths[kEnd] = 3;
  // Half of all codes are left for two to five symbols.
  const auto symbols = std::count(lengths.begin(), lengths.end(), 3);
  constexpr std::array<std::array<std::uint8_t, 5>, 4> kShares{
      {{2, 2}, {2, 3, 3}, {3, 3, 3, 3}, {3, 3, 3, 4, 4}}};
  auto share = kShares[static_cast<std::size_t>(symbols - 2)].begin();
  for (std::uint8_t& length : lengths)
    if (length != 0) length = *share++;
  lengths[kLongest] = 1;
  lengths[kSymbols + 3] = lengths[kSymbols + 4] = 1;
  return lengths;
}

/// The header of a block with such codes, a word of bits at a time.
template <class Put>
void make_header(std::span<const std::uint8_t> lengths, Put put) {
  put(0, 1);  // not the last block
  put(2, 2);  // with codes of its own
  put(kSymbols - 257, 5);
  put(kDistances - 1, 5);
  // Lengths are written in a code of their own: 0 to 4, and 17 and 18 for few and many zeros.
  constexpr std::array<std::uint8_t, 19> kReported{2, 3, 3, 3, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 3, 3};
  constexpr std::array<std::size_t, 18> kOrder{16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1};
  put(kOrder.size() - 4, 4);
  for (const std::size_t symbol : kOrder) put(kReported[symbol], 3);
  const auto emit = [&](std::size_t symbol) { put(code_of(symbol, kReported), kReported[symbol]); };
  for (std::size_t at = 0; at < lengths.size();) {
    std::size_t zeros = 0;
    while (zeros < 138 && at + zeros < lengths.size() && lengths[at + zeros] == 0) ++zeros;
    if (zeros >= 11) {
      emit(18);
      put(static_cast<std::uint32_t>(zeros - 11), 7);
    } else if (zeros >= 3) {
      emit(17);
      put(static_cast<std::uint32_t>(zeros - 3), 3);
    } else {
      zeros = 1;
      emit(lengths[at]);
    }
    at += zeros;
  }
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

std::vector<Stretch> find_background(std::span<const Piece> pieces) {
  std::vector<Stretch> stretches;
  for (const Piece& piece : pieces) cut(piece, stretches);
  return stretches;
}

BackgroundBlocks::BackgroundBlocks(Pattern pattern) : pattern_(pattern) {
  const std::vector<std::uint8_t> lengths = lengths_for(pattern);
  const auto word = [symbols = std::span(lengths).first(kSymbols)](std::size_t symbol) {
    return Word{code_of(symbol, symbols), symbols[symbol]};
  };
  const std::array bytes = bytes_of(pattern);
  std::transform(bytes.begin(), bytes.end(), bytes_.begin(), word);
  end_ = word(kEnd);
  make_header(lengths, [&](std::uint32_t bits, int count) { beginning_.push_back({bits, count}); });
  beginning_.insert(beginning_.end(), bytes_.begin(), bytes_.end());
}

void BackgroundBlocks::append(std::int64_t times, std::vector<std::uint8_t>& out) const {
  Bits bits(out);
  const auto put = [&](const Word& word) { bits.put(word.bits, word.count); };
  std::for_each(beginning_.begin(), beginning_.end(), put);
  const std::int64_t rest = (times - 1) * std::ssize(bytes_);
  bits.put_zeros(2 * (rest / kMatch));  // matches, and how far back they lie
  for (std::int64_t i = rest - rest % kMatch; i < rest; ++i)
    put(bytes_[static_cast<std::size_t>(i % std::ssize(bytes_))]);
  put(end_);
  // A stored block of nothing ends with a whole byte.
  bits.put(0, 3);
  bits.align();
  bits.put(0xFFFF'0000u, 32);
}

std::uint32_t crc32_of_background(std::uint32_t crc, Pattern pattern, std::int64_t times) {
  // Four bytes are added to what is under the two inversions, which is then multiplied by x to the 32nd.
  std::uint32_t factor = multiply(1u << 15, 1u << 15), summand = multiply(pattern, factor), sum = ~crc;
  for (; times > 0; times >>= 1) {
    if ((times & 1) != 0) sum = multiply(sum, factor) ^ summand;
    summand ^= multiply(summand, factor);
    factor = multiply(factor, factor);
  }
  return ~sum;
}

std::uint32_t adler32_of_background(std::uint32_t adler, Pattern pattern, std::int64_t times) {
  constexpr std::int64_t kModulus = 65521;
  const auto [a, b, c, d] = bytes_of(pattern);
  const std::int64_t low = adler & 0xFFFF, high = adler >> 16, each = a + b + c + d;
  const bool even = times % 2 == 0;
  const std::int64_t pairs =
      (even ? times / 2 : times) % kModulus * ((even ? times - 1 : (times - 1) / 2) % kModulus) % kModulus;
  const std::int64_t n = times % kModulus;
  const std::int64_t higher =
      high + n * (4 * low + 4 * a + 3 * b + 2 * c + d) % kModulus + pairs * (4 * each) % kModulus;
  return static_cast<std::uint32_t>(higher % kModulus << 16 | (low + n * each) % kModulus);
}

}  // namespace crema::files
