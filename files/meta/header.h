// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "crema/base/warning.h"
#include "files/io/text_header.h"
#include "files/values/voxel_store.h"

namespace crema::files {

/// A MetaImage header with every number checked that reading the voxels depends on.
struct MetaHeader {
  std::string raw;             ///< as in the file, up to and with the line that names the voxels
  std::vector<Entry> entries;  ///< as in the file, one per name
  std::vector<std::int64_t> sizes;
  ValueType type;
  Writing writing = Writing::binary;
  Packing packing = Packing::none;
  std::optional<std::int64_t> packed_bytes;  ///< CompressedDataSize
  std::int64_t header_size = 0;              ///< bytes before the voxels; −1: they are the last of the file
  std::optional<std::string> data_file;      ///< voxels lie in a file of their own
  Warnings warnings;

  [[nodiscard]] std::optional<std::string_view> entry(std::string_view name) const {
    return find_entry(entries, name);
  }
  /// What is stated under any of several names for the same thing.
  [[nodiscard]] std::vector<const Entry*> all_of(std::initializer_list<std::string_view> names) const;
};

/// True when the content claims to be MetaImage, however damaged.
bool looks_like_meta(std::span<const std::uint8_t> start);

/// Reads the lines of the header. Throws InputError on whatever does not hold together.
MetaHeader parse_meta(const Source& source);

}  // namespace crema::files
