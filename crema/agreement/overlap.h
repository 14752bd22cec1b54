// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "crema/counts/tally.h"

namespace crema {

struct Decision;
struct Reduction;
struct Solution;

/// How far two sets agree when one is taken as the truth; 0/0 is 1.
struct Agreement {
  double precision = 1, recall = 1, f1 = 1;
};

Agreement agreement(double common, double found, double truth);

/// One rater beside the consensus (levels above 0.5), from counts alone.
struct RaterSummary {
  std::int64_t voxels = 0;
  Agreement overlap;    ///< of voxels, over the whole image
  Agreement detection;  ///< of components: one is found by a mask that has a voxel in it
};

std::vector<RaterSummary> compare_raters(const Reduction& reduction, const Solution& solution);

/// The overlap of each rater with the consensus inside one component.
std::vector<Agreement> compare_raters(const Tally& tally, const Decision& decision);

/// The raters who drew something in a component.
Raters raters_present(const Tally& tally);

}  // namespace crema
