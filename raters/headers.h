// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "crema/sentence.h"
#include "crema/settings.h"
#include "files/files.h"

namespace crema::raters {

/// Raters as files whose headers fit together; no voxel has been read yet.
struct RaterFiles {
  std::vector<std::filesystem::path> paths;  ///< of the files; one may hold several raters
  std::vector<files::Header> headers;        ///< one per rater
  std::vector<files::Placement> placements;  ///< where each lies on the common grid
  files::Header reference;                   ///< of the common grid, in the first rater's orientation
  Raters repeats = 0;                        ///< those whose file was named before, which is told
  Warnings warnings;
};

/// How a file's values become inside and outside.
files::ReadOptions read_options(const Settings& settings);

/// Throws InputError when there are none, or more than can be fused.
void check_count(std::size_t raters);

/// Reads all headers and puts each grid on the common one. A path may name a segment, "study.seg.nrrd#liver".
/// Throws InputError on what does not fit, and when there are too many raters.
RaterFiles open_raters(const std::vector<std::filesystem::path>& paths, const Settings& settings);

/// What the raters are called: the paths as given, with "#" and its name for a segment.
std::vector<std::string> rater_names(const RaterFiles& raters);

}  // namespace crema::raters
