// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "crema/agreement/measured.h"
#include "crema/image/image.h"

namespace crema {

struct Options;
struct Reduction;
struct Solution;

/// Two sets of voxels by their sizes.
struct CommonCounts {
  std::int64_t first = 0, second = 0, common = 0;

  friend bool operator==(const CommonCounts&, const CommonCounts&) = default;
};

/// 2|A∩B| / (|A|+|B|) and |A∩B| / |A∪B|; undefined for two empty sets. One empty set gives 0.
Measured dice(const CommonCounts& counts);
Measured jaccard(const CommonCounts& counts);

/// The first set against the second as the truth: |A∩B|/|A|, undefined where A is empty, and |A∩B|/|B|,
/// undefined where B is. Where 0/0 is to count as 1, say value_or(1).
Measured precision(const CommonCounts& counts);
Measured recall(const CommonCounts& counts);

/// Two raters.
struct RaterPair {
  int a = 0, b = 0;
  CommonCounts voxels;
  Measured dice, jaccard;
  std::int64_t difference = 0;  ///< in voxels, the first less the second
};

/// All pairs a < b, those of the first rater first; from counts alone.
std::vector<RaterPair> compare_pairs(const Reduction& reduction);

/// A rater beside the consensus as the truth (its levels above 0.5). F1 is the same number as Dice.
struct RaterOverlap {
  int rater = 0;
  CommonCounts voxels;  ///< first: the rater, second: the consensus
  Measured precision, recall, f1, dice, jaccard;
};

std::vector<RaterOverlap> compare_with_consensus(const Reduction& reduction, const Solution& solution);

/// The same for a consensus from elsewhere, which may have voxels that nobody drew.
/// Throws InputError when it has another size than the raters' grid.
std::vector<RaterOverlap> compare_with_consensus(const Reduction& reduction, const Image& consensus);

/// What two results of one reduction have in common, both solved with these options but for the method.
/// Voxels are looked at only where a method painted them itself.
CommonCounts compare_results(const Reduction& reduction, const Solution& a, const Solution& b,
                             const Options& options);

}  // namespace crema
