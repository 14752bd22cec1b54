// SPDX-License-Identifier: Apache-2.0
#include "crema/agreement/confidence/level_range.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "crema/reduction.h"
#include "crema/solution.h"
#include "crema/tables/method.h"

namespace crema {
namespace {

constexpr double kSumRounding = 1e-9;  ///< of sums of levels

double entropy_of_level(double x) {
  return x <= 0 || x >= 1 ? 0 : -x * std::log(x) - (1 - x) * std::log(1 - x);
}

}  // namespace

void LevelRange::add_group(double voxels, double sum) {
  // Packed, all but one are 0 or 1; spread evenly, all are alike.
  entropy_low += entropy_of_level(sum - std::floor(sum));
  entropy_high += voxels * entropy_of_level(sum / voxels);
  voxels_low += std::max(0.0, std::ceil(2 * sum - voxels - kSumRounding));
  voxels_high += std::clamp(std::ceil(2 * sum - kSumRounding) - 1, 0.0, voxels);
}

std::optional<LevelRange> range_of_levels(const Reduction& reduction, const Solution& solution) {
  const Method& method = *solution.method;
  if (method.aim != Aim::distance || method.kind == Kind::hard || squares(method.distance) ||
      solution.image || reduction.levels)
    return {};
  struct Group {
    double voxels = 0, sum = 0;
  };
  LevelRange range;
  for (std::size_t c = 0; c < reduction.crowns.size(); ++c) {
    std::map<Raters, Group> groups;
    const Tally& tally = reduction.crowns[c].tally;
    for (std::size_t r = 0; r < tally.rows.size(); ++r) {
      Group& group = groups[tally.rows[r].raters];
      const auto voxels = static_cast<double>(tally.rows[r].voxels);
      group.voxels += voxels;
      group.sum += voxels * solution.components[c].levels[r];
    }
    for (const auto& [raters, group] : groups) range.add_group(group.voxels, group.sum);
  }
  return range;
}

}  // namespace crema
