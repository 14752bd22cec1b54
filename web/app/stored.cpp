// SPDX-License-Identifier: Apache-2.0
// What the program takes from libraries, and from those who write files. The page writes plain NIfTI, which
// its browser packs.
#include <stdexcept>

#include "files/io/gzip/gzip.h"
#include "files/io/system/temporary.h"
#include "web/app/inflate.h"

namespace crema::files {

std::vector<std::uint8_t> gzip(std::span<const Piece> /*pieces*/) {
  throw std::logic_error("the page packs nothing itself");
}

std::vector<std::uint8_t> zlib(std::span<const Piece> /*pieces*/) {
  throw std::logic_error("the page packs nothing itself");
}

std::filesystem::path folder_of(const std::filesystem::path& path) {
  return path.has_parent_path() ? path.parent_path() : std::filesystem::path(".");
}

}  // namespace crema::files

/// As the reader of PNG asks libdeflate for it.
extern "C" std::uint32_t libdeflate_crc32(std::uint32_t sum, const void* bytes, std::size_t count) {
  return crema::report::crc32(sum, {static_cast<const std::uint8_t*>(bytes), count});
}

/// As the reader of archives asks ISA-L for it.
extern "C" std::uint32_t crc32_gzip_refl(std::uint32_t sum, const unsigned char* bytes, std::uint64_t count) {
  return crema::report::crc32(sum, {bytes, static_cast<std::size_t>(count)});
}
