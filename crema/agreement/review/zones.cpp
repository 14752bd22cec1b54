// SPDX-License-Identifier: Apache-2.0
#include "crema/agreement/review/zones.h"

#include <algorithm>

#include "crema/agreement/overlap.h"

namespace crema {
namespace {

/// Up to so many voxels of all components zones are kept: a few megabytes.
constexpr std::int64_t kKeptVoxels = 100'000;

/// One number for each disputed voxel: its zone, then its row.
std::vector<std::uint64_t> zone_rows(const Reduction& reduction, std::size_t component, const Parts& parts) {
  std::vector<std::uint64_t> keys;
  const std::uint32_t* row = reduction.crowns[component].row_of_voxel.data();
  std::size_t next = 0;
  for (const Run& run : reduction.components.runs_of(reduction.components.list[component])) {
    const std::int64_t end = run.first + run.length;
    for (; next < parts.runs.size() && parts.runs[next].first < end; ++next) {
      const Run& disputed = parts.runs[next];
      for (std::int32_t i = 0; i < disputed.length; ++i)
        keys.push_back(std::uint64_t{parts.part[next]} << 32 | row[disputed.first + i - run.first]);
    }
    row += run.length;
  }
  return keys;
}

}  // namespace

VoxelSet Zones::voxels_of(const Grid& grid, std::size_t zone) const {
  std::vector<Run> runs;
  for (std::size_t r = 0; r < parts.runs.size(); ++r)
    if (parts.part[r] == zone) runs.push_back(parts.runs[r]);
  return make_set(grid, std::move(runs));
}

Zones find_zones(const Reduction& reduction, std::size_t component) {
  const Raters present = raters_present(reduction.crowns[component].tally);
  const VoxelSet disputed =
      voxels_where(reduction, component, [&](Raters raters) { return raters != present; });
  Zones zones{.parts = find_parts(reduction.grid, disputed, reduction.neighbourhood), .list = {}};
  for (const Part& part : zones.parts.list)
    zones.list.push_back({.first = -1, .voxels = part.voxels, .box = part.box});
  for (std::size_t r = 0; r < zones.parts.runs.size(); ++r) {
    std::int64_t& first = zones.list[zones.parts.part[r]].first;
    if (first < 0) first = zones.parts.runs[r].first;
  }
  std::vector<std::uint64_t> keys = zone_rows(reduction, component, zones.parts);
  std::sort(keys.begin(), keys.end());
  for (std::size_t i = 0; i < keys.size();) {
    std::size_t end = i;
    while (end < keys.size() && keys[end] == keys[i]) ++end;
    zones.list[keys[i] >> 32].rows.push_back(
        {static_cast<std::uint32_t>(keys[i]), static_cast<std::int64_t>(end - i)});
    i = end;
  }
  return zones;
}

ZoneKeeper::ZoneKeeper(const Reduction& reduction) : reduction_(&reduction) {
  std::int64_t voxels = 0;
  for (const Component& component : reduction.components.list) voxels += component.voxels;
  if (voxels <= kKeptVoxels) kept_.resize(reduction.components.list.size());
}

}  // namespace crema
