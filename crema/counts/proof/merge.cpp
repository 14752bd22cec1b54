// SPDX-License-Identifier: Apache-2.0
#include "crema/counts/proof/merge.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>

namespace crema {

Merged merge_rows(const Tally& tally) {
  Merged merged{.groups = {.raters = tally.raters, .rows = {}}, .group_of_row = {}};
  std::unordered_map<Raters, std::uint32_t> number(tally.rows.size());
  merged.group_of_row.reserve(tally.rows.size());
  for (const Subcrown& row : tally.rows) {
    auto& groups = merged.groups.rows;
    const auto [at, fresh] = number.emplace(row.raters, static_cast<std::uint32_t>(groups.size()));
    if (fresh) groups.push_back({0, row.raters, 0});
    groups[at->second].voxels += row.voxels;
    merged.group_of_row.push_back(at->second);
  }
  return merged;
}

Levels gather(const Tally& tally, const Merged& merged, const Levels& levels) {
  Levels mean(merged.groups.rows.size(), 0);
  for (std::size_t r = 0; r < tally.rows.size(); ++r)
    mean[merged.group_of_row[r]] += static_cast<double>(tally.rows[r].voxels) * levels[r];
  for (std::size_t g = 0; g < mean.size(); ++g) mean[g] /= static_cast<double>(merged.groups.rows[g].voxels);
  return mean;
}

Levels scatter(const Tally& tally, const Merged& merged, const Levels& of_group, bool whole_voxels) {
  Levels levels(tally.rows.size(), 0);
  std::vector<double> left;
  for (std::size_t g = 0; g < of_group.size(); ++g)
    left.push_back(std::round(of_group[g] * static_cast<double>(merged.groups.rows[g].voxels)));
  for (std::size_t r = 0; r < tally.rows.size(); ++r) {
    const std::size_t g = merged.group_of_row[r];
    if (!whole_voxels) {
      levels[r] = of_group[g];
      continue;
    }
    const auto n = static_cast<double>(tally.rows[r].voxels);
    const double taken = std::min(n, left[g]);
    left[g] -= taken;
    levels[r] = taken / n;
  }
  return levels;
}

}  // namespace crema
