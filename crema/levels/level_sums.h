// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "crema/counts/discrepancy.h"
#include "crema/levels/level_maps.h"

namespace crema {

/// The sums of levels `x` of a part on which a distance to the raters' levels depends: Σ min(x, s) and Σ s,
/// for distances with squares Σ x s and Σ s². Who is absent has none.
Sums sum_levels(const LevelPart& part, int raters, std::span<const double> x, const Distance& distance);
/// The same of a mask.
Sums sum_levels(const LevelPart& part, int raters, std::span<const float> x, const Distance& distance);

/// What each rater counts in a consensus with these sums: a voxel is in where Σ vote·level > 1; with squares
/// its level is Σ vote·level, 1 at most. Where nothing can be improved the raters share alike.
std::vector<double> votes_at(const Sums& sums, Raters present, const Distance& distance,
                             const std::vector<double>& weights);

/// Criterion of the empty consensus of a part.
double empty_criterion(Raters present, int raters, const std::vector<double>& weights);

/// The weight of one rater.
inline double weight_of(const std::vector<double>& weights, int rater) {
  return weights.empty() ? 1 : weights[static_cast<std::size_t>(rater)];
}

/// Those who are present and have a weight, in their order.
std::vector<int> list_present(Raters present, int raters, const std::vector<double>& weights);

}  // namespace crema
