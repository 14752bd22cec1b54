// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>

namespace crema::files {

/// SHA-256 of pieces that follow each other, in hexadecimal digits.
std::string sha256_of(std::span<const std::span<const std::uint8_t>> pieces);

/// SHA-256 of a file's bytes, in hexadecimal digits. Throws FileError when it cannot be read.
std::string sha256_of(const std::filesystem::path& path);

}  // namespace crema::files
