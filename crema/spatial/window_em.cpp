// SPDX-License-Identifier: Apache-2.0
#include "crema/spatial/window_em.h"

#include <utility>

namespace crema {
namespace {

/// A pair of shares of so many voxels, after which so many more count as right and as wrong.
void blend(double& right, double& wrong, double voxels, const WindowEmOptions& o) {
  const double total = voxels + o.right + o.wrong;
  if (total == 0) return;
  right = (right * voxels + o.right) / total;
  wrong = (wrong * voxels + o.wrong) / total;
}

}  // namespace

void WindowEm::find_rates(const Groups& groups, const Levels& levels) {
  sums_.find_rates(groups, levels, rates_);
  double inside = 0, outside = 0;
  for (std::size_t r = 0; r < groups.rows.size(); ++r) {
    const auto voxels = static_cast<double>(groups.rows[r].voxels);
    inside += voxels * levels[r];
    outside += voxels * (1 - levels[r]);
  }
  for (std::size_t k = 0; k < rates_.hit.size(); ++k) {
    blend(rates_.hit[k], rates_.miss[k], inside, options_);
    blend(rates_.pass[k], rates_.slip[k], outside, options_);
  }
}

bool WindowEm::run(const Groups& groups, double prior, Levels& levels) {
  levels = vote_shares(groups);
  const LogPrior logs = log_prior(prior);
  bool converged = false;
  for (int i = 0; i < options_.max_iterations && !converged; ++i) {
    find_rates(groups, levels);
    sums_.find_evidence(groups, rates_, evidence_);
    for (std::size_t r = 0; r < levels.size(); ++r) levels[r] = posterior(evidence_[r], logs);
    converged = i > 0 && largest_change(rates_, before_) <= options_.tolerance;
    std::swap(rates_, before_);
  }
  return converged;
}

}  // namespace crema
