// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "crema/fuse.h"

namespace crema {

/// A subcrown on which the raters disagree, and what it would be worth to settle it.
struct ReviewItem {
  std::size_t component = 0, row = 0;
  Subcrown subcrown{};
  double criterion = 0;   ///< of the component, as it is
  double if_inside = 0;   ///< the least criterion were all raters to draw these voxels, solved anew
  double if_outside = 0;  ///< and were none to draw them
  double fall = 0;        ///< how far it falls, each of the two being as likely as the raters' weights say
  double fall_per_voxel = 0;
  Box box;                               ///< of its voxels
  std::array<double, 3> centre_voxel{};  ///< mean place of its voxels, in voxels
  std::array<double, 3> centre{};        ///< the same in millimetres, as the grid has its axes
};

/// Where an adjudicator's minute is worth most: the largest fall per voxel first, then by component and row;
/// at most `max_items`, 0 for all. Only the subcrown's own voxels change hands, also those of raters who drew
/// nothing else in the component; the total distances of the others are taken as they are.
/// Throws UsageError for methods that do not decide component by component.
std::vector<ReviewItem> make_review_list(const Reduction& reduction, const Solution& solution,
                                         const Options& options, std::size_t max_items = 0);

}  // namespace crema
