// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <span>

#include "files/files.h"

namespace crema::files {

/// A file being written under a hidden name in the folder of its target; removed unless it gets its name.
class Temporary {
 public:
  explicit Temporary(std::filesystem::path target);
  Temporary(Temporary&& other) noexcept;
  Temporary(const Temporary&) = delete;
  Temporary& operator=(const Temporary&) = delete;
  Temporary& operator=(Temporary&&) = delete;
  ~Temporary();

  void write(std::span<const std::uint8_t> bytes) const;

  /// Makes sure that the bytes are on the disk, and closes.
  void close();

  /// Gives it its name. Throws UsageError when that is taken and may not be overwritten.
  void publish(const WriteOptions& options);

  [[nodiscard]] const std::filesystem::path& target() const { return target_; }

 private:
  std::filesystem::path target_;
  std::filesystem::path path_;
  int descriptor_ = -1;
  int slot_ = -1;  ///< in the list that remove_temporaries() goes through
};

/// Throws UsageError when something that must not be replaced stands under this name.
void check_replaceable(const std::filesystem::path& path, const WriteOptions& options);

/// The folder a file of this name lies in; "." where the name has none.
std::filesystem::path folder_of(const std::filesystem::path& path);

}  // namespace crema::files
