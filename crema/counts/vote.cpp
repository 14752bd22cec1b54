// SPDX-License-Identifier: Apache-2.0
#include <numeric>

#include "crema/counts/discrepancy.h"
#include "crema/counts/problem.h"
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

constexpr double kTie = 1e-12;  // sums of weights carry rounding errors

double decide(double over, Tie tie) {
  return over > kTie || (over >= -kTie && tie == Tie::foreground) ? 1 : 0;
}

/// How much a criterion that is linear in the levels falls for each voxel of a row that is in, as a share of
/// all weights: the same whatever else is in.
double gain_of(const Subcrown& row, int raters, const Fall& fall, const std::vector<double>& weights) {
  return fall.overlap * share(row.raters, raters, weights) - fall.extent;
}

}  // namespace

Answer solve_majority(const Tally& tally, const SolveOptions& options) {
  Answer answer;
  for (const Subcrown& row : tally.rows)
    answer.levels.push_back(decide(share(row.raters, tally.raters, options.weights) - 0.5, options.tie));
  return answer;
}

Answer solve_average(const Tally& tally, const SolveOptions& options) {
  Answer answer;
  for (const Subcrown& row : tally.rows)
    answer.levels.push_back(share(row.raters, tally.raters, options.weights));
  return answer;
}

Answer solve_by_vote(const Tally& tally, const Distance& distance, const SolveOptions& options) {
  const Problem problem = make_problem(tally, distance, options.weights, options.blocks);
  const Fall fall = std::get<Hamming>(formula_of(distance)).fall(1, 0, 0, 0);
  std::vector<double> gain(problem.blocks(), 0);
  for (std::size_t r = 0; r < tally.rows.size(); ++r)
    gain[problem.block_of_row[r]] += static_cast<double>(tally.rows[r].voxels) *
                                     gain_of(tally.rows[r], tally.raters, fall, options.weights);
  Answer answer;
  for (const std::uint32_t block : problem.block_of_row)
    answer.levels.push_back(decide(gain[block] / problem.voxels[block], options.tie));
  if (options.blocks == Blocks::group)
    answer.certificate = {criterion(tally, answer.levels, distance, options.weights), true, 0};
  return answer;
}

}  // namespace crema
