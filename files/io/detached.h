// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

#include "files/io/source.h"

namespace crema::files {

/// The file of voxels that a header names. Refuses one that is missing or lies outside the header's folder:
/// by an absolute path, by "..", or by a link; and a name with a pattern in it.
std::filesystem::path detached_file(const std::filesystem::path& header, const std::string& name);

/// The files an image consists of: its header, and the file of voxels that it names. `parse` reads the
/// header.
template <class Parse>
std::vector<std::filesystem::path> header_and_data(const std::filesystem::path& path, Parse parse) {
  try {
    const auto header = parse(Source(path));
    if (header.data_file) return {path, detached_file(path, *header.data_file)};
  } catch (const std::runtime_error&) {
    // What cannot be read is no input that could be overwritten.
  }
  return {path};
}

/// Throws UsageError when a header could not name this file so that every reader finds it.
void check_data_name(const std::filesystem::path& data);

}  // namespace crema::files
