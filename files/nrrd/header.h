// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "crema/base/warning.h"
#include "files/io/text_header.h"
#include "files/values/voxel_store.h"

namespace crema::files {

/// A NRRD header with every number checked that reading the voxels depends on.
struct NrrdHeader {
  std::string raw;            ///< as in the file, up to and with the empty line
  std::vector<Entry> fields;  ///< names in lower case, one spelling each
  std::vector<Entry> pairs;   ///< keys and their values, as "key:=value"
  std::vector<std::int64_t> sizes;
  std::vector<std::string> kinds;  ///< one per axis, in lower case; empty where it is not said
  ValueType type;
  Writing writing = Writing::binary;
  Packing packing = Packing::none;
  std::int64_t line_skip = 0;
  std::int64_t byte_skip = 0;            ///< −1: the voxels are the last bytes of the file
  std::optional<std::string> data_file;  ///< voxels lie in a file of their own
  Warnings warnings;

  [[nodiscard]] std::optional<std::string_view> field(std::string_view name) const {
    return find_entry(fields, name);
  }
};

/// True when the content claims to be NRRD, however damaged.
bool looks_like_nrrd(std::span<const std::uint8_t> start);

/// Reads the lines of the header. Throws InputError on whatever does not hold together.
NrrdHeader parse_nrrd(const Source& source);

/// The product of the sizes; refuses one that no file can hold.
std::int64_t checked_product(const std::vector<std::int64_t>& sizes, const std::filesystem::path& path);

}  // namespace crema::files
