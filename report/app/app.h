// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "report/payload.h"

namespace crema::report {

/// More voxels than this are left to the program.
inline constexpr std::int64_t kMostVoxels = 50'000'000;

/// What files that were dropped become.
struct Shown {
  Payload payload;
  std::string html;  ///< the parts of a report, without a script
  std::vector<std::string> raters;
};

/// Reads masks, counts, asks the methods of a report, and puts all of it beside each other; as `crema report`
/// does. Throws what the program throws, and InputError where there are more voxels than a page takes.
Shown show_files(const std::vector<std::filesystem::path>& inputs);

/// The consensus as the bytes of an uncompressed NIfTI file, as `crema fuse` finds and writes it. `raters`
/// are the names that show_files() gave, `request` is as WhatIf::ask() has it.
std::vector<std::uint8_t> fuse_files(const std::vector<std::string>& raters, std::string_view request);

}  // namespace crema::report
