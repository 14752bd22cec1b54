// SPDX-License-Identifier: Apache-2.0
#include <numeric>

#include "crema/counts/solvers.h"

namespace crema {
namespace {

/// Share of all weights held by a set of raters.
double share(Raters raters, int count, const std::vector<double>& weights) {
  double drew = 0, all = 0;
  for (int k = 0; k < count; ++k) {
    const double w = weights.empty() ? 1 : weights[static_cast<std::size_t>(k)];
    all += w;
    if ((raters >> k & 1) != 0) drew += w;
  }
  return drew / all;
}

}  // namespace

Answer solve_majority(const Tally& tally, const SolveOptions& options) {
  constexpr double kTie = 1e-12;  // sums of weights carry rounding errors
  Answer answer;
  for (const Subcrown& row : tally.rows) {
    const double over = share(row.raters, tally.raters, options.weights) - 0.5;
    answer.levels.push_back(over > kTie || (over >= -kTie && options.tie == Tie::foreground) ? 1 : 0);
  }
  return answer;
}

Answer solve_average(const Tally& tally, const SolveOptions& options) {
  Answer answer;
  for (const Subcrown& row : tally.rows)
    answer.levels.push_back(share(row.raters, tally.raters, options.weights));
  return answer;
}

}  // namespace crema
