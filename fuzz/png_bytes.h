// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include <libdeflate.h>

namespace fuzz {

/// A PNG file with the checksums of its chunks corrected.
inline std::vector<std::uint8_t> with_checksums(std::vector<std::uint8_t> file) {
  // Signature; then length, name, content and checksum of each chunk.
  for (std::size_t at = 8; at + 12 <= file.size();) {
    const std::size_t length = std::size_t{file[at]} << 24 | std::size_t{file[at + 1]} << 16 |
                               std::size_t{file[at + 2]} << 8 | file[at + 3];
    if (length > file.size() - at - 12) break;
    const std::uint32_t sum = libdeflate_crc32(0, file.data() + at + 4, length + 4);
    for (std::size_t i = 0; i < 4; ++i)
      file[at + 8 + length + i] = static_cast<std::uint8_t>(sum >> (24 - 8 * i));
    at += 12 + length;
  }
  return file;
}

}  // namespace fuzz
