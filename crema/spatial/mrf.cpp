// SPDX-License-Identifier: Apache-2.0
#include "crema/spatial/mrf.h"

#include <algorithm>
#include <cmath>

#include "crema/base/error.h"
#include "crema/counts/staple/rates.h"
#include "crema/spatial/ising.h"

namespace crema {
namespace {

/// The row of a group, if the region of the estimate has it.
const Group* find(const Groups& groups, Raters raters) {
  const auto row = std::lower_bound(groups.rows.begin(), groups.rows.end(), raters,
                                    [](const Group& g, Raters r) { return g.raters < r; });
  return row != groups.rows.end() && row->raters == raters ? &*row : nullptr;
}

/// The share of each group's voxels that is inside.
Levels shares_inside(const Votes& votes, const Groups& groups, const HardImage& image) {
  std::vector<std::int64_t> inside(groups.rows.size(), 0), all = inside;
  votes.visit([&](const auto* sets) {
    const Group* row = nullptr;
    for (std::int64_t v = 0; v < votes.voxels(); ++v) {
      if (v == 0 || sets[v] != sets[v - 1]) row = find(groups, sets[v]);
      if (row == nullptr) continue;
      const auto r = static_cast<std::size_t>(row - groups.rows.data());
      ++all[r];
      inside[r] += image[static_cast<std::size_t>(v)];
    }
  });
  Levels shares;
  for (std::size_t r = 0; r < all.size(); ++r)
    shares.push_back(all[r] == 0 ? 0 : static_cast<double>(inside[r]) / static_cast<double>(all[r]));
  return shares;
}

}  // namespace

MrfResult staple_mrf(const Grid& grid, const Votes& votes, const Groups& groups, const GroupAnswer& estimate,
                     const Neighbourhood& neighbourhood, const MrfOptions& options) {
  if (options.max_rounds < 1) throw UsageError("staple-mrf needs at least one round");
  if (!estimate.performance.prior) throw UsageError("staple-mrf needs an estimate with a prior");
  const double prior = *estimate.performance.prior;
  MrfResult result;
  Levels levels = estimate.levels;
  while (result.rounds < options.max_rounds && !result.converged) {
    Rates rates = rates_of(groups, levels);
    const auto evidence = evidence_of(groups, rates);
    auto odds_of = [&](Raters raters) {
      const Group* row = find(groups, raters);
      // A region without background says nothing about it; beyond the region nothing is inside.
      if (row == nullptr) return -HUGE_VAL;
      return log_odds(evidence[static_cast<std::size_t>(row - groups.rows.data())], prior);
    };
    HardImage image =
        ising_map(grid, votes, odds_of, neighbourhood, options.beta, options.tie, options.memory);
    result.converged = options.max_rounds == 1 || (result.rounds > 0 && image == result.image);
    result.image = std::move(image);
    ++result.rounds;
    if (!result.converged) levels = shares_inside(votes, groups, result.image);
    result.sensitivity = std::move(rates.hit);
    result.specificity = std::move(rates.pass);
  }
  return result;
}

}  // namespace crema
