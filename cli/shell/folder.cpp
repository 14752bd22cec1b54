// SPDX-License-Identifier: Apache-2.0
#include "cli/shell/folder.h"

#include <system_error>

#include <fmt/format.h>

#include "cli/shell/signals.h"
#include "crema/base/error.h"
#include "files/files.h"

namespace crema::cli {

MadeFolders::MadeFolders(const std::vector<std::filesystem::path>& folders) {
  for (const std::filesystem::path& folder : folders) {
    std::error_code failed;
    std::filesystem::create_directory(folder, failed);
    if (failed) {
      remove();
      throw FileError(fmt::format("{}: the folder cannot be created ({}); choose another one.",
                                  files::printable(folder), failed.message()));
    }
    made_.push_back(folder);
    remove_on_signal(folder);
  }
}

MadeFolders::~MadeFolders() { remove(); }

/// The last one first: it may lie in one that was made before.
void MadeFolders::remove() const {
  std::error_code ignored;
  // clang 14 does not understand the views of GCC's library.
  for (auto folder = made_.rbegin(); folder != made_.rend(); ++folder)  // NOLINT(modernize-loop-convert)
    std::filesystem::remove(*folder, ignored);
}

}  // namespace crema::cli
