// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace crema::cohort {

/// A file of a case in an archive.
struct PackedFile {
  std::string name;  ///< in the folder of the case
  std::int64_t offset = 0, bytes = 0;
  std::int64_t modified = 0;  ///< nanoseconds
  std::string sha256;

  bool operator==(const PackedFile&) const = default;
};

struct PackedCase {
  std::string name;
  std::vector<PackedFile> files;

  bool operator==(const PackedCase&) const = default;
};

std::string index_text(const std::vector<PackedCase>& cases);

/// Nothing where there is none, or none that is whole: what it would name is not there. Names of files have
/// no folders.
std::optional<std::vector<PackedCase>> index_in(std::string_view text);
/// With a name: nothing either where that case is surely not in it.
std::optional<std::vector<PackedCase>> read_index(const std::filesystem::path& path,
                                                  const std::string& name = "");

}  // namespace crema::cohort
