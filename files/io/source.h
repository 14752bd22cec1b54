// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <vector>

#include "files/files.h"

namespace crema::files {

/// A regular file opened for reading. Nothing is mapped: a file that shrinks while it is read is an error
/// here, not a bus error.
class Source {
 public:
  /// Throws InputError, naming the cause, for what is missing, unreadable, empty, or no regular file.
  /// Never blocks on a FIFO or a device.
  explicit Source(std::filesystem::path path);
  Source(Source&& other) noexcept;
  Source(const Source&) = delete;
  Source& operator=(const Source&) = delete;
  Source& operator=(Source&&) = delete;
  ~Source();

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  [[nodiscard]] std::int64_t size() const { return size_; }

  /// Fills `out` from an offset; returns fewer bytes only at the end of the file. Throws FileError on a bad
  /// disk.
  std::size_t read(std::int64_t offset, std::span<std::uint8_t> out) const;

  /// The first bytes, at most `count`.
  [[nodiscard]] std::vector<std::uint8_t> start(std::size_t count) const;

 private:
  std::filesystem::path path_;
  int descriptor_ = -1;
  std::int64_t size_ = 0;
};

/// What one file may take in memory: the option, or three quarters of what the process may take.
std::int64_t memory_limit(const ReadOptions& options);

/// Throws ResourceError when reading this file would take more than is allowed.
void check_memory(const std::filesystem::path& path, double bytes, const ReadOptions& options);

}  // namespace crema::files
