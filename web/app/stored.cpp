// SPDX-License-Identifier: Apache-2.0
// What the program takes from libraries, and from those who write files.
#include "files/io/gzip/gzip.h"
#include "files/io/system/temporary.h"
#include "web/app/deflate.h"
#include "web/app/inflate.h"

namespace crema::files {

namespace {

/// The lowest byte first.
void append_number(std::vector<std::uint8_t>& bytes, std::uint32_t number) {
  for (int shift = 0; shift < 32; shift += 8) bytes.push_back(static_cast<std::uint8_t>(number >> shift));
}

std::vector<std::uint8_t> joined(std::vector<std::uint8_t> start, std::span<const Piece> pieces) {
  report::Deflater deflater;
  for (const Piece& piece : pieces) deflater.add(piece.bytes);
  const std::vector<std::uint8_t> packed = deflater.finish();
  start.insert(start.end(), packed.begin(), packed.end());
  return start;
}

}  // namespace

std::vector<std::uint8_t> gzip(std::span<const Piece> pieces) {
  std::vector<std::uint8_t> file = joined({0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 0xFF}, pieces);
  std::uint32_t sum = 0, size = 0;
  for (const Piece& piece : pieces) {
    sum = report::crc32(sum, piece.bytes);
    size += static_cast<std::uint32_t>(piece.bytes.size());
  }
  append_number(file, sum);
  append_number(file, size);
  return file;
}

std::vector<std::uint8_t> zlib(std::span<const Piece> pieces) {
  std::vector<std::uint8_t> file = joined({0x78, 0x01}, pieces);
  std::uint32_t sum = 1;
  for (const Piece& piece : pieces) sum = report::adler32(sum, piece.bytes);
  for (int shift = 24; shift >= 0; shift -= 8) file.push_back(static_cast<std::uint8_t>(sum >> shift));
  return file;
}

std::filesystem::path folder_of(const std::filesystem::path& path) {
  return path.has_parent_path() ? path.parent_path() : std::filesystem::path(".");
}

}  // namespace crema::files

/// As the reader of PNG calls libdeflate for it.
extern "C" std::uint32_t libdeflate_crc32(std::uint32_t sum, const void* bytes, std::size_t count) {
  return crema::report::crc32(sum, {static_cast<const std::uint8_t*>(bytes), count});
}

/// As the reader of archives calls ISA-L for it.
extern "C" std::uint32_t crc32_gzip_refl(std::uint32_t sum, const unsigned char* bytes, std::uint64_t count) {
  return crema::report::crc32(sum, {bytes, static_cast<std::size_t>(count)});
}
