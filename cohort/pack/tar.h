// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

namespace crema::cohort {

inline constexpr std::int64_t kTarBlock = 512;

/// What stands before a file in an archive that every tar reads (POSIX pax); `seconds` is its time. The file
/// begins on the next block.
std::string tar_head(const std::string& name, std::int64_t bytes, std::int64_t seconds);

/// What fills the last block of a file of that size.
std::string tar_padding(std::int64_t bytes);

/// The end of an archive.
std::string tar_end();

}  // namespace crema::cohort
