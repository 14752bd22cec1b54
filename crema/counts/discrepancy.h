// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "crema/counts/distance.h"
#include "crema/counts/tally.h"

namespace crema {

/// The few sums of a consensus on which every distance depends.
struct Sums {
  double total = 0;             ///< Σ n x
  double squares = 0;           ///< Σ n x²
  std::vector<double> overlap;  ///< per rater k: Σ n x over the rows k drew
  std::vector<double> size;     ///< per rater k: Σ n over the rows k drew
};

Sums sum_up(const Tally& tally, const Levels& levels);

/// Distance of a consensus with these sums to rater k, and its square; 0 where both are empty.
double distance_to(const Sums& sums, int rater, const Distance& distance);
double squared_distance_to(const Sums& sums, int rater, const Distance& distance);
/// The same of an empty consensus to a rater of that size.
double squared_size(double size, const Distance& distance);

/// How much the term of rater k, who has `weight` of `all`, falls per voxel of overlap, and rises per voxel
/// of extent.
Fall fall_to(const Sums& sums, int rater, const Distance& distance, double weight, double all);

/// The mean over all raters of the squared distances, those absent from the component included; with weights,
/// the weighted mean.
double criterion(const Sums& sums, const Distance& distance, const std::vector<double>& weights = {});
double criterion(const Tally& tally, const Levels& levels, const Distance& distance,
                 const std::vector<double>& weights = {});

}  // namespace crema
