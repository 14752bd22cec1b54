// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <map>
#include <utility>

#include "crema/counts/distance.h"
#include "crema/counts/tally.h"
#include "test/random_case.h"

/// Tallies that need not come from an image, the nasty ones among them.
namespace random_tally {

/// Those that are searched for a minimum.
inline constexpr std::array kSoftDistances{crema::Distance::soergel,
                                           crema::Distance::tanimoto,
                                           crema::Distance::dice1,
                                           crema::Distance::dice2,
                                           crema::Distance::tversky1.with({0.3, 1.6}),
                                           crema::Distance::tversky1.with({0.6, 0.2})};

using crema::Raters;
using crema::Tally;
using random_case::Dice;

struct Shape {
  int max_raters = 5, max_rows = 10, max_voxels = 30, max_distance = 4;
};

inline Tally make(Dice& dice, const Shape& shape) {
  Tally tally{.raters = dice.roll(1, shape.max_raters), .rows = {}};
  std::map<std::pair<int, Raters>, std::int64_t> rows;
  const int kind = dice.roll(0, 5);
  for (int i = dice.roll(1, shape.max_rows); i > 0; --i) {
    Raters raters = static_cast<Raters>(dice.roll(1, (1 << tally.raters) - 1));
    if (kind == 0) raters = Raters{1} << dice.roll(0, tally.raters - 1);  // disjoint raters
    std::int64_t voxels = dice.roll(1, shape.max_voxels);
    if (kind == 1) voxels = 1;                              // raters of one voxel
    if (kind == 2 && dice.roll(0, 2) == 0) voxels *= 1000;  // huge ratios of size
    if (kind == 3 && raters == 1)
      voxels = std::int64_t{shape.max_voxels} * 100;  // one rater far from all others
    rows[{dice.roll(0, shape.max_distance), raters}] = voxels;
  }
  for (const auto& [key, n] : rows) tally.rows.push_back({key.first, key.second, n});
  return tally;
}

inline std::vector<double> random_weights(Dice& dice, int raters) {
  std::vector<double> weights;
  if (dice.roll(0, 1) == 0) return weights;
  for (int k = 0; k < raters; ++k) weights.push_back(dice.roll(0, 4) * 0.3);
  weights[static_cast<std::size_t>(dice.roll(0, raters - 1))] = 1;
  return weights;
}

}  // namespace random_tally
