// SPDX-License-Identifier: Apache-2.0
#include <numeric>

#include "crema/counts/macchiato/descent.h"
#include "crema/counts/solvers.h"

namespace crema {
namespace {

/// The mask average over the raters present: who drew nothing here decides whether the component is kept,
/// never what it looks like.
Levels present_average(const Problem& problem, const Tally& tally) {
  const Panel& panel = problem.panel;
  const double all = std::accumulate(panel.weight.begin(), panel.weight.end(), 0.0);
  Levels levels;
  for (const Subcrown& row : tally.rows) {
    double drew = 0;
    for (std::size_t k = 0; k < panel.count(); ++k)
      if ((row.raters >> panel.raters[k] & 1) != 0) drew += panel.weight[k];
    levels.push_back(all > 0 ? drew / all : 0);
  }
  return levels;
}

/// Alg. 2 of the paper. Unlike the paper: each step is an exact global minimum, sweeps go on until nothing
/// moves, and the empty set is tested at the end, as in Alg. 1.
Answer solve_soft(const Tally& tally, const Distance& distance, const SolveOptions& options) {
  const Problem problem = make_problem(tally, distance, options.weights, options.blocks, Scale::as_given);
  const Visits visits = options.blocks == Blocks::subcrown ? Visits::by_crown : Visits::as_numbered;
  const Descent descent =
      descend(problem, tally, present_average(problem, tally), visits, options.budget.stop);
  const bool dropped = options.empty_test == EmptyTest::apply &&
                       empty_is_better(empty_criterion(problem.panel), descent.criterion, options.tie);
  Answer answer{.levels = Levels(tally.rows.size(), 0)};
  if (!dropped)
    for (std::size_t r = 0; r < tally.rows.size(); ++r)
      answer.levels[r] = descent.levels[problem.block_of_row[r]];
  return answer;
}

}  // namespace

bool empty_is_better(double empty, double criterion, Tie tie) {
  const double rounding = 1e-12 * empty;
  return tie == Tie::background ? empty <= criterion + rounding : empty < criterion - rounding;
}

Answer solve_distance(const Tally& tally, const Distance& distance, const SolveOptions& options) {
  if (is_linear(distance)) return solve_by_vote(tally, distance, options);
  if (options.blocks == Blocks::group) return solve_groups(tally, distance, options);
  if (is_hard(distance)) return {solve_greedily(tally, distance, options)};
  return solve_soft(tally, distance, options);
}

}  // namespace crema
