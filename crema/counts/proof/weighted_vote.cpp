// SPDX-License-Identifier: Apache-2.0
#include "crema/counts/proof/weighted_vote.h"

#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <utility>

#include "crema/counts/discrepancy.h"

namespace crema {
namespace {

constexpr int kMaxRounds = 30;

/// How much the criterion falls per voxel of overlap with each rater, and rises per voxel of extent.
struct Slopes {
  std::vector<double> overlap;
  double extent = 0;
};

Slopes slopes_at(const Problem& problem, const State& state) {
  Slopes slopes;
  std::visit(
      [&](const auto& formula) {
        for (std::size_t k = 0; k < problem.panel.count(); ++k) {
          const double a = state.overlap[k], e = state.extent, s = problem.panel.size[k];
          const double outer = formula.outer(formula.inner(a, e, s)) * problem.panel.weight[k];
          const Fall fall = formula.fall(outer, a, e, s);
          slopes.overlap.push_back(fall.overlap);
          slopes.extent += fall.extent;
        }
      },
      formula_of(problem.distance));
  return slopes;
}

/// For each group the sum of its raters' weights, looked up for eight raters at a time: with many raters the
/// groups are many, too.
std::vector<double> votes_with(const Panel& panel, const Tally& groups, const std::vector<double>& weights) {
  constexpr std::size_t kAtOnce = 8, kSets = 1 << kAtOnce;
  const auto raters = static_cast<std::size_t>(groups.raters);
  std::vector<double> of_rater(raters, 0);
  for (std::size_t k = 0; k < panel.count(); ++k)
    of_rater[static_cast<std::size_t>(panel.raters[k])] = weights[k];
  std::vector<double> votes(groups.rows.size(), 0);
  for (std::size_t first = 0; first < raters; first += kAtOnce) {
    std::array<double, kSets> sums{};
    const std::size_t sets = std::size_t{1} << std::min(kAtOnce, raters - first);
    for (std::size_t set = 1; set < sets; ++set)
      sums[set] = sums[set & (set - 1)] + of_rater[first + static_cast<std::size_t>(std::countr_zero(set))];
    for (std::size_t g = 0; g < votes.size(); ++g)
      votes[g] += sums[groups.rows[g].raters >> first & (kSets - 1)];
  }
  return votes;
}

Levels vote(const Problem& problem, const Tally& groups, const Slopes& slopes) {
  Levels levels = votes_with(problem.panel, groups, slopes.overlap);
  for (double& level : levels) {
    if (squares(problem.distance))
      level = 2 * slopes.extent > level ? level / (2 * slopes.extent) : 1;
    else
      level = level > slopes.extent ? 1 : 0;
  }
  return levels;
}

}  // namespace

Voted best_threshold(const Problem& problem, const Tally& groups) {
  const std::size_t raters = problem.panel.count();
  std::vector<std::pair<double, std::size_t>> order;  // the most votes first
  const std::vector<double> votes = votes_with(problem.panel, groups, problem.panel.weight);
  for (std::size_t g = 0; g < votes.size(); ++g) order.emplace_back(-votes[g], g);
  std::sort(order.begin(), order.end());
  constexpr double kSameShare = 1e-12;
  State state{.overlap = std::vector<double>(raters, 0)};
  Voted best{Levels(problem.blocks(), 0), std::numeric_limits<double>::infinity()};
  std::size_t taken = 0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    const std::size_t g = order[i].second;
    state.extent += problem.voxels[g];
    for (std::size_t k = 0; k < raters; ++k) state.overlap[k] += problem.share_of(g)[k];
    if (i + 1 < order.size() && order[i + 1].first - order[i].first <= kSameShare) continue;
    const double here = criterion(problem, state);
    if (!(here < best.criterion)) continue;
    best.criterion = here;
    taken = i + 1;
  }
  for (std::size_t i = 0; i < taken; ++i) best.levels[order[i].second] = 1;
  return best;
}

Voted follow_votes(const Problem& problem, const Tally& groups, Voted start) {
  Voted best = std::move(start);
  State state = sum_up(problem, best.levels);
  for (int round = 0; round < kMaxRounds; ++round) {
    Levels levels = vote(problem, groups, slopes_at(problem, state));
    state = sum_up(problem, levels);
    const double here = criterion(problem, state);
    if (state.extent == 0 || !(here < best.criterion * (1 - 1e-4))) break;
    best = {std::move(levels), here};
  }
  return best;
}

}  // namespace crema
