// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "crema/base/sentence.h"
#include "crema/tables/settings.h"
#include "report/case/case_parts.h"

namespace crema::report {

/// More voxels than this are left to the program.
inline constexpr std::int64_t kMaxPageVoxels = 50'000'000;

/// What was dropped, and how it is to be read.
struct Dropped {
  std::vector<std::filesystem::path> masks;
  std::string image;   ///< to be seen beneath; empty: none
  bool photo = false;  ///< the page has a photograph to lay beneath
  Settings settings;
};

/// Lines of a name, a blank and a value: `mask` and `image` with a path, `photo`, and settings. Throws
/// UsageError on what it does not know.
Dropped parse_dropped(std::string_view request);

/// What files that were dropped become.
struct Shown {
  CaseParts parts;
  GreyPart grey;  ///< the image beneath
  std::vector<std::string> raters;
  Settings settings;
};

/// Reads masks, label maps or probability maps, counts, runs the methods of a report, and puts all of it
/// beside each other; as `crema report` does. Files that hold several labels are fused label by label. Throws
/// what the program throws, and InputError where there are more voxels than a page takes. The checksums of
/// the files are left to the browser.
Shown show_files(const Dropped& dropped);

/// The consensus as the bytes of a file with that ending, as `crema fuse` finds it; a plain NIfTI file has
/// the program's bytes. `shown` is what show_files() gave, `request` is as WhatIf::ask() has it.
std::vector<std::uint8_t> fuse_files(const Shown& shown, std::string_view request, const std::string& ending);

/// What decisions about the files that were dropped make of their consensus, as the bytes of a file with that
/// ending: what `crema apply` writes. `shown` is as above; that the files are those of the decisions the page
/// knows.
std::vector<std::uint8_t> apply_to_files(const Shown& shown, std::string_view decisions,
                                         const std::string& ending);

/// What a refusal names that a page can do: settings with their values, in their order.
std::vector<std::pair<std::string, std::string>> offers_of(const Sentence& refusal);

}  // namespace crema::report
