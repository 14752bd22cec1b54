// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "crema/agreement/measured.h"
#include "crema/image/image.h"

namespace crema {

struct Reduction;

/// Two maps of levels, on the support; levels below the floor are 0.
struct LevelOverlap {
  Measured soft_dice;  ///< 2·Σ min(a, b) / (Σ a + Σ b)
  Measured tanimoto;   ///< Σ a·b / (Σ a² + Σ b² − Σ a·b)
};

/// A rater's levels beside a consensus. Calibration is against its mask, what lies above ½.
struct LevelScore {
  LevelOverlap overlap;
  Measured brier;              ///< mean of (level − mask)² over the voxels of the support
  Measured calibration_error;  ///< Σ share of a bin · |mean level − mean mask| over ten bins of equal width
};

/// All pairs of raters, in the order of compare_pairs(). The reduction has levels.
std::vector<LevelOverlap> compare_level_pairs(const Reduction& reduction);

/// Those of the raters whose soft Dice with every other one is below `least`; all of them where raters gave
/// masks.
std::vector<std::size_t> without_alike(const Reduction& reduction, std::vector<std::size_t> raters,
                                       double least);

/// Each rater. What the consensus has outside the support is left out. The reduction has levels.
std::vector<LevelScore> score_levels(const Reduction& reduction, const Image& consensus);

}  // namespace crema
