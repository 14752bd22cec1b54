// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

namespace crema::files {

/// The file of voxels that a header names. Refuses one that is missing or lies outside the header's folder:
/// by an absolute path, by "..", or by a link; and a name with a pattern in it.
std::filesystem::path detached_file(const std::filesystem::path& header, const std::string& name);

/// Throws UsageError when a header could not name this file so that every reader finds it.
void check_data_name(const std::filesystem::path& data);

}  // namespace crema::files
