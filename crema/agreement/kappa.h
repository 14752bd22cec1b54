// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "crema/agreement/background.h"
#include "crema/agreement/measured.h"
#include "crema/voxels/region.h"

namespace crema {

struct Groups;
struct Reduction;

/// Σ n(n−1) / ((K−1) Σ n) over voxels drawn n times: the chance that what one rater drew another one drew
/// too. Voxels that nobody drew do not count; for two raters it is their Dice.
Measured positive_agreement(const Groups& groups);
Measured positive_agreement(const Reduction& reduction);

/// Fleiss' kappa for two categories, inside and outside; undefined where all answers are one value.
Measured fleiss_kappa(const Groups& groups);

/// Krippendorff's alpha for nominal values, every rater having answered for every voxel.
Measured krippendorff_alpha(const Groups& groups);

/// Both, on a region that must be given with them: they move with the background.
struct ChanceCorrected {
  Region region;
  std::int64_t voxels = 0;      ///< of the region
  std::int64_t background = 0;  ///< of these, voxels that nobody drew
  Measured kappa, alpha;
};

/// Throws InputError when the region is a mask without a voxel.
ChanceCorrected chance_corrected(const Reduction& reduction, const Region& region);

/// The same masks in images of three sizes.
struct ChanceCorrectedAt {
  ImageSize size;
  Measured kappa, alpha;
};

/// In the bounding box of the raters, in the image, and with ten times the image's background. The box is
/// left out where nobody drew or where it is the image.
std::vector<ChanceCorrectedAt> follow_background(const Reduction& reduction);

}  // namespace crema
