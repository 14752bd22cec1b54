// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "files/source.h"

namespace crema::files {

/// No deflate stream grows by more than this, so a file's size bounds what it can hold.
inline constexpr double kDeflateRatio = 1032;

bool looks_gzipped(std::span<const std::uint8_t> start);

/// Inflates a gzip file piece by piece, its members one after the other, every checksum verified.
/// Throws InputError on damage, on data cut short and on bytes after the last member other than zeros.
class Gunzip {
 public:
  explicit Gunzip(const Source& source);
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

/// One gzip member holding the pieces one after the other, without name or time.
std::vector<std::uint8_t> gzip(std::span<const std::span<const std::uint8_t>> pieces);

}  // namespace crema::files
