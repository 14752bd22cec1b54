// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "files/io/gzip/gzip.h"

namespace crema::files {

/// One member of a zip archive.
struct ZipEntry {
  std::string name;
  Section section;        ///< its bytes in the file, stored or deflated
  std::int64_t size = 0;  ///< unpacked
  std::uint32_t crc = 0;
};

/// The members of an archive, by its central directory, each checked against its own header. Throws
/// InputError when anything in it contradicts something else: counts, places, sizes, names, members that
/// overlap, and for members that are encrypted or packed otherwise than with deflate.
std::vector<ZipEntry> zip_entries(const Source& source);

}  // namespace crema::files
