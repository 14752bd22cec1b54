// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

#include "crema/base/warning.h"

namespace crema::files::dicom {

/// A text in the character set that the file states as UTF-8. ASCII, Latin-1 and UTF-8 are known; in any
/// other set, letters beyond ASCII are written as their bytes, with a warning.
std::string utf8_of(const std::string& text, const std::string& characters, const std::filesystem::path& path,
                    Warnings& warnings);

}  // namespace crema::files::dicom
