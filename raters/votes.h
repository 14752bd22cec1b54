// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>

#include "crema/sentence.h"
#include "crema/voxels/votes.h"
#include "raters/headers.h"

namespace crema::raters {

struct LoadOptions {
  files::ReadOptions read;
  int threads = 1;
  std::function<void(double)> progress = {};
  std::function<bool()> stop = {};  ///< once it says true, reading ends with Cancelled
};

struct Loaded {
  Votes votes;
  Warnings warnings;  ///< in the order of the raters
};

/// Reads the masks side by side and folds each into the votes as it is read, so that no mask is held, but for
/// those that have to be turned, one per thread. What is wrong with the first faulty rater is thrown, whoever
/// was read first.
Loaded read_votes(const RaterFiles& raters, const LoadOptions& options);

/// The values that masks in memory hold are checked by the rules for files, block by block while the votes
/// are taken. A mask without a name was checked before.
Loaded take_masks(const Grid& grid, std::span<const Mask> masks, std::span<const std::string> names);

/// What values the first rater holds, in words: "a.nii.gz: holds the labels 0, 1 and 2".
std::string values_text(const RaterFiles& raters);

/// What reading has to keep in memory.
struct ReadingNeed {
  std::int64_t voxels = 0;
  int raters = 1;
  int value_bytes = 1;  ///< of a voxel that is held
  bool turned = false;  ///< some rater's axes run otherwise than the first one's, or it is a crop
};

/// As many threads as the memory allows, at most `wanted`.
/// Throws ResourceError when it does not allow for one. `allowed` is in bytes.
int affordable_threads(const ReadingNeed& need, int wanted, std::int64_t allowed);

/// Three quarters of the machine's memory, in bytes.
std::int64_t default_memory();

}  // namespace crema::raters
