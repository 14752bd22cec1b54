// SPDX-License-Identifier: Apache-2.0
// The way that a component of levels takes.
#include <algorithm>

#include "crema/levels/clipped_mean.h"
#include "crema/levels/layers.h"
#include "crema/levels/level_sums.h"
#include "crema/levels/level_vote.h"

namespace crema {
namespace {

/// Whether all levels that count are 0 or 1: then the core's counts say all.
bool is_binary(const LevelComponent& component) {
  for (const int k : list_present(component.part.present, component.raters, {}))
    for (const float level : component.part.of(k))
      if (level != 0 && level != 1) return false;
  return true;
}

LevelAnswer solve_core(const LevelComponent& component, const Distance& distance,
                       const SolveOptions& options) {
  const Tally& tally = component.crowns.tally;
  const Answer answer = solve_groups(tally, distance, options);
  const Sums sums = sum_up(tally, answer.levels);
  return {.x = spread_core(component, answer.levels, distance),
          .criterion = criterion(sums, distance, options.weights),
          .certificate = answer.certificate,
          .votes = votes_at(sums, component.part.present, distance, options.weights)};
}

}  // namespace

LevelAnswer solve_part(const LevelComponent& component, const Distance& distance, const SolveOptions& given) {
  SolveOptions options = given;
  options.blocks = Blocks::group;
  if (is_binary(component)) return solve_core(component, distance, options);
  if (squares(distance)) return solve_clipped_mean(component, distance, options);
  return is_hard(distance) ? solve_level_vote(component, distance, options)
                           : solve_layers(component, distance, options);
}

}  // namespace crema
