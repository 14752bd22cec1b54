// SPDX-License-Identifier: Apache-2.0
#include "crema/counts/solvers.h"

namespace crema {

Answer solve_local_majority(const Tally& tally, const SolveOptions& options) {
  Raters present = 0;
  for (const Subcrown& row : tally.rows) present |= row.raters;
  const Tally all_of_it{.raters = tally.raters, .rows = {{0, present, 1}}};
  if (solve_majority(all_of_it, options).levels.front() == 0) return {.levels = Levels(tally.rows.size(), 0)};
  SolveOptions here = options;
  here.weights.resize(static_cast<std::size_t>(tally.raters), 1);
  for (std::size_t k = 0; k < here.weights.size(); ++k)
    if ((present >> k & 1) == 0) here.weights[k] = 0;
  return solve_majority(tally, here);
}

}  // namespace crema
