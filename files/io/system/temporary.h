// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cerrno>
#include <filesystem>
#include <span>

#include <signal.h>

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

/// While it lives, files are created or change their names together and no signal comes between: this thread
/// puts them off, and remove_temporaries() waits on the others.
class Naming {
 public:
  Naming();
  Naming(const Naming&) = delete;
  Naming& operator=(const Naming&) = delete;
  ~Naming();

 private:
  sigset_t before_{};
};

/// Repeats a system call that a signal interrupted.
template <class Call>
auto unbroken(Call call) {
  auto result = call();
  while (result == -1 && errno == EINTR) result = call();
  return result;
}

/// A new hidden name in the folder of that file.
std::filesystem::path hidden_name(const std::filesystem::path& target);

/// Throws FileError for what the system said when this file was to be written.
[[noreturn]] void fail_writing(const std::filesystem::path& target, int error);

/// Throws UsageError when something that must not be replaced stands under this name.
void check_replaceable(const std::filesystem::path& path, const WriteOptions& options);

/// The folder a file of this name lies in; "." where the name has none.
std::filesystem::path folder_of(const std::filesystem::path& path);

}  // namespace crema::files
