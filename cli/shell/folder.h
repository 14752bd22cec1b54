// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

namespace crema::cli {

/// A folder that this run makes, unless the name is empty. Taken away again when it is still empty at the
/// end, or when a signal comes.
class MadeFolder {
 public:
  /// Throws FileError when it cannot be made.
  explicit MadeFolder(std::filesystem::path folder);
  ~MadeFolder();
  MadeFolder(const MadeFolder&) = delete;
  MadeFolder& operator=(const MadeFolder&) = delete;

 private:
  std::filesystem::path folder_;
};

}  // namespace crema::cli
