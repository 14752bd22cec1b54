// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "crema/counts/tally.h"

namespace crema {

/// How a consensus is compared with a rater; see docs/method.md.
/// At levels 0 and 1 soergel and tanimoto equal jaccard, dice1 and dice2 equal dice.
enum class Distance : std::uint8_t { jaccard, dice, soergel, tanimoto, dice1, dice2 };

/// What a distance is made of: d = 1 − a/(e + s − a), or 1 − 2a/(e + s) in the family of Dice, where the
/// extent e of the consensus is Σ n x or Σ n x². Nothing else lists distances.
struct DistanceRow {
  Distance distance;
  std::string_view name;
  bool dice;      ///< of the family of Dice, else of Jaccard
  bool squares;   ///< the extent is a sum of squares
  bool hard;      ///< compares masks
  Distance twin;  ///< the hard distance it equals at levels 0 and 1
};

inline constexpr std::array kDistances{
    DistanceRow{Distance::jaccard, "jaccard", false, false, true, Distance::jaccard},
    DistanceRow{Distance::dice, "dice", true, false, true, Distance::dice},
    DistanceRow{Distance::soergel, "soergel", false, false, false, Distance::jaccard},
    DistanceRow{Distance::tanimoto, "tanimoto", false, true, false, Distance::jaccard},
    DistanceRow{Distance::dice1, "dice1", true, false, false, Distance::dice},
    DistanceRow{Distance::dice2, "dice2", true, true, false, Distance::dice},
};

constexpr const DistanceRow& row_of(Distance distance) {
  return kDistances[static_cast<std::size_t>(distance)];
}

constexpr std::string_view to_string(Distance distance) { return row_of(distance).name; }
/// Whether the distance compares masks, not levels.
constexpr bool is_hard(Distance distance) { return row_of(distance).hard; }

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
