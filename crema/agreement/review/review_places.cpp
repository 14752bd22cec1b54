// SPDX-License-Identifier: Apache-2.0
#include "crema/agreement/review/review_places.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "crema/agreement/overlap.h"
#include "crema/agreement/review/merged.h"
#include "crema/agreement/surfaces/surface_map.h"
#include "crema/agreement/surfaces/surfaces.h"
#include "crema/base/error.h"
#include "crema/options.h"
#include "crema/solution.h"
#include "crema/spatial/euclidean.h"

namespace crema {
namespace {

using Place = std::array<std::int32_t, 3>;

std::array<double, 3> middle_of(const Grid& grid, const VoxelSet& set) {
  std::array<double, 3> sum{};
  for (const Run& run : set.runs) {
    const Place first = grid.point(run.first);
    const double n = run.length;
    sum[0] += n * (first[0] + (n - 1) / 2);
    sum[1] += n * first[1];
    sum[2] += n * first[2];
  }
  for (double& value : sum) value /= static_cast<double>(set.voxels);
  return sum;
}

/// The voxel of a set nearest to its middle, counted in voxels; the first one of several.
Place nearest_to_middle(const Grid& grid, const VoxelSet& set) {
  const auto middle = middle_of(grid, set);
  double least = std::numeric_limits<double>::infinity();
  Place best{};
  for (const Run& run : set.runs) {
    Place at = grid.point(run.first);
    const double last = at[0] + run.length - 1;
    at[0] = static_cast<std::int32_t>(std::lround(std::clamp(middle[0], static_cast<double>(at[0]), last)));
    double far = 0;
    for (std::size_t a = 0; a < 3; ++a) far += (at[a] - middle[a]) * (at[a] - middle[a]);
    if (far >= least) continue;
    least = far;
    best = at;
  }
  return best;
}

void put_place(ReviewItem& item, const Grid& grid, const VoxelSet& set) {
  item.at = nearest_to_middle(grid, set);
  for (std::size_t a = 0; a < 3; ++a) {
    item.centre[a] = grid.origin[a];
    for (std::size_t b = 0; b < 3; ++b)
      item.centre[a] += grid.direction[3 * a + b] * grid.spacing[b] * item.at[b];
  }
}

/// None where the axes are not at right angles.
std::optional<std::array<double, 3>> spacing_of(const Grid& grid) {
  try {
    return right_angled_spacing(grid);
  } catch (const InputError&) {
    return std::nullopt;
  }
}

/// How far each zone reaches beyond what all who drew the component drew; none where that is nothing. No zone
/// has a voxel of that, so the nearest one lies on its surface.
void put_apart(const Reduction& reduction, std::span<ReviewItem*> items, std::vector<VoxelSet> sets,
               const VoxelSet& core, const MemoryAccount* memory) {
  const auto spacing = spacing_of(reduction.grid);
  if (core.voxels == 0 || !spacing) return;
  std::vector<Way> ways;
  for (std::size_t i = 0; i < sets.size(); ++i) ways.push_back({i, sets.size()});
  sets.push_back(surface_of(reduction.grid, core));
  directed_distances(reduction.grid, *spacing, sets, ways, memory,
                     [&](std::size_t way, const std::vector<double>& distances) {
                       items[way]->apart = *std::max_element(distances.begin(), distances.end());
                     });
}

void find_places_in(const Reduction& reduction, const VoxelSet& consensus, const MemoryAccount* memory,
                    std::size_t c, const Zones& zones, std::span<ReviewItem*> items) {
  const Raters present = raters_present(reduction.crowns[c].tally);
  const MergedByRater merged = find_merged(reduction, c);
  std::vector<ReviewItem*> of_zones;
  std::vector<VoxelSet> sets;
  for (ReviewItem* item : items) {
    const bool zone = item->reason == ReviewReason::zone;
    VoxelSet set = voxels_of(reduction, zones, *item);
    put_place(*item, reduction.grid, set);
    item->inside = count_common(set, consensus);
    item->merged_by = merged.rater;
    item->merged = merged.regions;
    if (!zone) continue;
    of_zones.push_back(item);
    sets.push_back(std::move(set));
  }
  if (of_zones.empty()) return;
  const VoxelSet core = voxels_where(reduction, c, [&](Raters raters) { return raters == present; });
  for (ReviewItem* item : of_zones) item->common = core.voxels > 0;
  put_apart(reduction, of_zones, std::move(sets), core, memory);
}

}  // namespace

std::size_t number_of(const Zones& zones, std::int64_t first) {
  const auto at = std::lower_bound(zones.list.begin(), zones.list.end(), first,
                                   [](const Zone& zone, std::int64_t voxel) { return zone.first < voxel; });
  return static_cast<std::size_t>(at - zones.list.begin());
}

VoxelSet voxels_of(const Reduction& reduction, const Zones& zones, const ReviewItem& item) {
  if (item.reason == ReviewReason::zone) return zones.voxels_of(reduction.grid, number_of(zones, item.first));
  return voxels_where(reduction, item.component, [](Raters) { return true; });
}

void find_places(const Reduction& reduction, const Solution& solution, const Options& options,
                 ZoneKeeper& keeper, std::span<ReviewItem> items) {
  if (items.empty()) return;
  const VoxelSet consensus = set_of_consensus(reduction, solution, options);
  for_components(items, [&](std::size_t c, std::span<ReviewItem*> own) {
    keeper.with(c, [&](const Zones& zones) {
      find_places_in(reduction, consensus, options.memory.get(), c, zones, own);
    });
  });
}

}  // namespace crema
