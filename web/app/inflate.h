// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <exception>
#include <functional>
#include <span>
#include <vector>

namespace crema::report {

/// What is wrong with deflate data.
enum class InflateFault : std::uint8_t { cut_short, invalid };

struct InflateError : std::exception {
  explicit InflateError(InflateFault kind) : fault(kind) {}
  InflateFault fault;
};

/// Bits of an input that is loaded piece by piece.
class BitSource {
 public:
  /// Fills what it is given; fewer bytes only at the end of the input.
  using Load = std::function<std::size_t(std::span<std::uint8_t>)>;

  explicit BitSource(Load load) : load_(std::move(load)) {}

  /// The next bits, at most 16; zeros behind the end. Nothing is taken.
  std::uint32_t peek(int count) {
    if (held_ < count) refill();
    return static_cast<std::uint32_t>(hold_ & ((std::uint64_t{1} << count) - 1));
  }
  /// Takes what was peeked at. Throws InflateError where there is not as much.
  void drop(int count) {
    if (count > held_) throw InflateError(InflateFault::cut_short);
    hold_ >>= count;
    held_ -= count;
  }
  std::uint32_t take(int count) {
    const std::uint32_t bits = peek(count);
    drop(count);
    return bits;
  }
  /// To the next whole byte.
  void align() { drop(held_ % 8); }
  /// Whether `count` whole bits are left, at most 56.
  bool has(int count) {
    if (held_ < count) refill();
    return held_ >= count;
  }

 private:
  void refill();

  Load load_;
  std::vector<std::uint8_t> input_;
  std::size_t at_ = 0;
  std::uint64_t hold_ = 0;
  int held_ = 0;
};

/// A prefix code of deflate: ten bits by a table, longer ones bit by bit.
class PrefixCode {
 public:
  /// False where the lengths make no code.
  bool build(std::span<const std::uint8_t> lengths);
  [[nodiscard]] std::uint32_t decode(BitSource& bits) const;

 private:
  static constexpr int kFast = 10;
  std::array<std::uint16_t, 16> count_{};
  std::array<std::uint16_t, 288> symbol_{};
  std::array<std::uint16_t, 1 << kFast> fast_{};  ///< symbol and length; 0: longer
};

/// Inflates deflate data without a library, as the page has none; the same data as RFC 1951 has them.
class Inflater {
 public:
  explicit Inflater(BitSource& bits) : bits_(bits) {}

  /// Before another stream.
  void begin();
  /// Fills `out`; fewer bytes only at the end of the stream. Throws InflateError.
  std::size_t read(std::span<std::uint8_t> out);

 private:
  enum class Block : std::uint8_t { none, stored, coded };

  void produce();
  void begin_block();
  void read_codes();
  void copy_stored();
  void decode_block();
  void repeat(std::size_t distance, std::size_t length);

  BitSource& bits_;
  std::vector<std::uint8_t> window_;  ///< what was made last, and what is still to be handed out
  std::size_t made_ = 0, taken_ = 0;
  std::uint64_t total_ = 0;
  Block block_ = Block::none;
  std::size_t stored_ = 0;
  bool last_ = false;
  PrefixCode literals_, distances_;
};

/// Of RFC 1952, going on from `sum`.
std::uint32_t crc32(std::uint32_t sum, std::span<const std::uint8_t> bytes);
/// Of RFC 1950, going on from `sum`, which starts as 1.
std::uint32_t adler32(std::uint32_t sum, std::span<const std::uint8_t> bytes);

}  // namespace crema::report
