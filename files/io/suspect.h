// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>

namespace crema::files {

/// Refuses a file by what its first bytes show it to be instead of a mask: a web page, a pointer whose
/// content was never fetched, an image of another format. Returns when they show nothing.
void refuse_suspect(std::span<const std::uint8_t> start, const std::filesystem::path& path);

/// Whether a file begins with the elements of DICOM, but without the preamble by which such files are known.
bool is_bare_dicom(std::span<const std::uint8_t> start);

}  // namespace crema::files
