// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "crema/sentence.h"

namespace crema::cohort {

/// Files that may be masks, by their endings.
struct Found {
  std::vector<std::string> files;  ///< from the folder that was searched, in order
  Warnings warnings;               ///< links that lead back to where they lie, folders that cannot be read
};

/// Looks through a folder and all below it, through links too. What is hidden is left out, and so is what
/// another run wrote. `only` is a pattern for names such as "*_seg.nii.gz"; empty: all.
Found find_masks(const std::filesystem::path& folder, const std::string& only);

}  // namespace crema::cohort
