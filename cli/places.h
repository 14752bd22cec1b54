// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "crema/method.h"
#include "files/files.h"

namespace crema::cli {

/// Where the results of one run go.
struct Places {
  std::vector<std::filesystem::path> images;    ///< one per method
  std::optional<std::filesystem::path> record;  ///< "-" is standard output
  std::optional<std::filesystem::path> folder;  ///< to be made before writing
};

/// What was asked for.
struct Wishes {
  std::filesystem::path output;
  std::string record;  ///< empty: none was asked for
  files::WriteOptions write;
  std::optional<double> threshold = {};  ///< soft results become masks of what lies above
};

/// With one method the output is a file. With several it is a folder with one image per method, named after
/// it, and record.json unless another place was asked for. Throws UsageError or FileError on whatever can be
/// refused before any work is done.
Places choose_places(const Wishes& wishes, const std::vector<const Method*>& methods,
                     const files::Header& reference, const std::vector<std::filesystem::path>& inputs);

/// Refuses a place for text: its folder is missing, it exists and may not be overwritten, or it is an input.
void check_text_output(const std::filesystem::path& path, const std::vector<std::filesystem::path>& inputs,
                       const files::WriteOptions& write);

/// Refuses a folder that can neither be used nor made. True when it has to be made.
bool folder_is_missing(const std::filesystem::path& folder);

/// Makes a folder whose parent exists; FileError when that fails.
void make_folder(const std::filesystem::path& folder);

}  // namespace crema::cli
