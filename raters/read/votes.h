// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>

#include "crema/base/warning.h"
#include "crema/voxels/votes/votes.h"
#include "raters/open/headers.h"
#include "raters/run/hooks.h"

namespace crema::raters {

struct LoadOptions {
  files::ReadOptions read;
  int threads = 1;
  std::function<void(double)> progress = {};
  std::function<bool()> stop = {};  ///< once it says true, reading ends with Cancelled
};

/// What reading holds of each voxel of a file, in bytes.
struct HeldBytes {
  std::int64_t turned = 1;  ///< where the file has to be turned
  std::int64_t always = 0;
};

/// On as many threads as the memory allows.
LoadOptions load_options(const RaterFiles& raters, const Settings& settings, int threads, HeldBytes held,
                         const Hooks& hooks);

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
  HeldBytes held = {};
  bool turned = false;  ///< some rater's axes run otherwise than the first one's, or it is a crop
};

/// As many threads as the memory allows, at most `wanted`.
/// Throws ResourceError when it does not allow for one. `allowed` is in bytes.
int affordable_threads(const ReadingNeed& need, int wanted, std::int64_t allowed);

/// What a run may take, in bytes: as much as the settings say, or three quarters of what the
/// machine, a control group or a cluster's job allows.
std::int64_t allowed_memory(const Settings& settings);

}  // namespace crema::raters
