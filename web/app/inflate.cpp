// SPDX-License-Identifier: Apache-2.0
#include "web/app/inflate.h"

#include <algorithm>

namespace crema::report {
namespace {

constexpr std::size_t kInput = std::size_t{1} << 16;
constexpr std::size_t kBack = std::size_t{1} << 15, kPiece = std::size_t{1} << 16, kLongest = 258;
constexpr int kLongestCode = 15;

constexpr std::array<std::uint16_t, 29> kLengths{3,  4,  5,  6,   7,   8,   9,   10,  11, 13,
                                                 15, 17, 19, 23,  27,  31,  35,  43,  51, 59,
                                                 67, 83, 99, 115, 131, 163, 195, 227, 258};
constexpr std::array<std::uint8_t, 29> kLengthBits{0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2,
                                                   2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0};
constexpr std::array<std::uint16_t, 30> kDistances{
    1,   2,   3,   4,   5,   7,    9,    13,   17,   25,   33,   49,   65,    97,    129,
    193, 257, 385, 513, 769, 1025, 1537, 2049, 3073, 4097, 6145, 8193, 12289, 16385, 24577};
constexpr std::array<std::uint8_t, 19> kOrder{16, 17, 18, 0, 8,  7, 9,  6, 10, 5,
                                              11, 4,  12, 3, 13, 2, 14, 1, 15};

std::uint32_t reversed(std::uint32_t code, int length) {
  std::uint32_t turned = 0;
  for (int i = 0; i < length; ++i) turned |= (code >> i & 1U) << (length - 1 - i);
  return turned;
}

}  // namespace

void BitSource::refill() {
  while (held_ <= 56) {
    if (at_ == input_.size()) {
      input_.resize(kInput);
      input_.resize(load_(input_));
      at_ = 0;
      if (input_.empty()) return;
    }
    hold_ |= std::uint64_t{input_[at_++]} << held_;
    held_ += 8;
  }
}

bool PrefixCode::build(std::span<const std::uint8_t> lengths) {
  count_ = {};
  fast_ = {};
  for (const std::uint8_t length : lengths) ++count_[length];
  count_[0] = 0;
  std::int32_t left = 1, codes = 0;
  std::array<std::uint16_t, kLongestCode + 2> first{}, next{};
  for (std::size_t n = 1; n <= kLongestCode; ++n) {
    left = left * 2 - count_[n];
    if (left < 0) return false;
    codes += count_[n];
    first[n + 1] = static_cast<std::uint16_t>(first[n] + count_[n]);
    next[n + 1] = static_cast<std::uint16_t>((next[n] + count_[n]) << 1);
  }
  // Codes that leave something out are none, but for a single one of one bit, or none at all.
  if (left > 0 && codes > 0 && (codes > 1 || count_[1] != 1)) return false;
  for (std::size_t s = 0; s < lengths.size(); ++s) {
    const int length = lengths[s];
    if (length == 0) continue;
    const auto n = static_cast<std::size_t>(length);
    symbol_[first[n]++] = static_cast<std::uint16_t>(s);
    const std::uint32_t code = next[n]++;
    if (length > kFast) continue;
    for (std::uint32_t at = reversed(code, length); at < fast_.size(); at += 1U << length)
      fast_[at] = static_cast<std::uint16_t>(s << 4 | n);
  }
  return true;
}

std::uint32_t PrefixCode::decode(BitSource& bits) const {
  std::uint32_t ahead = bits.peek(kLongestCode);
  if (const std::uint16_t found = fast_[ahead & (fast_.size() - 1)]; found != 0) {
    bits.drop(found & 15);
    return found >> 4U;
  }
  std::int32_t code = 0, first = 0, index = 0;
  for (int length = 1; length <= kLongestCode; ++length, ahead >>= 1) {
    code |= static_cast<std::int32_t>(ahead & 1U);
    const std::int32_t count = count_[static_cast<std::size_t>(length)];
    if (code - count < first) {
      bits.drop(length);
      return symbol_[static_cast<std::size_t>(index + code - first)];
    }
    index += count;
    first = (first + count) << 1;
    code <<= 1;
  }
  throw InflateError(bits.has(kLongestCode) ? InflateFault::invalid : InflateFault::cut_short);
}

void Inflater::begin() {
  window_.resize(kBack + kPiece + kLongest);
  made_ = taken_ = 0;
  total_ = 0;
  block_ = Block::none;
  last_ = false;
}

std::size_t Inflater::read(std::span<std::uint8_t> out) {
  std::size_t done = 0;
  while (done < out.size()) {
    if (taken_ == made_) produce();
    if (taken_ == made_) break;
    const std::size_t count = std::min(out.size() - done, made_ - taken_);
    std::copy_n(window_.begin() + static_cast<std::ptrdiff_t>(taken_), count,
                out.begin() + static_cast<std::ptrdiff_t>(done));
    taken_ += count;
    done += count;
  }
  return done;
}

/// Makes something, unless the stream has ended.
void Inflater::produce() {
  if (made_ > kBack) {
    std::copy(window_.begin() + static_cast<std::ptrdiff_t>(made_ - kBack),
              window_.begin() + static_cast<std::ptrdiff_t>(made_), window_.begin());
    made_ = taken_ = kBack;
  }
  while (taken_ == made_ && !(last_ && block_ == Block::none)) {
    if (block_ == Block::none) begin_block();
    if (block_ == Block::stored)
      copy_stored();
    else
      decode_block();
  }
}

void Inflater::begin_block() {
  last_ = bits_.take(1) == 1;
  const std::uint32_t kind = bits_.take(2);
  if (kind == 0) {
    bits_.align();
    stored_ = bits_.take(16);
    if (bits_.take(16) != (stored_ ^ 0xffffU)) throw InflateError(InflateFault::invalid);
    block_ = Block::stored;
    return;
  }
  if (kind == 3) throw InflateError(InflateFault::invalid);
  block_ = Block::coded;
  if (kind == 2) return read_codes();
  std::array<std::uint8_t, 288> lengths{};
  for (std::size_t s = 0; s < lengths.size(); ++s) lengths[s] = s < 144 ? 8 : s < 256 ? 9 : s < 280 ? 7 : 8;
  literals_.build(lengths);
  std::fill_n(lengths.begin(), 32, std::uint8_t{5});
  distances_.build(std::span(lengths).first(32));
}

void Inflater::read_codes() {
  const std::size_t literals = bits_.take(5) + 257, distances = bits_.take(5) + 1, given = bits_.take(4) + 4;
  std::array<std::uint8_t, 320> lengths{};
  for (std::size_t i = 0; i < given; ++i) lengths[kOrder[i]] = static_cast<std::uint8_t>(bits_.take(3));
  PrefixCode code;
  if (literals > 286 || distances > 30 || !code.build(std::span(lengths).first(19)))
    throw InflateError(InflateFault::invalid);
  lengths = {};
  for (std::size_t i = 0; i < literals + distances;) {
    const std::uint32_t symbol = code.decode(bits_);
    if (symbol < 16) {
      lengths[i++] = static_cast<std::uint8_t>(symbol);
      continue;
    }
    if (symbol == 16 && i == 0) throw InflateError(InflateFault::invalid);
    const std::uint8_t value = symbol == 16 ? lengths[i - 1] : std::uint8_t{0};
    std::size_t times = symbol == 16   ? 3 + bits_.take(2)
                        : symbol == 17 ? 3 + bits_.take(3)
                                       : 11 + bits_.take(7);
    if (i + times > literals + distances) throw InflateError(InflateFault::invalid);
    for (; times > 0; --times) lengths[i++] = value;
  }
  if (lengths[256] == 0 || !literals_.build(std::span(lengths).first(literals)) ||
      !distances_.build(std::span(lengths).subspan(literals, distances)))
    throw InflateError(InflateFault::invalid);
}

void Inflater::copy_stored() {
  for (; stored_ > 0 && made_ < kBack + kPiece; --stored_, ++total_)
    window_[made_++] = static_cast<std::uint8_t>(bits_.take(8));
  if (stored_ == 0) block_ = Block::none;
}

void Inflater::repeat(std::size_t distance, std::size_t length) {
  if (distance > total_ || distance > made_) throw InflateError(InflateFault::invalid);
  std::uint8_t* const to = window_.data() + made_;
  for (std::size_t i = 0; i < length; ++i) to[i] = to[static_cast<std::ptrdiff_t>(i - distance)];
  made_ += length;
  total_ += length;
}

void Inflater::decode_block() {
  while (made_ < kBack + kPiece) {
    const std::uint32_t symbol = literals_.decode(bits_);
    if (symbol < 256) {
      window_[made_++] = static_cast<std::uint8_t>(symbol);
      ++total_;
      continue;
    }
    if (symbol == 256) {
      block_ = Block::none;
      return;
    }
    if (symbol > 285) throw InflateError(InflateFault::invalid);
    const std::size_t length = kLengths[symbol - 257] + bits_.take(kLengthBits[symbol - 257]);
    const std::uint32_t far = distances_.decode(bits_);
    if (far > 29) throw InflateError(InflateFault::invalid);
    repeat(kDistances[far] + bits_.take(far < 2 ? 0 : static_cast<int>(far / 2 - 1)), length);
  }
}

std::uint32_t crc32(std::uint32_t sum, std::span<const std::uint8_t> bytes) {
  static const auto tables = [] {
    std::array<std::array<std::uint32_t, 256>, 8> result{};
    for (std::uint32_t n = 0; n < 256; ++n) {
      result[0][n] = n;
      for (int k = 0; k < 8; ++k)
        result[0][n] = (result[0][n] >> 1) ^ ((result[0][n] & 1U) != 0 ? 0xedb88320U : 0U);
    }
    for (std::size_t t = 1; t < 8; ++t)
      for (std::size_t n = 0; n < 256; ++n)
        result[t][n] = (result[t - 1][n] >> 8) ^ result[0][result[t - 1][n] & 255U];
    return result;
  }();
  sum = ~sum;
  std::size_t i = 0;
  for (; i + 8 <= bytes.size(); i += 8) {
    const std::uint8_t* const b = &bytes[i];
    sum ^= b[0] | std::uint32_t{b[1]} << 8 | std::uint32_t{b[2]} << 16 | std::uint32_t{b[3]} << 24;
    sum = tables[7][sum & 255U] ^ tables[6][sum >> 8 & 255U] ^ tables[5][sum >> 16 & 255U] ^
          tables[4][sum >> 24] ^ tables[3][b[4]] ^ tables[2][b[5]] ^ tables[1][b[6]] ^ tables[0][b[7]];
  }
  for (; i < bytes.size(); ++i) sum = (sum >> 8) ^ tables[0][(sum ^ bytes[i]) & 255U];
  return ~sum;
}

std::uint32_t adler32(std::uint32_t sum, std::span<const std::uint8_t> bytes) {
  constexpr std::uint32_t kPrime = 65521;
  std::uint32_t low = sum & 0xffffU, high = sum >> 16;
  for (std::size_t i = 0; i < bytes.size();) {
    const std::size_t end = std::min(bytes.size(), i + 5552);  // as many as 32 bits hold
    for (; i < end; ++i) {
      low += bytes[i];
      high += low;
    }
    low %= kPrime;
    high %= kPrime;
  }
  return high << 16 | low;
}

}  // namespace crema::report
