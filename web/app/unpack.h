// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "files/io/gzip/gzip.h"
#include "web/app/inflate.h"

namespace crema::report {

/// As files::Gunzip without a library: the same rules and the same sentences, piece by piece as well, so that
/// no file is ever held as a whole once it is inflated.
class Unpack {
 public:
  Unpack(const files::Source& source, const files::Section& section);
  Unpack(const Unpack&) = delete;
  Unpack& operator=(const Unpack&) = delete;

  std::size_t read(std::span<std::uint8_t> out);
  [[nodiscard]] std::int64_t trailing_zeros() const { return zeros_; }

 private:
  std::size_t load(std::span<std::uint8_t> out);
  [[nodiscard]] const char* name() const;
  [[noreturn]] void refuse_damage(const char* what) const;
  std::uint8_t header_byte();
  void begin_member();
  void begin_gzip();
  void begin_zlib();
  void finish_member();
  void check_trailer();
  void check_padding();

  const files::Source& source_;
  files::Packing packing_;
  std::int64_t position_, end_;
  BitSource bits_;
  Inflater inflater_;
  std::uint32_t sum_ = 0, header_sum_ = 0;
  std::uint64_t size_ = 0;
  std::int64_t zeros_ = 0;
  bool open_ = false, ended_ = false;
};

}  // namespace crema::report
