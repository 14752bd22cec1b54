// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "crema/counts/tally.h"

namespace crema {

/// How a consensus is compared with a rater; see docs/method.md.
/// At levels 0 and 1 soergel and tanimoto equal jaccard, dice1 and dice2 equal dice.
enum class Distance : std::uint8_t { jaccard, dice, soergel, tanimoto, dice1, dice2 };

std::string_view to_string(Distance distance);

/// The few sums of a consensus on which every distance depends.
struct Sums {
  double total = 0;             ///< Σ n x
  double squares = 0;           ///< Σ n x²
  std::vector<double> overlap;  ///< per rater k: Σ n x over the rows k drew
  std::vector<double> size;     ///< per rater k: Σ n over the rows k drew
};

Sums sum_up(const Tally& tally, const Levels& levels);

/// Distance of a consensus with these sums to rater k; 0 where both are empty.
double distance_to(const Sums& sums, int rater, Distance distance);

/// The mean over all raters of the squared distances, those absent from the component included; with weights,
/// the weighted mean.
double criterion(const Sums& sums, Distance distance, const std::vector<double>& weights = {});
double criterion(const Tally& tally, const Levels& levels, Distance distance,
                 const std::vector<double>& weights = {});

}  // namespace crema
