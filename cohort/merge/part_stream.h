// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace crema::cohort {

/// A file that is read from its begin to its end, a buffer at a time. Thousands of them may be under way at
/// once: those so marked keep no descriptor between two buffers.
class PartStream {
 public:
  enum class Between : std::uint8_t { open, closed };

  PartStream(std::filesystem::path path, std::size_t buffer, Between between);
  PartStream(PartStream&& other) noexcept;
  PartStream(const PartStream&) = delete;
  PartStream& operator=(const PartStream&) = delete;
  PartStream& operator=(PartStream&&) = delete;
  ~PartStream();

  /// Hands the next bytes on, in one or several pieces. Throws InputError where the file ends before.
  template <class Take>
  void copy(std::int64_t bytes, Take take) {
    while (bytes > 0) {
      const std::string_view piece = ahead(bytes);
      take(piece);
      bytes -= std::ssize(piece);
      at_ += piece.size();
    }
  }

  /// The next line without its end; false at the end of the file.
  bool line(std::string& text);

 private:
  std::string_view ahead(std::int64_t most);
  bool fill();

  std::filesystem::path path_;
  std::size_t size_;
  Between between_;
  int descriptor_ = -1;
  std::int64_t offset_ = 0;  ///< of the end of the buffer
  std::string buffer_;
  std::size_t at_ = 0;  ///< in the buffer
};

}  // namespace crema::cohort
