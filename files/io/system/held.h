// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>

#include <sys/stat.h>

#include "files/io/system/regular.h"

namespace crema::files {

/// While it lives, each of its files is opened once by this thread, whoever reads it: checksum, header and
/// voxels come from one descriptor. They are of one file then, whatever gets its name meanwhile, and a disk
/// that is far away is not queried again. One at a time for each thread; where there are no descriptors left,
/// names lead to the disk as ever.
class HeldFiles {
 public:
  explicit HeldFiles(std::span<const std::filesystem::path> files);
  ~HeldFiles();
  HeldFiles(const HeldFiles&) = delete;
  HeldFiles& operator=(const HeldFiles&) = delete;

  /// Those of this thread; none: null.
  static HeldFiles* current();

  /// The file under that name, opened where it was not before; nothing where it is not one of these, or
  /// cannot be opened.
  struct File {
    int descriptor = -1;
    struct stat status {};
  };
  const File* find(const std::filesystem::path& path);

 private:
  std::map<std::string, std::optional<File>, std::less<>> files_;  ///< nothing: not opened yet
};

/// As stat() does; a file that is held is known.
bool status_of(const std::filesystem::path& path, struct stat& status);

/// Whether there is something under that name.
bool is_there(const std::filesystem::path& path);

}  // namespace crema::files
