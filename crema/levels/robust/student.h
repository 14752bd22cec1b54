// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace crema {

inline constexpr double kFreedom = 4;  ///< ν of the tails

/// Voxels that all raters look at while they are at hand.
inline constexpr std::int64_t kLogitTile = 512;

/// What is estimated of the raters' logits: each rater's bias and variance, and the variance of the truth.
struct LogitModel {
  std::vector<double> bias, variance;
  double prior = 1;
};

/// Logits of all raters, and what is estimated of the truth in each voxel.
struct LogitField {
  std::vector<const float*> logits;
  double* mean;
  double* spread;
};

/// Numbers that update_voxels() adds up: three for each rater, and one.
inline std::size_t logit_sums(std::size_t raters) { return 3 * raters + 1; }

/// Updates mean and spread of voxels [begin, end); returns by how much a mean moved at most. Then adds up,
/// with the weights w = (ν + 1)/(ν·variance + e) of each rater's error e there: Σ w, Σ w·(logit − mean −
/// bias), Σ w·e, rater after rater; and Σ mean² + spread.
double update_voxels(const LogitModel& model, const LogitField& field, std::int64_t begin, std::int64_t end,
                     std::span<double> sums);

}  // namespace crema
