// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "crema/levels/methods.h"

namespace crema {

/// The median of these raters' levels in each voxel of a part; of an even number, the mean of the middle two.
std::vector<double> median_of(const LevelPart& part, const std::vector<int>& raters);

/// 1 in each voxel where more than half of these raters lie above ½, by weight; exactly half as the tie says.
std::vector<double> majority_of(const LevelPart& part, const std::vector<int>& raters,
                                const std::vector<double>& weights, Tie tie);

/// Levels nearer to 0 or 1 than this have the logit of this.
inline constexpr double kLogitClip = 1e-6;

double logit_of(double level);

}  // namespace crema
