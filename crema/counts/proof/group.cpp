// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <limits>
#include <utility>

#include "crema/counts/discrepancy.h"
#include "crema/counts/proof/bound.h"
#include "crema/counts/proof/incumbent.h"
#include "crema/counts/proof/weighted_vote.h"
#include "crema/counts/solvers.h"

namespace crema {
namespace {

Certificate certificate_of(const Proof& proof, double empty) {
  return {std::min(proof.lower_bound, empty), proof.proven || proof.lower_bound >= empty, proof.nodes};
}

/// The subcrown heuristic is a start, so that the true minimiser is never above it.
Levels heuristic(const Tally& tally, const Distance& distance, SolveOptions options) {
  options.blocks = Blocks::subcrown;
  options.empty_test = EmptyTest::skip;
  return solve_distance(tally, distance, options).levels;
}

/// Where a soft proof ran out of budget, the best mask of the hard twin is a further start, so that the soft
/// criterion is never above the hard one.
Proof prove_with_twin(const Tally& groups, const Distance& distance, const Levels& start, double ceiling,
                      const SolveOptions& options) {
  Proof first = prove_groups(groups, distance, options.weights, {start}, ceiling, options.budget);
  if (first.proven || stopped(options.budget.stop) || is_hard(distance) || squares(distance)) return first;
  const Distance twin = twin_of(distance);
  const Proof mask = prove_groups(groups, twin, options.weights, {start}, ceiling, options.budget);
  Proof second =
      prove_groups(groups, distance, options.weights, {first.levels, mask.levels}, ceiling, options.budget);
  second.lower_bound = std::max(first.lower_bound, second.lower_bound);
  second.nodes += first.nodes;
  return second;
}

/// Above so many groups times raters, trying one group after the other costs more than a look is worth.
constexpr std::size_t kLargeProblem = std::size_t{1} << 17;

/// Where nothing is proven, a sweep that gains less than this share of the criterion is not worth another.
constexpr double kRoughlySettled = 1e-3;

/// What a quick search found is tried further if it is this much lower than the start.
constexpr double kPromising = 0.01;

Voted levels_with_criterion(const Problem& problem, Levels levels) {
  const State state = sum_up(problem, levels);
  const bool empty = state.extent == 0;
  return {std::move(levels), empty ? empty_criterion(problem.panel) : criterion(problem, state)};
}

/// The best of a few weighted votes, tried further where they promise much.
Voted best_of_votes(const Problem& problem, const Tally& groups, const Voted& start, Effort effort,
                    const Stop& stop) {
  Voted best = follow_votes(problem, groups, best_threshold(problem, groups));
  Voted from_all = follow_votes(problem, groups, levels_with_criterion(problem, Levels(problem.blocks(), 1)));
  if (from_all.criterion < best.criterion) best = std::move(from_all);
  const bool promising = best.criterion < start.criterion * (1 - kPromising);
  if (effort == Effort::quick && !promising) return best;
  if (problem.blocks() * problem.panel.count() > kLargeProblem) return best;
  const Incumbent tried(problem, groups, {start.levels, best.levels}, stop, kRoughlySettled);
  return {tried.levels(), tried.criterion()};
}

}  // namespace

Answer solve_groups(const Tally& tally, const Distance& distance, const SolveOptions& given) {
  if (tally.rows.empty()) return {};
  if (is_linear(distance)) return solve_by_vote(tally, distance, given);
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

Answer best_without_proof(const Tally& tally, const Distance& distance, const Levels& start, Effort effort,
                          const SolveOptions& options) {
  if (tally.rows.empty()) return {};
  if (is_linear(distance)) return solve_by_vote(tally, distance, options);
  const Merged merged = merge_rows(tally);
  const Problem problem = make_problem(merged.groups, distance, options.weights, Blocks::group);
  if (problem.panel.count() == 0) return {Levels(tally.rows.size(), 0)};
  const Voted own = levels_with_criterion(problem, gather(tally, merged, start));
  const Voted best = best_of_votes(problem, merged.groups, own, effort, started(options.budget).stop);
  const double empty = empty_criterion(problem.panel);
  if (options.empty_test == EmptyTest::apply &&
      empty_is_better(empty, std::min(own.criterion, best.criterion), options.tie))
    return {Levels(tally.rows.size(), 0)};
  if (!(best.criterion < own.criterion)) return {start};
  return {scatter(tally, merged, best.levels, is_hard(distance))};
}

Certificate certify(const Tally& tally, const Distance& distance, const Levels& levels,
                    const SolveOptions& options) {
  if (tally.rows.empty()) return {0, true, 0};
  if (is_linear(distance)) {
    SolveOptions groups = options;
    groups.blocks = Blocks::group;
    return *solve_by_vote(tally, distance, groups).certificate;
  }
  const Budget budget = started(options.budget);
  const Merged merged = merge_rows(tally);
  const double empty = empty_criterion(make_panel(merged.groups, options.weights));
  if (stopped(budget.stop)) return {};
  return certificate_of(prove_groups(merged.groups, distance, options.weights,
                                     {gather(tally, merged, levels)}, empty, budget, Wanted::bound),
                        empty);
}

}  // namespace crema
