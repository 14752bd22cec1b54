// SPDX-License-Identifier: Apache-2.0
#include "crema/agreement/confidence/uniqueness.h"

#include <algorithm>
#include <cmath>

#include "crema/agreement/confidence/level_range.h"
#include "crema/counts/proof/near_optimal.h"

namespace crema {
namespace {

/// The mean level of each group.
std::vector<double> levels_of_groups(const Problem& problem, const Tally& tally, const Levels& levels) {
  std::vector<double> inside(problem.blocks(), 0);
  for (std::size_t r = 0; r < tally.rows.size(); ++r)
    inside[problem.block_of_row[r]] += static_cast<double>(tally.rows[r].voxels) * levels[r];
  for (std::size_t b = 0; b < inside.size(); ++b) inside[b] = std::min(1.0, inside[b] / problem.voxels[b]);
  return inside;
}

/// Soergel and 1SD see sums over groups alone: a group's level may be shared out at will.
void add_entropy(const Problem& problem, const std::vector<double>& levels, Uniqueness& found) {
  const Distance& distance = problem.distance;
  if (is_hard(distance)) return;
  LevelRange range;
  for (std::size_t g = 0; g < levels.size(); ++g)
    range.add_group(problem.voxels[g], problem.voxels[g] * levels[g]);
  found.entropy_high += range.entropy_high;
  found.entropy_low += squares(distance) ? range.entropy_high : range.entropy_low;
}

void add_range(const Problem& problem, const std::vector<double>& levels, const Decision& decision,
               const Options& options, Uniqueness& found) {
  found.groups += levels.size();
  if (levels.size() > kMaxExaminedGroups) {
    ++found.unexamined;
    found.smallest += decision.soft_voxels;
    found.largest += decision.soft_voxels;
    return;
  }
  const NearOptimal near =
      find_near_optimal(problem, levels, decision.criterion, kNearFactor, options.empty_test);
  found.smallest += near.smallest;
  found.largest += near.largest;
  found.optional_components += near.optional ? 1 : 0;
  found.undecided += near.undecided.size();
  for (const std::size_t g : near.undecided) found.undecided_voxels += std::llround(problem.voxels[g]);
}

}  // namespace

std::optional<Uniqueness> measure_uniqueness(const Reduction& reduction, const Method& method,
                                             const Options& options) {
  const Distance distance = method.distance.with(options.tversky);
  if (method.aim != Aim::distance || is_linear(distance) || reduction.levels) return {};
  Options exact = options;
  exact.blocks = Blocks::group;
  const Solution solution = solve(reduction, method, exact);
  Uniqueness found{.lmsd = solution.lmsd, .size = solution.soft_volume};
  for (std::size_t c = 0; c < reduction.crowns.size(); ++c) {
    const Tally& tally = reduction.crowns[c].tally;
    const Problem problem = make_problem(tally, distance, options.weights, Blocks::group);
    const std::vector<double> levels = levels_of_groups(problem, tally, solution.components[c].levels);
    add_entropy(problem, levels, found);
    add_range(problem, levels, solution.components[c], options, found);
  }
  return found;
}

}  // namespace crema
