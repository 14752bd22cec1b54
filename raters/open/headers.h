// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "crema/base/warning.h"
#include "crema/counts/tally.h"
#include "files/files.h"
#include "raters/open/class_folder.h"
#include "raters/open/segments.h"

namespace crema {
struct Settings;
}

namespace crema::raters {

/// Raters as files whose headers fit together; no voxel has been read yet.
struct RaterFiles {
  std::vector<std::filesystem::path> paths;  ///< of the files; one may hold several raters
  std::vector<files::Header> headers;        ///< one per rater
  std::vector<files::Placement> placements;  ///< where each lies on the common grid
  files::Header reference;                   ///< of the common grid, in the first rater's orientation
  /// One per rater, of those that are folders with a map per class; empty: none is.
  std::vector<std::optional<ClassFolder>> folders = {};
  Raters repeats = 0;  ///< those whose file was named before; a warning says so
  Warnings warnings;
};

/// How a file's values become inside and outside.
files::ReadOptions read_options(const Settings& settings);

/// The same with the header of the file whose grid is the common one, where one is named.
files::ReadOptions open_options(const Settings& settings);

/// Throws InputError when there are none, or more than can be fused.
void check_count(std::size_t raters);

/// A rater without a file, who marked nothing.
struct AbsentRater {
  std::string name;
  std::size_t place = 0;  ///< among all raters, those without files included
};

/// Reads all headers and puts each grid on the common one. A path may name a segment, "study.seg.nrrd#liver".
/// Those without a file lie on the common grid, in ascending places. Throws InputError on what does not fit,
/// and when there are too many raters, or no file has the segment that is named.
RaterFiles open_raters(const std::vector<std::filesystem::path>& paths, const Settings& settings,
                       std::span<const AbsentRater> absent = {}, Lacking lacking = Lacking::refused);

/// The first rater who has a file.
const files::Header& first_present(const RaterFiles& raters);

/// What the raters are called: the paths as given, with "#" and its name for a segment.
std::vector<std::string> rater_names(const RaterFiles& raters);

}  // namespace crema::raters
