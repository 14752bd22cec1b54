// SPDX-License-Identifier: Apache-2.0
#include "crema/agreement/overlap.h"

#include "crema/reduction.h"
#include "crema/solution.h"

namespace crema {
namespace {

double share(double part, double whole) { return whole == 0 ? 1 : part / whole; }

/// Voxels and components that a rater and the consensus have, and have in common.
struct Common {
  std::int64_t own_voxels = 0, voxels = 0;
  std::int64_t own_components = 0, components = 0;
};

void count_component(const Tally& tally, const Decision& decision, std::vector<Common>& raters) {
  const Raters present = raters_present(tally);
  for (std::size_t k = 0; k < raters.size(); ++k) {
    if ((present >> k & 1) == 0) continue;
    ++raters[k].own_components;
    if (decision.voxels > 0) ++raters[k].components;
    for (std::size_t r = 0; r < tally.rows.size(); ++r) {
      if ((tally.rows[r].raters >> k & 1) == 0) continue;
      raters[k].own_voxels += tally.rows[r].voxels;
      raters[k].voxels += decision.inside[r];
    }
  }
}

}  // namespace

Agreement agreement(double common, double found, double truth) {
  return {share(common, found), share(common, truth), share(2 * common, found + truth)};
}

Raters raters_present(const Tally& tally) {
  Raters present = 0;
  for (const Subcrown& row : tally.rows) present |= row.raters;
  return present;
}

std::vector<Agreement> compare_raters(const Tally& tally, const Decision& decision) {
  std::vector<Common> raters(static_cast<std::size_t>(tally.raters));
  count_component(tally, decision, raters);
  std::vector<Agreement> list;
  for (const Common& rater : raters)
    list.push_back(agreement(static_cast<double>(rater.voxels), static_cast<double>(rater.own_voxels),
                             static_cast<double>(decision.voxels)));
  return list;
}

std::vector<RaterSummary> compare_raters(const Reduction& reduction, const Solution& solution) {
  std::vector<Common> raters(static_cast<std::size_t>(reduction.raters));
  std::int64_t kept = 0;
  for (std::size_t c = 0; c < reduction.crowns.size(); ++c) {
    count_component(reduction.crowns[c].tally, solution.components[c], raters);
    if (solution.components[c].voxels > 0) ++kept;
  }
  std::vector<RaterSummary> summaries;
  for (const Common& rater : raters)
    summaries.push_back({rater.own_voxels,
                         agreement(static_cast<double>(rater.voxels), static_cast<double>(rater.own_voxels),
                                   static_cast<double>(solution.voxels)),
                         agreement(static_cast<double>(rater.components),
                                   static_cast<double>(rater.own_components), static_cast<double>(kept))});
  return summaries;
}

}  // namespace crema
