// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

namespace crema::files {

/// SHA-256 of a file's bytes, in hexadecimal digits. Throws FileError when it cannot be read.
std::string sha256_of(const std::filesystem::path& path);

}  // namespace crema::files
