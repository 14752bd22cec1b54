// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <vector>

namespace crema::files {

/// The files that an image consists of, as far as they are there: itself, what its header names, and what
/// goes by its name. A folder is none of them.
std::vector<std::filesystem::path> parts_of_file(const std::filesystem::path& path);

}  // namespace crema::files
