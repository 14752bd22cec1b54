// SPDX-License-Identifier: Apache-2.0
// Writing an .npz.
#include <array>
#include <cstring>
#include <limits>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "crema/base/error.h"
#include "files/files.h"
#include "files/io/gzip/gzip.h"

namespace crema::files {
namespace {

using Bytes = std::vector<std::uint8_t>;

/// A gzip member without name or time: what stands before and behind its deflate stream.
constexpr std::size_t kGzipHead = 10, kGzipTail = 8;

void put(Bytes& bytes, std::uint64_t value, std::size_t width) {
  for (std::size_t i = 0; i < width; ++i) bytes.push_back(static_cast<std::uint8_t>(value >> (8 * i)));
}

void put(Bytes& bytes, const std::string& text) { bytes.insert(bytes.end(), text.begin(), text.end()); }

/// Version 1.0 of the .npy format; padded so that the values start at a multiple of 64.
Bytes npy_header(std::span<const std::int64_t> shape) {
  std::string text =
      fmt::format("{{'descr': '<f4', 'fortran_order': False, 'shape': ({},), }}", fmt::join(shape, ", "));
  constexpr std::size_t kBefore = 10, kAlign = 64;
  text.append(kAlign - (kBefore + text.size() + 1) % kAlign, ' ');
  text += '\n';
  Bytes header;
  put(header, "\x93NUMPY\x01" + std::string(1, '\0'));
  put(header, text.size(), 2);
  put(header, text);
  return header;
}

/// What both headers of a member have in common, from the version that is needed to the length of the name.
void put_member(Bytes& bytes, std::uint64_t crc, std::uint64_t packed, std::uint64_t whole,
                std::size_t name) {
  constexpr std::uint64_t kVersion = 20, kDeflated = 8, kFirstDay = 0x21;
  put(bytes, kVersion, 2);
  put(bytes, 0, 2);  // flags
  put(bytes, kDeflated, 2);
  put(bytes, 0, 2);  // time
  put(bytes, kFirstDay, 2);
  put(bytes, crc, 4);
  put(bytes, packed, 4);
  put(bytes, whole, 4);
  put(bytes, name, 2);
  put(bytes, 0, 2);  // no extra field
}

/// The list of members at the end of the archive.
void put_directory(Bytes& archive, const Bytes& member, const std::string& name) {
  const std::size_t start = archive.size();
  put(archive, "PK\x01\x02");
  put(archive, 20, 2);
  archive.insert(archive.end(), member.begin(), member.end());
  for (const std::size_t width : {2U, 2U, 2U, 4U, 4U})
    put(archive, 0, width);  // comment … offset of the member
  put(archive, name);
  const std::size_t size = archive.size() - start;
  put(archive, "PK\x05\x06");
  put(archive, 0, 4);
  put(archive, 1, 2);
  put(archive, 1, 2);
  put(archive, size, 4);
  put(archive, start, 4);
  put(archive, 0, 2);
}

}  // namespace

std::vector<std::uint8_t> encode_npz(const std::string& member, std::span<const std::int64_t> shape,
                                     std::span<const float> values) {
  const Bytes header = npy_header(shape);
  const std::uint64_t whole = header.size() + values.size_bytes();
  constexpr std::uint64_t kMax = std::numeric_limits<std::uint32_t>::max();
  if (whole >= kMax) throw UsageError("an .npz holds at most 4 GB here; write .nii.gz.");
  const std::span bytes(reinterpret_cast<const std::uint8_t*>(values.data()), values.size_bytes());
  const std::array pieces{Piece(header), Piece(bytes)};
  const Bytes packed = gzip(pieces);
  std::uint32_t crc = 0;
  std::memcpy(&crc, &packed[packed.size() - kGzipTail], sizeof crc);
  const std::string name = member + ".npy";
  Bytes facts, archive;
  put_member(facts, crc, packed.size() - kGzipHead - kGzipTail, whole, name.size());
  put(archive, "PK\x03\x04");
  archive.insert(archive.end(), facts.begin(), facts.end());
  put(archive, name);
  archive.insert(archive.end(), packed.begin() + kGzipHead, packed.end() - kGzipTail);
  put_directory(archive, facts, name);
  return archive;
}

}  // namespace crema::files
