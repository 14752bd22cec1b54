// SPDX-License-Identifier: Apache-2.0
// NumPy arrays and archives made byte by byte, so that every field can be wrong.
#pragma once

#include <libdeflate.h>

#include "files/testing.h"

namespace crema::files::testing {

inline Bytes little(std::uint64_t value, std::size_t width) {
  Bytes bytes;
  for (std::size_t i = 0; i < width; ++i) bytes.push_back(static_cast<std::uint8_t>(value >> (8 * i)));
  return bytes;
}

/// An array with any text as its header.
inline Bytes npy_with(const std::string& header, const Bytes& values, int version = 1) {
  const std::string text = header + "\n";
  return joined({{0x93, 'N', 'U', 'M', 'P', 'Y', static_cast<std::uint8_t>(version), 0},
                 little(text.size(), version == 1 ? 2 : 4),
                 Bytes(text.begin(), text.end()),
                 values});
}

inline Bytes npy(const std::string& descr, const std::string& shape, const Bytes& values,
                 const std::string& fortran = "False") {
  return npy_with("{'descr': '" + descr + "', 'fortran_order': " + fortran + ", 'shape': " + shape + ", }",
                  values);
}

/// The values of an array, in either byte order.
template <class T>
Bytes stored(const std::vector<T>& values, bool big_endian = false) {
  Bytes all;
  for (const T value : values) {
    auto bytes = std::bit_cast<std::array<std::uint8_t, sizeof(T)>>(value);
    if (big_endian) std::reverse(bytes.begin(), bytes.end());
    all.insert(all.end(), bytes.begin(), bytes.end());
  }
  return all;
}

inline Bytes deflated(const Bytes& data) {
  auto* const compressor = libdeflate_alloc_compressor(6);
  Bytes out(libdeflate_deflate_compress_bound(compressor, data.size()));
  out.resize(libdeflate_deflate_compress(compressor, data.data(), data.size(), out.data(), out.size()));
  libdeflate_free_compressor(compressor);
  return out;
}

/// One member of an archive; what is left alone is filled in from the content.
struct ZipMade {
  std::string name;
  Bytes content;
  unsigned method = 8;
  unsigned flags = 0;
  int crc_error = 0;                ///< added to the checksum everywhere
  std::int64_t listed_size = -1;    ///< in the directory
  std::int64_t local_size = -1;     ///< in the member's own header
  std::int64_t listed_offset = -1;  ///< where the directory says it lies
  bool wide = false;                ///< sizes stand in zip64 fields
  Bytes packed{};                   ///< instead of the content, packed
  bool lying_descriptor = false;
};

class Zip {
 public:
  std::vector<ZipMade> members;
  std::string comment{};
  int count_error = 0;  ///< added to the number of members
  bool wide = false;    ///< ends with zip64 records

  [[nodiscard]] Bytes bytes() const {
    Bytes out, directory;
    for (const ZipMade& member : members) add(member, out, directory);
    const std::size_t at = out.size(), size = directory.size();
    const std::int64_t members_said = static_cast<std::int64_t>(members.size()) + count_error;
    const auto count = static_cast<std::uint64_t>(members_said);
    append(out, directory);
    if (wide) {
      const std::size_t record = out.size();
      append(out, joined({little(0x06064B50, 4), little(44, 8), little(45, 2), little(45, 2), little(0, 8),
                          little(count, 8), little(count, 8), little(size, 8), little(at, 8)}));
      append(out, joined({little(0x07064B50, 4), little(0, 4), little(record, 8), little(1, 4)}));
    }
    append(out, joined({little(0x06054B50, 4), little(0, 4), little(wide ? 0xFFFF : count, 2),
                        little(wide ? 0xFFFF : count, 2), little(wide ? 0xFFFFFFFF : size, 4),
                        little(wide ? 0xFFFFFFFF : at, 4), little(comment.size(), 2)}));
    append(out, Bytes(comment.begin(), comment.end()));
    return out;
  }

 private:
  static void append(Bytes& out, const Bytes& more) { out.insert(out.end(), more.begin(), more.end()); }

  static void add(const ZipMade& member, Bytes& out, Bytes& directory) {
    const Bytes packed = !member.packed.empty() ? member.packed
                         : member.method == 8   ? deflated(member.content)
                                                : member.content;
    const auto sum = static_cast<int>(libdeflate_crc32(0, member.content.data(), member.content.size()));
    const auto crc = static_cast<std::uint32_t>(sum + member.crc_error);
    const auto or_size = [&](std::int64_t size) {
      return size < 0 ? member.content.size() : static_cast<std::uint64_t>(size);
    };
    const bool later = (member.flags & 8) != 0;
    const std::size_t at = out.size();
    const Bytes name(member.name.begin(), member.name.end());
    const Bytes extra = member.wide
                            ? joined({little(1, 2), little(16, 2), little(or_size(member.local_size), 8),
                                      little(packed.size(), 8)})
                            : Bytes();
    const auto narrow = [&](std::uint64_t value) {
      return little(member.wide ? 0xFFFFFFFF : later ? 0 : value, 4);
    };
    append(out, joined({little(0x04034B50, 4), little(20, 2), little(member.flags, 2),
                        little(member.method, 2), little(0, 4), little(later ? 0 : crc, 4),
                        narrow(packed.size()), narrow(or_size(member.local_size)), little(name.size(), 2),
                        little(extra.size(), 2), name, extra, packed}));
    if (later) {
      append(out, joined({little(0x08074B50, 4), little(crc, 4), little(packed.size(), 4),
                          little(member.content.size() + (member.lying_descriptor ? 1 : 0), 4)}));
    }
    const std::uint64_t offset =
        member.listed_offset < 0 ? at : static_cast<std::uint64_t>(member.listed_offset);
    append(directory,
           joined({little(0x02014B50, 4), little(20, 2), little(20, 2), little(member.flags, 2),
                   little(member.method, 2), little(0, 4), little(crc, 4), little(packed.size(), 4),
                   little(or_size(member.listed_size), 4), little(name.size(), 2), little(0, 2), little(0, 2),
                   little(0, 2), little(0, 2), little(0, 4), little(offset, 4), name}));
  }
};

}  // namespace crema::files::testing
