// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

namespace crema {

struct Reduction;
struct Solution;

/// What a result of a distance that sees only sums over rater groups (Soergel, 1SD) leaves open: all maps
/// with the same sums are as near to the raters, and these are the least and the largest of what they have.
struct LevelRange {
  double entropy_low = 0, entropy_high = 0;
  double voxels_low = 0, voxels_high = 0;  ///< above 0.5

  /// So many voxels that share out a sum of levels at will.
  void add_group(double voxels, double sum);
};

/// None for other methods, and for results that are not held as levels of rows.
std::optional<LevelRange> range_of_levels(const Reduction& reduction, const Solution& solution);

}  // namespace crema
