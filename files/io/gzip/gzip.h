// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "files/io/gzip/background.h"
#include "files/io/source.h"

namespace crema::files {

/// No deflate stream grows by more than this, so a file's size bounds what it can hold.
inline constexpr double kDeflateRatio = 1032;

bool looks_gzipped(std::span<const std::uint8_t> start);

enum class Packing : std::uint8_t { none, gzip, zlib, deflate };

/// A stretch of a file, and how it is packed.
struct Section {
  std::int64_t offset = 0;
  std::int64_t end = -1;  ///< behind its last byte; −1: the end of the file
  Packing packing = Packing::none;
};

/// So many zeros may follow the data of a file, as tapes and block devices leave them.
inline constexpr std::int64_t kMaxPadding = 64 * 1024;

/// Inflates gzip, zlib or bare deflate data piece by piece, gzip members one after the other, every checksum
/// verified; bare deflate data have none.
/// Throws InputError on damage, on data cut short and on bytes after the end other than zeros.
class Gunzip {
 public:
  explicit Gunzip(const Source& source, const Section& section = {0, -1, Packing::gzip});
  Gunzip(Gunzip&&) noexcept;
  ~Gunzip();

  /// Fills `out`; returns fewer bytes only when the content has ended and its checksum was right.
  std::size_t read(std::span<std::uint8_t> out);

  /// Zero bytes found after the last member, once the content has ended.
  [[nodiscard]] std::int64_t trailing_zeros() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// One gzip member holding the pieces one after the other, without name or time. The same content and sizes
/// give the same bytes.
std::vector<std::uint8_t> gzip(std::span<const Piece> pieces);

/// The same as one zlib stream.
std::vector<std::uint8_t> zlib(std::span<const Piece> pieces);

/// One gzip member for what is made once and read often: smaller, and slower to make.
std::vector<std::uint8_t> gzip_small(std::span<const std::uint8_t> bytes);

}  // namespace crema::files
