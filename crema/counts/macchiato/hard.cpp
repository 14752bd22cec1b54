// SPDX-License-Identifier: Apache-2.0
#include "crema/counts/solvers.h"

namespace crema {
namespace {

Answer solve_hard(const Tally& tally, Distance distance, const SolveOptions& options) {
  if (options.blocks == Blocks::group) return solve_groups(tally, distance, options);
  return {solve_greedily(tally, distance, options)};
}

}  // namespace

Answer solve_jaccard(const Tally& tally, const SolveOptions& options) {
  return solve_hard(tally, Distance::jaccard, options);
}
Answer solve_dice(const Tally& tally, const SolveOptions& options) {
  return solve_hard(tally, Distance::dice, options);
}

}  // namespace crema
