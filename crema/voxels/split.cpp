// SPDX-License-Identifier: Apache-2.0
#include <map>

#include "crema/voxels/crowns.h"

namespace crema {

Crowns split_voxels(const Crowns& crowns) {
  const auto& rows = crowns.tally.rows;
  std::map<std::int32_t, std::uint32_t> next;  // by distance: the number of its next voxel
  for (const Subcrown& row : rows) next[row.distance] += static_cast<std::uint32_t>(row.voxels);
  std::uint32_t begin = 0;
  for (auto& [distance, count] : next) {
    const std::uint32_t size = count;
    count = begin;
    begin += size;
  }
  Crowns split{.tally = {crowns.tally.raters, std::vector<Subcrown>(crowns.row_of_voxel.size())},
               .row_of_voxel = {}};
  split.row_of_voxel.reserve(crowns.row_of_voxel.size());
  for (const std::uint32_t row : crowns.row_of_voxel) {
    const std::uint32_t own = next[rows[row].distance]++;
    split.row_of_voxel.push_back(own);
    split.tally.rows[own] = {rows[row].distance, rows[row].raters, 1};
  }
  return split;
}

}  // namespace crema
