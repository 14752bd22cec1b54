// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <vector>

#include "crema/labels/classes.h"
#include "raters/open/classes.h"
#include "raters/read/votes.h"

namespace crema::raters {

/// Maps of levels as the raters gave them, without what lies below the floor.
struct LoadedLevels {
  ClassPlan plan;      ///< which structures there are
  ClassLevels levels;  ///< of each structure, one map per rater
  Warnings warnings;   ///< in the order of the raters
};

/// Reads the maps side by side; what lies below the floor is dropped as it is read, so that no map is held,
/// but for those that have to be turned and for a softmax of logits, one per thread. Throws InputError on
/// values that are no levels, and on raters with other channels than the first.
LoadedLevels read_levels(const RaterFiles& raters, const Settings& settings, int threads, const Hooks& hooks);

/// Maps in memory, borrowed.
struct LevelArrays {
  std::vector<std::span<const float>> maps;  ///< one per rater, channel after channel
  std::int32_t channels = 1;                 ///< of each
};

/// The same from memory.
LoadedLevels take_levels(const Grid& grid, const LevelArrays& arrays, const Settings& settings,
                         const std::vector<std::string>& names);

/// Warns of a rater who reaches ½ nowhere, or the floor, in any of the structures. Throws InputError where
/// nobody reaches the floor in any of them.
Warnings check_levels(const LoadedLevels& loaded, double floor, const std::vector<std::string>& names);

}  // namespace crema::raters
