// SPDX-License-Identifier: Apache-2.0
#include "crema/agreement/review/merged.h"

#include <algorithm>
#include <bit>

#include "crema/agreement/overlap.h"
#include "crema/agreement/review/zones.h"

namespace crema {
namespace {

constexpr std::int64_t kMaxWork = 20'000'000;  ///< voxels times raters; about a tenth of a second

/// How many of the parts two or more raters drew.
std::size_t well_drawn(const Reduction& reduction, std::size_t component, const Parts& parts, Raters others) {
  std::vector<Raters> drawn(parts.list.size(), 0);
  const Crowns& crowns = reduction.crowns[component];
  const std::uint32_t* row = crowns.row_of_voxel.data();
  std::size_t next = 0;
  for (const Run& run : reduction.components.runs_of(reduction.components.list[component])) {
    for (; next < parts.runs.size() && parts.runs[next].first < run.first + run.length; ++next)
      for (std::int32_t i = 0; i < parts.runs[next].length; ++i)
        drawn[parts.part[next]] |=
            crowns.tally.rows[row[parts.runs[next].first + i - run.first]].raters & others;
    row += run.length;
  }
  return static_cast<std::size_t>(
      std::count_if(drawn.begin(), drawn.end(), [](Raters raters) { return std::popcount(raters) >= 2; }));
}

}  // namespace

MergedByRater find_merged(const Reduction& reduction, std::size_t component) {
  MergedByRater found;
  const Tally& tally = reduction.crowns[component].tally;
  const Raters present = raters_present(tally);
  if (std::popcount(present) < 3) return found;
  if (reduction.components.list[component].voxels * std::popcount(present) > kMaxWork) return found;
  Raters alone = 0;  // who drew voxels that nobody else did
  for (const Subcrown& row : tally.rows)
    if (std::popcount(row.raters) == 1) alone |= row.raters;
  for (; alone != 0; alone &= alone - 1) {
    const Raters others = present & ~(alone & (~alone + 1));
    const VoxelSet rest =
        voxels_where(reduction, component, [&](Raters raters) { return (raters & others) != 0; });
    const Parts parts = find_parts(reduction.grid, rest, reduction.neighbourhood);
    if (parts.list.size() < 2) continue;
    const std::size_t regions = well_drawn(reduction, component, parts, others);
    if (regions >= 2 && regions > found.regions) found = {std::countr_zero(alone), regions};
  }
  return found;
}

}  // namespace crema
