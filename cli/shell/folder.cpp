// SPDX-License-Identifier: Apache-2.0
#include "cli/shell/folder.h"

#include <system_error>

#include <fmt/format.h>

#include "cli/shell/signals.h"
#include "crema/error.h"
#include "files/files.h"

namespace crema::cli {

MadeFolder::MadeFolder(std::filesystem::path folder) : folder_(std::move(folder)) {
  if (folder_.empty()) return;
  std::error_code failed;
  std::filesystem::create_directory(folder_, failed);
  if (failed)
    throw FileError(fmt::format("{}: the folder cannot be made ({}); choose another place.",
                                files::printable(folder_), failed.message()));
  remove_on_signal(folder_);
}

MadeFolder::~MadeFolder() {
  std::error_code ignored;
  if (!folder_.empty()) std::filesystem::remove(folder_, ignored);
}

}  // namespace crema::cli
