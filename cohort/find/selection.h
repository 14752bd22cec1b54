// SPDX-License-Identifier: Apache-2.0
// Which files are raters of their case, which its image, and which neither.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cohort/find/cohort.h"

namespace crema::cohort {

/// In the name of a file that settings give: the name of the case.
inline constexpr std::string_view kCasePlace = "{case}";

/// Whether it is another file for each case.
bool is_of_each_case(std::string_view path);

/// A file that settings name, for a case.
std::string for_case(std::string path, const std::string& name);

struct Where {
  std::filesystem::path data;       ///< a folder, or a manifest
  std::optional<Layout> layout;     ///< none: it is recognised
  std::string only;                 ///< a pattern for the names of masks; empty: all
  std::vector<std::string> except;  ///< patterns for what is no rater
  std::string image;                ///< a pattern for the image of each case, or a path with its name in it
};

/// Whether a path fits a pattern: by its name, or as a whole where the pattern holds a slash.
bool fits(const std::string& pattern, const std::string& path);

/// Patterns are for names such as "*_seg.nii.gz", or for paths from the data where they hold a slash.
struct Selected {
  std::vector<Entry> masks;         ///< of a manifest
  std::vector<std::string> files;   ///< of a folder
  std::vector<std::string> images;  ///< paths
};

/// Sorts the files of a folder, or the lines of a manifest. What fits `except` is neither mask nor image.
/// Warnings name patterns that match nothing.
Selected select(std::vector<std::string> files, const Where& where, Warnings& warnings);
Selected select(std::vector<Entry> entries, const Where& where, Warnings& warnings);

/// Gives each case its image: what lies in its folder, or what has its name where raters have the folders.
/// Throws InputError where a case has two.
void take_images(const std::vector<std::string>& images, Cohort& cohort);

/// Where the image is named by a path that holds the name of the case, gives it to each case; it may be the
/// folder of a series.
void name_images(const Where& where, Cohort& cohort);

}  // namespace crema::cohort
