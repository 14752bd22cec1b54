// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "crema/base/warning.h"

namespace crema::cohort {

/// Something that may be a folder of masks and cannot be opened.
struct Unread {
  std::string path;    ///< from the folder that was searched; empty: that one
  std::string reason;  ///< a sentence
};

/// Files that may be masks, by their endings.
struct Found {
  std::vector<std::string> files;  ///< from the folder that was searched, in order
  std::vector<Unread> unread;      ///< in order
  Warnings warnings;               ///< links that lead back to where they lie
};

/// Looks through a folder and all below it, through links too. What is hidden is left out, and so is what
/// another run wrote.
Found find_masks(const std::filesystem::path& folder);

}  // namespace crema::cohort
