// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "crema/voxels/components.h"
#include "crema/voxels/crowns.h"
#include "crema/voxels/neighbourhood.h"

namespace crema {

struct LevelMaps;
class Votes;

/// The waist of the hourglass: what the voxels have to say, as counts. The votes may be dropped after it.
struct Reduction {
  Grid grid;
  int raters = 0;
  Neighbourhood neighbourhood;
  Components components;
  std::vector<Crowns> crowns;               ///< per component: its tally, and the row of each of its voxels
  std::shared_ptr<const Votes> votes = {};  ///< kept for methods that need neighbours, else dropped
  std::shared_ptr<const LevelMaps> levels = {};  ///< of raters who gave levels; the counts are of {level ≥ ½}
  std::int64_t occupied = 0;  ///< voxels of the blocks in which anybody drew: no more of an image is written
  std::int64_t lost = 0;      ///< voxels that raters drew outside a region that is a mask; they do not count
};

}  // namespace crema
