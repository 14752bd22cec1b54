// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "files/io/source.h"

namespace crema::files {

bool looks_like_tiff(std::span<const std::uint8_t> start);

/// Where the directories of a TIFF file lie, one for each page, in order. Throws InputError when the chain of
/// them leaves the file, comes back to itself or has no page.
std::vector<std::uint64_t> tiff_directories(const Source& source);

}  // namespace crema::files
