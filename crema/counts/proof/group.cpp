// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "crema/counts/solvers.h"

namespace crema {
namespace {

bool hard(Distance distance) { return distance == Distance::jaccard || distance == Distance::dice; }

std::map<Raters, std::size_t> number_groups(const Tally& groups) {
  std::map<Raters, std::size_t> number;
  for (std::size_t g = 0; g < groups.rows.size(); ++g) number[groups.rows[g].raters] = g;
  return number;
}

/// The mean level of each group: what a consensus is to a criterion that sees group sums alone.
Levels gather(const Tally& tally, const Tally& groups, const Levels& levels) {
  const auto number = number_groups(groups);
  Levels mean(groups.rows.size(), 0);
  for (std::size_t r = 0; r < tally.rows.size(); ++r)
    mean[number.at(tally.rows[r].raters)] += static_cast<double>(tally.rows[r].voxels) * levels[r];
  for (std::size_t g = 0; g < mean.size(); ++g) mean[g] /= static_cast<double>(groups.rows[g].voxels);
  return mean;
}

/// Levels of groups back on rows. Whole voxels are taken from a group's rows by increasing distance.
Levels scatter(const Tally& tally, const Tally& groups, const Levels& of_group, Distance distance) {
  const auto number = number_groups(groups);
  Levels levels(tally.rows.size(), 0);
  std::vector<double> left;
  for (std::size_t g = 0; g < of_group.size(); ++g)
    left.push_back(std::round(of_group[g] * static_cast<double>(groups.rows[g].voxels)));
  for (std::size_t r = 0; r < tally.rows.size(); ++r) {
    const std::size_t g = number.at(tally.rows[r].raters);
    if (!hard(distance)) {
      levels[r] = of_group[g];
      continue;
    }
    const auto n = static_cast<double>(tally.rows[r].voxels);
    const double taken = std::min(n, left[g]);
    left[g] -= taken;
    levels[r] = taken / n;
  }
  return levels;
}

Certificate certificate_of(const Proof& proof, double empty) {
  return {std::min(proof.lower_bound, empty), proof.proven || proof.lower_bound >= empty, proof.nodes};
}

/// The subcrown heuristic is a start, so that the true minimiser is never above it.
Levels heuristic(const Tally& tally, Distance distance, SolveOptions options) {
  options.blocks = Blocks::subcrown;
  options.empty_test = EmptyTest::skip;
  switch (distance) {
    case Distance::jaccard:
    case Distance::dice:
      return solve_greedily(tally, distance, options);
    case Distance::soergel:
      return solve_soergel(tally, options).levels;
    case Distance::tanimoto:
      return solve_tanimoto(tally, options).levels;
    case Distance::dice1:
      return solve_dice1(tally, options).levels;
    case Distance::dice2:
      return solve_dice2(tally, options).levels;
  }
  return {};
}

/// Where a soft proof ran out of budget, the best mask of the hard twin is a further start, so that the soft
/// criterion is never above the hard one.
Proof prove_with_twin(const Tally& groups, Distance distance, const Levels& start, double ceiling,
                      const SolveOptions& options) {
  Proof first = prove_groups(groups, distance, options.weights, {start}, ceiling, options.budget);
  if (first.proven || (distance != Distance::soergel && distance != Distance::dice1)) return first;
  const Distance twin = distance == Distance::soergel ? Distance::jaccard : Distance::dice;
  const Proof mask = prove_groups(groups, twin, options.weights, {start}, ceiling, options.budget);
  Proof second =
      prove_groups(groups, distance, options.weights, {first.levels, mask.levels}, ceiling, options.budget);
  second.lower_bound = std::max(first.lower_bound, second.lower_bound);
  second.nodes += first.nodes;
  return second;
}

}  // namespace

Answer solve_groups(const Tally& tally, Distance distance, const SolveOptions& options) {
  if (tally.rows.empty()) return {};
  const Tally groups = merge_groups(tally);
  const double empty = empty_criterion(make_problem(groups, distance, options.weights, Blocks::group));
  const Levels start = gather(tally, groups, heuristic(tally, distance, options));
  const double ceiling =
      options.empty_test == EmptyTest::apply ? empty : std::numeric_limits<double>::infinity();
  const Proof proof = prove_with_twin(groups, distance, start, ceiling, options);
  const bool dropped =
      options.empty_test == EmptyTest::apply && empty_is_better(empty, proof.criterion, options.tie);
  return {dropped ? Levels(tally.rows.size(), 0) : scatter(tally, groups, proof.levels, distance),
          certificate_of(proof, empty)};
}

Certificate certify(const Tally& tally, Distance distance, const Levels& levels,
                    const SolveOptions& options) {
  if (tally.rows.empty()) return {0, true, 0};
  const Tally groups = merge_groups(tally);
  const double empty = empty_criterion(make_problem(groups, distance, options.weights, Blocks::group));
  return certificate_of(
      prove_groups(groups, distance, options.weights, {gather(tally, groups, levels)}, empty, options.budget),
      empty);
}

}  // namespace crema
