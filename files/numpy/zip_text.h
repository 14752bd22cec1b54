// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace crema::files {

/// The text of the one member of a zip archive whose name has one of these endings; nothing where the file is
/// no archive. Throws InputError where no member or several fit and where anything is damaged, ResourceError
/// where it is too large.
std::optional<std::string> read_zipped_text(const std::filesystem::path& path,
                                            std::span<const std::string_view> endings,
                                            std::int64_t max_memory);

}  // namespace crema::files
