// SPDX-License-Identifier: Apache-2.0
#include "crema/gather.h"

#include <algorithm>

#include <fmt/format.h>

#include "crema/error.h"

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

}  // namespace

Groups gather(const Reduction& reduction, const Region& region) {
  std::vector<Group> found;
  for (const Crowns& crowns : reduction.crowns)
    for (const Subcrown& row : crowns.tally.rows) found.push_back({row.raters, row.voxels});
  std::sort(found.begin(), found.end(), [](const Group& a, const Group& b) { return a.raters < b.raters; });
  std::int64_t drawn = 0;
  for (const Group& row : found) drawn += row.voxels;
  const std::int64_t all = region_voxels(reduction.grid, reduction.components, region);
  if (all == 0 && region.kind == Region::Kind::mask)
    throw InputError("the region is empty; it must hold at least one voxel");
  Groups groups{.raters = reduction.raters, .rows = {}};
  if (all > drawn) groups.rows.push_back({0, all - drawn});
  for (const Group& row : found) {
    if (!groups.rows.empty() && groups.rows.back().raters == row.raters)
      groups.rows.back().voxels += row.voxels;
    else
      groups.rows.push_back(row);
  }
  return groups;
}

GroupOptions told_of(const Groups& groups, const Method& method, const Options& options) {
  GroupOptions told = options.estimate;
  told.tie = options.tie;
  told.stop = options.stop;
  if (method.heeds != Heeds::prior_and_region || trivial(told.prior, groups)) return told;
  const double prior = prior_value(told.prior, groups);
  if (!(prior > 0 && prior < 1))
    throw UsageError(fmt::format("the prior {} is {}; it must lie between 0 and 1, both excluded",
                                 describe(told.prior, groups.voxels()), prior));
  return told;
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
