// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "report/case/case_parts.h"

namespace crema::report {

/// More voxels than this are left to the program.
inline constexpr std::int64_t kMaxPageVoxels = 50'000'000;

/// What files that were dropped become.
struct Shown {
  CaseParts parts;
  std::vector<std::string> raters;
  bool labelled = false;  ///< whether the files hold labels, not masks
};

/// Reads masks or label maps, counts, asks the methods of a report, and puts all of it beside each other; as
/// `crema report` does. Files that hold several labels are fused label by label. Throws what the program
/// throws, and InputError where there are more voxels than a page takes. The checksums of the files are left
/// to the browser.
Shown show_files(const std::vector<std::filesystem::path>& inputs);

/// The consensus as the bytes of an uncompressed NIfTI file, as `crema fuse` finds and writes it. `shown` is
/// what show_files() gave, `request` is as WhatIf::ask() has it.
std::vector<std::uint8_t> fuse_files(const Shown& shown, std::string_view request);

}  // namespace crema::report
