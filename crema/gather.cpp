// SPDX-License-Identifier: Apache-2.0
#include "crema/gather.h"

#include <algorithm>

#include <fmt/format.h>

#include "crema/base/error.h"
#include "crema/counts/groups.h"

namespace crema {
namespace {

std::string describe(const Prior& prior, std::int64_t voxels) {
  if (prior.kind == Prior::Kind::power)
    return fmt::format("{}/N^{} with N = {} voxels", prior.value, prior.alpha, voxels);
  if (prior.kind == Prior::Kind::mean) return fmt::format("{} times the mean", prior.value);
  return fmt::format("{}", prior.value);
}

/// Nobody drew anything, or everybody everything: the mean is 0 or 1 then, and as good as any.
bool trivial(const Prior& prior, const Groups& groups) {
  return prior.kind == Prior::Kind::mean && prior.value == 1 && groups.rows.size() == 1;
}

std::vector<Group> merge_by_table(const Reduction& reduction) {
  std::vector<std::int64_t> voxels(std::size_t{1} << reduction.raters, 0);
  for (const Crowns& crowns : reduction.crowns)
    for (const Subcrown& row : crowns.tally.rows) voxels[row.raters] += row.voxels;
  std::vector<Group> merged;
  for (std::size_t set = 0; set < voxels.size(); ++set)
    if (voxels[set] > 0) merged.push_back({set, voxels[set]});
  return merged;
}

std::vector<Group> merge_by_sorting(const Reduction& reduction) {
  std::vector<Group> rows;
  for (const Crowns& crowns : reduction.crowns)
    for (const Subcrown& row : crowns.tally.rows) rows.push_back({row.raters, row.voxels});
  std::sort(rows.begin(), rows.end(), [](const Group& a, const Group& b) { return a.raters < b.raters; });
  std::vector<Group> merged;
  for (const Group& row : rows) {
    if (!merged.empty() && merged.back().raters == row.raters)
      merged.back().voxels += row.voxels;
    else
      merged.push_back(row);
  }
  return merged;
}

/// The groups of all components' rows, in the order of their raters. Few raters have so few groups that a
/// table of all of them takes a tenth of the time of sorting.
std::vector<Group> merge_rows(const Reduction& reduction) {
  constexpr int kFewRaters = 10;
  return reduction.raters <= kFewRaters ? merge_by_table(reduction) : merge_by_sorting(reduction);
}

}  // namespace

Groups gather(const Reduction& reduction, const Region& region) {
  const std::vector<Group> drawn = merge_rows(reduction);
  std::int64_t union_voxels = 0;
  for (const Group& row : drawn) union_voxels += row.voxels;
  const std::int64_t all = region_voxels(reduction.grid, reduction.components, region);
  if (all == 0 && region.kind == Region::Kind::mask)
    throw InputError("the region is empty; it must hold at least one voxel");
  Groups groups{.raters = reduction.raters, .rows = {}};
  if (all > union_voxels) groups.rows.push_back({0, all - union_voxels});
  groups.rows.insert(groups.rows.end(), drawn.begin(), drawn.end());
  return groups;
}

GroupOptions group_options(const Groups& groups, const Method& method, const Options& options) {
  GroupOptions result = options.estimate;
  result.tie = options.tie;
  result.stop = options.stop;
  if (!accepts(method, Accept::prior) || trivial(result.prior, groups)) return result;
  const double prior = prior_value(result.prior, groups);
  if (!(prior > 0 && prior < 1))
    throw UsageError(fmt::format("the prior {} is {}; it must be strictly between 0 and 1",
                                 describe(result.prior, groups.voxels()), prior));
  return result;
}

Levels levels_of(const Tally& tally, const Groups& groups, const Levels& levels) {
  Levels own;
  own.reserve(tally.rows.size());
  for (const Subcrown& row : tally.rows) {
    const auto at = std::lower_bound(groups.rows.begin(), groups.rows.end(), row.raters,
                                     [](const Group& group, Raters raters) { return group.raters < raters; });
    own.push_back(levels[static_cast<std::size_t>(at - groups.rows.begin())]);
  }
  return own;
}

}  // namespace crema
