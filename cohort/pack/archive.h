// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace crema::cohort {

/// A regular file that is read at any place.
class OpenFile {
 public:
  explicit OpenFile(const std::filesystem::path& path);
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;
  ~OpenFile();

  [[nodiscard]] bool is_open() const { return descriptor_ >= 0; }
  [[nodiscard]] std::int64_t bytes() const { return bytes_; }
  [[nodiscard]] std::int64_t modified() const { return modified_; }  ///< nanoseconds

  /// Hands the bytes on in pieces. Throws InputError where the file ends before, or is not there.
  template <class Take>
  void read(std::int64_t offset, std::int64_t bytes, Take take) const {
    require_open();
    std::string buffer;
    while (bytes > 0) {
      const std::string_view piece = read_piece(offset, bytes, buffer);
      take(piece);
      offset += std::ssize(piece);
      bytes -= std::ssize(piece);
    }
  }

 private:
  void require_open() const;
  std::string_view read_piece(std::int64_t offset, std::int64_t most, std::string& buffer) const;

  std::filesystem::path path_;
  int descriptor_ = -1;
  std::int64_t bytes_ = 0, modified_ = 0;
};

}  // namespace crema::cohort
