// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <vector>

namespace crema::cli {

/// Folders that this run makes. Taken away again where they are still empty at the end, or when a signal
/// comes.
class MadeFolders {
 public:
  /// Throws FileError when one cannot be made.
  explicit MadeFolders(const std::vector<std::filesystem::path>& folders);
  ~MadeFolders();
  MadeFolders(const MadeFolders&) = delete;
  MadeFolders& operator=(const MadeFolders&) = delete;

 private:
  void remove() const;

  std::vector<std::filesystem::path> made_;
};

}  // namespace crema::cli
