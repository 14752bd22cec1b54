// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace crema::files {

/// SHA-256 of pieces that follow each other, in hexadecimal digits.
std::string sha256_of(std::span<const std::span<const std::uint8_t>> pieces);

/// SHA-256 of a file's bytes, in hexadecimal digits. Throws FileError when it cannot be read, InputError when
/// it is no regular file.
std::string sha256_of(const std::filesystem::path& path);

/// SHA-256 of a text that comes piece by piece.
class RunningSha256 {
 public:
  RunningSha256();
  RunningSha256(RunningSha256&&) noexcept;
  RunningSha256& operator=(RunningSha256&&) noexcept;
  ~RunningSha256();

  void add(std::string_view text);
  /// In hexadecimal digits; begins anew.
  std::string digits();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace crema::files
