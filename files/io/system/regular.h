// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include <sys/stat.h>
#include <sys/types.h>

namespace crema::files {

/// What came of opening a file for reading. Only a regular file is opened: a pipe or a device could be
/// waited for and read for ever.
struct Regular {
  int descriptor = -1;    ///< for the caller to close; -1: it was not opened
  int error = 0;          ///< what the system said; 0 where it is there and no regular file
  mode_t mode = 0;        ///< where it is there
  std::int64_t size = 0;  ///< in bytes
};

Regular open_regular(const std::filesystem::path& path);

/// The descriptor of a regular file and what is known of it; −1 for anything else.
int open_once(const std::filesystem::path& path, struct stat& status);

/// What is wrong with a file of that mode and how to go on: "is a pipe; save it as a file first".
std::string_view not_regular(mode_t mode);

/// Makes new names in a folder last through a power cut.
void sync_folder(const std::filesystem::path& folder);

/// A whole text. Throws FileError where it cannot be read, InputError where it is no regular file.
std::string read_text(const std::filesystem::path& path);

}  // namespace crema::files
