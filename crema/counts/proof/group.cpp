// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <limits>
#include <utility>

#include "crema/counts/proof/incumbent.h"
#include "crema/counts/solvers.h"

namespace crema {
namespace {

Certificate certificate_of(const Proof& proof, double empty) {
  return {std::min(proof.lower_bound, empty), proof.proven || proof.lower_bound >= empty, proof.nodes};
}

/// The subcrown heuristic is a start, so that the true minimiser is never above it.
Levels heuristic(const Tally& tally, Distance distance, SolveOptions options) {
  options.blocks = Blocks::subcrown;
  options.empty_test = EmptyTest::skip;
  return solve_distance(tally, distance, options).levels;
}

/// Where a soft proof ran out of budget, the best mask of the hard twin is a further start, so that the soft
/// criterion is never above the hard one.
Proof prove_with_twin(const Tally& groups, Distance distance, const Levels& start, double ceiling,
                      const SolveOptions& options) {
  Proof first = prove_groups(groups, distance, options.weights, {start}, ceiling, options.budget);
  if (first.proven || stopped(options.budget.stop) || is_hard(distance) || squares(distance)) return first;
  const Distance twin = row_of(distance).twin;
  const Proof mask = prove_groups(groups, twin, options.weights, {start}, ceiling, options.budget);
  Proof second =
      prove_groups(groups, distance, options.weights, {first.levels, mask.levels}, ceiling, options.budget);
  second.lower_bound = std::max(first.lower_bound, second.lower_bound);
  second.nodes += first.nodes;
  return second;
}

/// Above so many groups times raters, trying one group after the other costs more than a look is worth.
constexpr std::size_t kLargeProblem = std::size_t{1} << 17;

/// The best mask among those of all groups with at least a given share of the votes.
Levels best_vote(const Problem& problem) {
  const std::size_t raters = problem.panel.count();
  std::vector<std::pair<double, std::size_t>> order;  // the most votes first
  for (std::size_t g = 0; g < problem.blocks(); ++g) {
    double votes = 0;
    for (std::size_t k = 0; k < raters; ++k)
      if (problem.share_of(g)[k] > 0) votes += problem.panel.weight[k];
    order.emplace_back(-votes, g);
  }
  std::sort(order.begin(), order.end());
  constexpr double kSameShare = 1e-12;
  State state{.overlap = std::vector<double>(raters, 0)};
  double least = std::numeric_limits<double>::infinity();
  std::size_t taken = 0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    state.extent += problem.voxels[order[i].second];
    for (std::size_t k = 0; k < raters; ++k) state.overlap[k] += problem.share_of(order[i].second)[k];
    if (i + 1 < order.size() && order[i + 1].first - order[i].first <= kSameShare) continue;
    const double here = criterion(problem, state);
    if (!(here < least)) continue;
    least = here;
    taken = i + 1;
  }
  Levels levels(problem.blocks(), 0);
  for (std::size_t i = 0; i < taken; ++i) levels[order[i].second] = 1;
  return levels;
}

}  // namespace

Answer solve_groups(const Tally& tally, Distance distance, const SolveOptions& given) {
  if (tally.rows.empty()) return {};
  SolveOptions options = given;
  options.budget = started(given.budget);
  const Merged merged = merge_rows(tally);
  const Tally& groups = merged.groups;
  const double empty = empty_criterion(make_panel(groups, options.weights));
  const Levels start = gather(tally, merged, heuristic(tally, distance, options));
  const double ceiling =
      options.empty_test == EmptyTest::apply ? empty : std::numeric_limits<double>::infinity();
  const Proof proof = prove_with_twin(groups, distance, start, ceiling, options);
  const bool dropped =
      options.empty_test == EmptyTest::apply && empty_is_better(empty, proof.criterion, options.tie);
  return {dropped ? Levels(tally.rows.size(), 0) : scatter(tally, merged, proof.levels, is_hard(distance)),
          certificate_of(proof, empty)};
}

Answer best_without_proof(const Tally& tally, Distance distance, const Levels& start,
                          const SolveOptions& options) {
  if (tally.rows.empty()) return {};
  const Merged merged = merge_rows(tally);
  const Problem problem = make_problem(merged.groups, distance, options.weights, Blocks::group);
  if (problem.panel.count() == 0) return {Levels(tally.rows.size(), 0)};
  const std::vector<Levels> starts{gather(tally, merged, start), best_vote(problem)};
  const bool large = problem.blocks() * problem.panel.count() > kLargeProblem;
  const Stop stop = large ? Stop([] { return true; }) : started(options.budget).stop;
  const Incumbent best(problem, merged.groups, starts, stop);
  const bool dropped = options.empty_test == EmptyTest::apply &&
                       empty_is_better(empty_criterion(problem.panel), best.criterion(), options.tie);
  return {dropped ? Levels(tally.rows.size(), 0) : scatter(tally, merged, best.levels(), is_hard(distance))};
}

Certificate certify(const Tally& tally, Distance distance, const Levels& levels,
                    const SolveOptions& options) {
  if (tally.rows.empty()) return {0, true, 0};
  const Budget budget = started(options.budget);
  const Merged merged = merge_rows(tally);
  const double empty = empty_criterion(make_panel(merged.groups, options.weights));
  return certificate_of(
      prove_groups(merged.groups, distance, options.weights, {gather(tally, merged, levels)}, empty, budget),
      empty);
}

}  // namespace crema
