// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "crema/base/error.h"
#include "crema/base/sentence.h"
#include "files/files.h"

namespace crema::files {

/// "name: text." with the name fit for a terminal; the form of every warning and refusal.
template <class... Args>
std::string sentence(const std::filesystem::path& path, fmt::format_string<Args...> text, Args&&... args) {
  return printable(path) + ": " + fmt::format(text, std::forward<Args>(args)...) + ".";
}

/// The file is at fault.
template <class... Args>
[[noreturn]] void refuse(const std::filesystem::path& path, fmt::format_string<Args...> text,
                         Args&&... args) {
  throw InputError(sentence(path, text, std::forward<Args>(args)...));
}

/// The disk is at fault.
template <class... Args>
[[noreturn]] void fail(const std::filesystem::path& path, fmt::format_string<Args...> text, Args&&... args) {
  throw FileError(sentence(path, text, std::forward<Args>(args)...));
}

/// "256×256×20", "640×480" for a 2-D grid.
std::string shape(const Grid& grid);

/// "1.5 GB", "352 bytes".
std::string bytes_text(double bytes);

}  // namespace crema::files
