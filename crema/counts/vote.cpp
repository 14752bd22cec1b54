// SPDX-License-Identifier: Apache-2.0
#include <bit>

#include "crema/counts/solvers.h"

namespace crema {

Levels solve_majority(const Tally& tally, const SolveOptions& options) {
  Levels levels;
  levels.reserve(tally.rows.size());
  for (const Subcrown& row : tally.rows) {
    const int twice = 2 * std::popcount(row.raters);
    const bool inside = twice > tally.raters || (twice == tally.raters && options.tie == Tie::foreground);
    levels.push_back(inside ? 1 : 0);
  }
  return levels;
}

Levels solve_average(const Tally& tally, const SolveOptions& /*options*/) {
  Levels levels;
  levels.reserve(tally.rows.size());
  for (const Subcrown& row : tally.rows)
    levels.push_back(static_cast<double>(std::popcount(row.raters)) / tally.raters);
  return levels;
}

}  // namespace crema
