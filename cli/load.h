// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "crema/sentence.h"
#include "crema/voxels/votes.h"
#include "files/files.h"

namespace crema::cli {

/// RaterFiles whose headers fit together; no voxel has been read yet.
struct RaterFiles {
  std::vector<files::Header> headers;  ///< the first one is the reference
  std::vector<files::Placement> placements;
  Warnings warnings;
};

/// Reads all headers and compares each grid with the first. Throws InputError on what does not fit.
/// A file with several segments gives as many raters.
RaterFiles read_headers(const std::vector<std::filesystem::path>& paths, const files::ReadOptions& options);

/// What the raters are called: the paths as given, with "#" and its name for a segment.
std::vector<std::string> rater_names(const RaterFiles& raters);

struct LoadOptions {
  files::ReadOptions read;
  int threads = 1;
  std::function<void(double)> progress;
};

struct Loaded {
  Votes votes;
  Warnings warnings;  ///< in the order of the raters
};

/// Reads the masks side by side and folds each into the votes as it is read, so that no mask is held, but for
/// those that have to be turned, one per thread. What is wrong with the first faulty rater is thrown, whoever
/// was read first.
Loaded read_votes(const RaterFiles& raters, const LoadOptions& options);

/// What reading has to keep in memory.
struct ReadingNeed {
  std::int64_t voxels = 0;
  int raters = 1;
  bool turned = false;  ///< some rater's axes run otherwise than the first one's, or it is a crop
};

/// As many threads as the memory allows, at most `wanted`.
/// Throws ResourceError when it does not allow for one. `allowed` is in bytes.
int affordable_threads(const ReadingNeed& need, int wanted, std::int64_t allowed);

/// Three quarters of the machine's memory, in bytes.
std::int64_t default_memory();

}  // namespace crema::cli
